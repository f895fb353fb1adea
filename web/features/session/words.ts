/** All texts of ours about being signed in; those that no page can do without are in words-everywhere.ts. */
export const words = {
  yourAccount: 'Your account',
  signInAndSecurity: 'Sign-in and security',
  signInAndSecurityHint: 'Where you are signed in, your second factor, and mails about sign-ins.',
  yourData: 'Your data',
  yourDataHint: 'Everything we keep about you, as a file.',
  yourName: 'Your name',
  nameHint: 'Shown in place of your email. Leave it empty to show your email.',
  nameNotSaved: 'The name could not be saved.',
  nameSaved: 'Your name is saved.',
  saveName: 'Save name',
  passwordNotChanged: 'The password could not be changed.',
  changePassword: 'Change password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  passwordChanged: 'Your password is changed. You are signed out everywhere else.',
};
