/** All texts of ours about the end of a company. */
export const words = {
  lead: 'This deletes everything: documents, questions and answers, people and settings. The company is closed at once and erased after 7 days. Until then an admin can take it back. The subscription is canceled, and nothing more is charged.',
  deleteIt: 'Delete the company…',
  deleteTitle: 'Delete the company?',
  deleteAction: 'Delete the company',
  closedNow:
    'is closed for everyone now. After 7 days it is erased for good, and there is no way back and no copy. All admins are told by email.',
  typeName: 'Type the name of the company',
  wrongName: 'This is not the name of your company.',
  notDeleted: 'The company could not be deleted.',
  keep: 'Keep the company',
  delete: 'Delete',
  endingTitle: 'Company is being deleted',
  willBeDeleted: 'will be deleted on',
  adminAsked: 'An admin of your company decided this. Until then the company is closed, and only an admin can keep it.',
  onThatDay:
    'On that day everything is erased for good. Until then the company is closed, and nothing more is charged. If you keep it, everything is as it was.',
  notKept: 'The company could not be kept. Please try again.',
  takeData: 'Take your data with you',
  logout: 'Logout',
};
