/** Why something is paused, and the way out. */
export const notices = {
  overdueTitle: 'The last payment has failed',
  overdueBefore: 'Everything still works for now. Please',
  overdueLink: 'settle the payment',
  overdueAfter: 'so that your team can go on asking.',
  paymentMissing: 'A payment is missing',
  choosePlan: 'Choose a plan to start asking',
  notActive: 'Your subscription is not active',
  again: (what: string, isOverdue: boolean) => `${what} again as soon as it is${isOverdue ? ' settled' : ' active'}.`,
  withPlan: (what: string) => `${what} as soon as your company has a plan.`,
  paused: 'Asking, uploading and inviting are paused. Your documents and people stay as they are.',
  notBegun: 'Asking, uploading and inviting begin with it.',
  settle: 'Settle the payment',
  choose: 'Choose a plan',
  askAdmin: 'Please ask your admin.',
} as const;
