/** Our own texts of what comes after the password, or in its place. */
export const words = {
  codeRequired: 'Please enter your code.',
  noPasskey: 'No passkey was used. Try again, or choose another way below.',
  wentWrong: 'Something went wrong. Please try again.',
  usePasskey: 'Use a passkey',
  useCode: 'Use a code of the app',
  useRecoveryCode: 'Use a recovery code',
  oneMoreStep: 'One more step for ',
  browserAsks: 'Your browser asks for your passkey: a fingerprint, a face, a PIN or a security key.',
  codeOfApp: 'Code of your authenticator app',
  codeHint: 'Six digits, which change every half minute.',
  recoveryCode: 'Recovery code',
  recoveryHint: 'One of the ten that you have kept. Each works once.',
  continueWithSso: 'Continue with SSO',
  works: 'The sign-in works.',
  goOn: 'Thank you. Please go on.',
} as const;
