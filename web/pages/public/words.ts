/** Our own texts in front of the sign-in; those of the specification are in `contract/messages.ts`. */
export const words = {
  pages: 'Main',
  signIn: {
    lead: 'Ask your company’s documents, and check every answer at its source.',
    noCompany: 'No company here yet.',
    createYours: 'Create yours.',
    email: 'Email',
    password: 'Password',
    emailConfirmed: 'Email confirmed',
    nextStepNotLoaded: 'The next step could not be loaded.',
    ssoNotLoaded: 'Single sign-on could not be loaded.',
    passwordMissing: 'Please enter your password.',
  },
  forgot: {
    title: 'Reset password',
    heading: 'Reset your password',
    lead: 'We send you a link with which you choose a new one. It holds for an hour.',
  },
  signUp: {
    heading: 'Create your company',
    company: 'Company name',
    confirm: 'Confirm password',
    /** `Professional, annual: $7,129 per year.` */
    plan: (plan: string, period: string, price: string) => `${plan}, ${period.toLowerCase()}: ${price}.`,
    otherPlan: 'Choose another plan',
    accountReady: 'Your account is ready.',
    choosePlan: 'Choose a plan',
    toPay: 'to pay.',
    setUp: 'Set up this service',
    needsLink:
      'Nobody has created the company yet. Please open the set-up link that the service printed when it started.',
    closed: 'Sign-up is closed',
    askAdmin: 'Please ask your admin for an invitation.',
  },
  pricing: {
    notLoaded: 'The prices could not be loaded.',
    unpaid: 'Payment is switched off here: every feature is on.',
    openApp: 'Open app',
    closed: 'Sign-up is closed here. Please ask your admin for an invitation, or',
    signIn: 'sign in',
    haveAccount: 'if you have an account.',
    membersDoNotPay: 'Only an admin of your company can choose a plan. Please ask your admin.',
    openSettings: 'Open the settings',
    openTeam: 'Open the team',
    period: 'Billing period',
    /** Rounded: what is charged stands above it. */
    each: (price: string, people: number) => `about ${price} per person and month, with ${people} people`,
  },
} as const;
