import type { AnswerLanguage } from '#contract/agent.ts';

/** What stands beside an answer in the language of the answer, since it is read together with it. */
interface BesideAnswer {
  closest: string;
  followingUp: string;
  /** Asks once more, by the question's own words. */
  askAlone: string;
}

const besideAnswers: Record<AnswerLanguage, BesideAnswer> = {
  en: { closest: 'Closest passages:', followingUp: 'Following up on:', askAlone: 'Ask without it' },
  de: { closest: 'Am nächsten kommen:', followingUp: 'Im Anschluss an:', askAlone: 'Ohne das fragen' },
  fr: { closest: 'Passages les plus proches :', followingUp: 'À la suite de :', askAlone: 'Demander sans cela' },
  es: { closest: 'Pasajes más cercanos:', followingUp: 'A raíz de:', askAlone: 'Preguntar sin eso' },
};

/** @param language of the answer; absent in one that was kept before languages were told */
export function besideAnswer(language: AnswerLanguage | undefined): BesideAnswer {
  return besideAnswers[language ?? 'en'];
}

/** All other texts of ours in the chat; those of the specification are in the contract. */
export const chatTexts = {
  chat: 'Chat',
  document: 'Document',
  filesAndQuestions: 'Files and questions',
  sidebarWidth: 'Width of the sidebar',
  documentWidth: 'Width of the document',
  questionsCanBeAsked: 'Questions can be asked',
  closeMenu: 'Close menu',
  newChat: 'New chat',
  newChatBegun: 'A new chat has begun.',
  earlierChats: 'EARLIER CHATS',
  findByName: 'Find by name',
  findDocuments: 'Find documents by name',
  moreFound: (count: number) => `and ${count.toLocaleString()} more: type part of a name`,
  noneOfThisName: 'No document has this in its name.',
  fewer: 'Fewer',
  all: (count: number) => `All ${count.toLocaleString()}`,
  waiting: 'waiting',
  reading: 'reading',
  readingAt: (done: number, total: number) => `reading ${done}/${total}`,
  partlyRead: 'partly read',
  notReadable: 'not readable',
  updateFailed: 'update failed',
  conversation: 'Conversation',
  messages: 'Messages',
  welcome: 'Welcome,',
  welcomeAlone: 'Welcome.',
  whatToKnow: 'What would you like to know?',
  askBefore: 'Ask in your own words. I answer from the documents of',
  askAfter: ', and every answer has numbered footnotes that open the document right at the passage.',
  youAsked: 'You asked:',
  yourQuestion: 'Your question',
  stop: 'Stop',
  send: 'Send',
  questionsToBegin: 'Questions to begin with',
  lost: 'The connection was lost here. What you see up to this point has been checked.',
  noAnswerYet: 'This question has no answer yet.',
  tryAgain: 'Try again',
  askAgain: 'Ask again',
  stopped: 'You stopped this answer.',
  onlyChosen: 'Only the documents chosen under “Filters” were searched.',
  sourceDeleted: 'source deleted',
  deleted: '· source deleted',
  noSourceMany: (count: number) =>
    `${count === 1 ? 'One statement is' : `${count} statements are`} marked “no source”: nothing was found in your documents that says so. `,
  contradictedMany: (count: number) =>
    `${count === 1 ? 'One statement is' : `${count} statements are`} marked “not what the source says”: the passage says something else.`,
  uncheckedOne: 'One statement',
  uncheckedMany: (count: number) => `${count} statements`,
  notCompared: 'could not be compared with the documents word for word.',
  /** Stands behind a claim without a number. */
  behindClaim: {
    contradicted: 'not what the source says',
    'not-found': 'no source',
    unchecked: 'not checked',
    plain: undefined,
    checking: undefined,
  },
  table: 'Table',
  sourceGone: (n: number) => `Source ${n}: deleted`,
  sourceAt: (n: number, place: string) => `Source ${n}: ${place}`,
  source: (n: number) => `Source ${n}`,
  passageOn: (page: number, name: string) => `The passage as it stands on page ${page} of ${name}`,
  openDocument: 'Open document',
  previousSource: 'Previous source',
  nextSource: 'Next source',
  of: 'of',
  alsoFoundCount: (count: number) => `Also found (${count.toLocaleString()})`,
  alsoFound: 'Also found',
  copy: 'Copy',
  withSources: 'with sources',
  copied: 'Copied',
  notCopied: 'Your browser did not allow copying.',
  whomToAsk: 'Whom to ask:',
  helpful: 'Helpful',
  notHelpful: 'Not helpful',
  ratingNotSaved: 'Your rating could not be saved.',
  thanks: 'Thanks. Your admins can see it beside the question.',
  whatWasWrong: 'What was wrong?',
  reasonWrong: 'The answer is wrong',
  reasonMissing: 'Something is missing',
  reasonSource: 'The source does not say that',
  reasonOutdated: 'The document is out of date',
  inOwnWords: 'In your own words',
  somethingToAdd: 'Thanks. Something to add?',
  done: 'Done',
  filters: 'Filters',
  lockedBefore: 'Asking only some documents, by name, tag or date, is part of the',
  lockedAfter: 'plan.',
  seePlans: 'See the plans',
  allSearched: 'All documents are searched',
  deletedDocument: 'Deleted document',
  onlySearched: 'Only these are searched',
  theDates: 'the dates',
  noFilterBy: (what: string) => `Do not filter by ${what}`,
  until: (day: string) => `until ${day}`,
  since: (day: string) => `since ${day}`,
  tags: 'Tags',
  uploaded: 'Uploaded',
  from: 'From',
  to: 'To',
  searchAll: 'Search all documents',
  documents: 'Documents',
};
