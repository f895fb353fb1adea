/** Our own texts around a new password; those of the specification are in `contract/messages.ts`. */
export const words = {
  title: 'New password',
  heading: 'Choose a new password',
  tryAgain: 'Try again',
  welcome: 'Welcome to your team',
  invited: 'You are invited to your company’s documents. Choose your first password for ',
  thenSignIn: ', then sign in with it',
  forWhom: 'For ',
  openAgain: 'Open the link in your mail once more, or ask for a new one.',
  yourName: 'Your name',
  nameHint: 'As your colleagues know you; you can change it later.',
  newPassword: 'New password',
  sendNewLink: 'Send a new link',
} as const;
