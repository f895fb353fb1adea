import { graceDays, type SubscriptionState } from '#contract/entitlements.ts';
import { currency, priceOnSale } from '#contract/plans.ts';
import type { Billing } from '#web/api/billing.ts';
import { formatDay } from '#web/lib/format.ts';
import { type Amount, formatMoney, inWords, periodTitles, planTitles } from '#web/lib/price.ts';
import { hasBegun } from './paying.ts';

const states: Record<SubscriptionState, string> = {
  none: 'No subscription',
  incomplete: 'First payment not complete',
  incomplete_expired: 'First payment not complete',
  trialing: 'Trial',
  active: 'Active',
  past_due: 'Payment overdue',
  unpaid: 'Unpaid',
  paused: 'Paused',
  canceled: 'Canceled',
};

type Standing = Pick<Billing, 'state' | 'endsAt' | 'granted' | 'nextCharge'>;

/** How the subscription stands, in a few words: `Active`, `Canceled, ends on Nov 21, 2027`. */
export function stateText({ state, endsAt, granted, nextCharge }: Standing, locale?: string): string {
  if (granted) return nextCharge ? states.active : 'Active, nothing is charged';
  if (endsAt !== null && state !== 'canceled') return `Canceled, ends on ${formatDay(endsAt, locale)}`;
  return states[state];
}

/** What the company has: `Professional, annual`. */
export function planText({ plan, period, granted }: Pick<Billing, 'plan' | 'period' | 'granted'>): string {
  if (plan === null) return 'None';
  // The period is that of a subscription from before.
  return period === null || granted ? planTitles[plan] : `${planTitles[plan]}, ${periodTitles[period].toLowerCase()}`;
}

/** `Visa ending in 4242, expires 04/2030`. */
export function cardText({ brand, last4, expMonth, expYear }: NonNullable<Billing['card']>): string {
  const name = brand.charAt(0).toUpperCase() + brand.slice(1);
  return `${name} ending in ${last4}, expires ${String(expMonth).padStart(2, '0')}/${expYear}`;
}

/** `$7,129.00 on Nov 21, 2027`, or that nothing is charged, or nothing more. */
export function nextChargeText({ nextCharge, state }: Pick<Billing, 'nextCharge' | 'state'>, locale?: string): string {
  if (!nextCharge) return hasBegun(state) ? 'Nothing more is charged' : 'Nothing is charged';
  return `${formatMoney(nextCharge.amount, nextCharge.currency)} on ${formatDay(nextCharge.at, locale)}`;
}

/** The last day on which everything works without the payment; null when it is over, or when nothing is overdue. */
export function graceEnd({ state, pastDueSince }: Pick<Billing, 'state' | 'pastDueSince'>, now: Date): Date | null {
  if (state !== 'past_due' || pastDueSince === null) return null;
  const end = new Date(Date.parse(pastDueSince) + graceDays * 86_400_000);
  return now < end ? end : null;
}

/** `$7,129 per year`. */
export function priceText(price: Amount): string {
  const { sum, period } = inWords(price);
  return period === null ? sum : `${sum} ${period}`;
}

export const invoiceStates: Record<Billing['invoices'][number]['status'], string> = {
  draft: 'Draft',
  open: 'Open',
  paid: 'Paid',
  uncollectible: 'Not collected',
  void: 'Void',
};

/** What a period of the present plan costs; null when its price is not on sale. */
export function presentPrice({ priceId }: Pick<Billing, 'priceId'>): Amount | null {
  const price = priceOnSale(priceId ?? '');
  return price ? { ...price, currency } : null;
}

/** All texts of ours around plan and payment; those that stand on other screens, too, are in notices.ts. */
export const words = {
  heading: 'Plan and billing',
  tryAgain: 'Try again',
  notLoaded: 'Plan and billing could not be loaded.',
  didNotWork: 'That did not work. Please try again.',
  switchedOff: 'Payment is switched off: every feature is on.',
  choosePlan: 'Choose a plan',
  openPortal: 'Open the billing portal',
  opening: 'Opening...',
  portalNotOpened: 'The billing portal could not be opened. Please try again.',
  plan: 'Plan',
  state: 'State',
  nextCharge: 'Next charge',
  card: 'Card',
  none: 'None',
  seats: 'Seats',
  seatsUnlimited: (used: number) => `${used.toLocaleString()} used, no limit`,
  seatsUsed: (used: number, seats: number) => `${used.toLocaleString()} of ${seats.toLocaleString()} used`,
  team: 'Team',
  changePlan: 'Change your plan',
  pricesNotLoaded: 'The prices could not be loaded.',
  yourPlan: 'Your plan',
  from: 'From',
  choose: 'Choose',
  chooseThis: (plan: string, period: string) => `Choose ${plan}, ${period.toLowerCase()}`,
  unlimitedUsers: 'Unlimited users',
  upToUsers: (seats: number) => `Up to ${seats} users`,
  changeTitle: (plan: string) => `Change to ${plan}?`,
  close: 'Close',
  cancel: 'Cancel',
  notComplete: 'The payment is not complete',
  bankRefused: 'Your bank refused it, or wants you to confirm it. Your plan changes as soon as the invoice is paid.',
  payInvoice: 'Pay the invoice',
  changeOn: (day: string) => `Change on ${day}`,
  payAndChange: (amount: string) => `Pay ${amount} and change`,
  changeNow: 'Change now',
  planIsNow: (name: string) => `Your plan is now ${name}.`,
  planChanges: (name: string, day: string) => `Your plan changes to ${name} on ${day}.`,
  laterBefore: 'Nothing is charged today. Your present plan stays until',
  laterBetween: ', since it is paid for until then. After that you pay',
  chargedNow: 'Charged now',
  cardCharged: (last4: string) => `The card ending in ${last4} is charged. `,
  takesEffect: 'The change takes effect at once. From the next period on you pay',
  openTeam: 'Open the team page',
  whoHasSeats: 'Who uses a seat',
  endsOn: (day: string) => `Your subscription ends on ${day}`,
  endsOnDone: (day: string) => `Your subscription ends on ${day}.`,
  untilThen: 'Until then everything works, and you can reactivate it.',
  changesOn: (day: string) => `Your plan changes on ${day}`,
  fromThenOn: 'From then on it is',
  missing: 'A payment is missing',
  invoiceOpen: 'An invoice is open',
  notCharged: (amount: string) => `${amount} could not be charged. `,
  worksUntil: (day: string) => `Everything works until ${day}. After that nobody can ask, upload or invite. `,
  changeCard: 'If it is the card, you can change it in the billing portal.',
  payOpenInvoice: 'Pay the open invoice',
  invoices: 'Invoices',
  noInvoices: 'No invoices yet.',
  date: 'Date',
  number: 'Number',
  amount: 'Amount',
  actions: 'Actions',
  pay: 'Pay',
  view: 'View',
  invoiceAction: (verb: string, number: string | null) => `${verb} invoice ${number ?? ''}`.trim(),
  cancelSubscription: 'Cancel subscription',
  cancelTitle: 'Cancel your subscription?',
  keepIt: 'Keep it',
  endOfPeriod: 'the end of the period',
  paidBesides: (plan: string) =>
    `Your company was given the ${plan} plan. The subscription from before is still charged until you cancel it.`,
  cancelBesides: (day: string, plan: string) =>
    `It ends on ${day}, and nothing more is charged. You keep the ${plan} plan that your company was given.`,
  cancelText: (day: string) =>
    `Everything works until ${day}. After that nobody can ask, upload or invite. Your documents and people stay, and every file can still be opened and downloaded.`,
  cancelOverdueText: (day: string) =>
    `It ends on ${day}. Your documents and people stay, and every file can still be opened and downloaded.`,
  reactivate: 'Reactivate',
  reactivateTitle: 'Reactivate your subscription?',
  notNow: 'Not now',
  reactivateText: (day: string, price: string | null) =>
    `Nothing is charged today. Your subscription goes on after ${day}${price === null ? '' : `, and costs ${price} from then on`}.`,
  takenBack: (plan: string, day: string) => `Your plan will not change to ${plan} on ${day}. Nothing is charged today.`,
  keepPlan: 'Keep the plan',
  keep: (plan: string) => `Keep ${plan}`,
  planStays: 'Your plan stays as it is.',
  goesOn: 'Your subscription goes on.',
  paymentNotLookedUp: 'The payment could not be looked up.',
  checkAgain: 'Check again',
  next: 'Next:',
  uploadFirst: 'upload your first documents',
  andAsk: ', then ask about them.',
  nothingToPay: 'Nothing to pay',
  notConfirmed: 'Payment not confirmed yet',
  nothingPaid: 'No paid subscription yet',
  free: 'Payment is switched off here: there is no subscription, and every feature is on.',
  arriving: 'It may take a minute for the payment to arrive.',
  looksAgain: 'This page checks again by itself.',
  notArrived:
    'The payment has still not arrived. If you have paid, nothing is lost: it counts as soon as it arrives, and you are not charged twice.',
  notPaid: 'Not paid yet?',
};
