import { graceDays, type SubscriptionState } from '#contract/entitlements.ts';
import { currency, priceOnSale } from '#contract/plans.ts';
import type { Billing } from '#web/api/billing.ts';
import { formatDay } from '#web/lib/format.ts';
import { type Amount, formatMoney, inWords, periodTitles, planTitles } from '#web/lib/price.ts';

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

type Standing = Pick<Billing, 'state' | 'endsAt' | 'granted'>;

/** How the subscription stands, in a few words: `Active`, `Canceled, ends on Nov 21, 2027`. */
export function stateText({ state, endsAt, granted }: Standing, locale?: string): string {
  if (granted) return 'Active, nothing is charged';
  if (endsAt !== null && state !== 'canceled') return `Canceled, ends on ${formatDay(endsAt, locale)}`;
  return states[state];
}

/** What the company has: `Professional, annual`. */
export function planText({ plan, period }: Pick<Billing, 'plan' | 'period'>): string {
  if (plan === null) return 'None';
  return period === null ? planTitles[plan] : `${planTitles[plan]}, ${periodTitles[period].toLowerCase()}`;
}

/** `Visa ending in 4242, expires 04/2030`. */
export function cardText({ brand, last4, expMonth, expYear }: NonNullable<Billing['card']>): string {
  const name = brand.charAt(0).toUpperCase() + brand.slice(1);
  return `${name} ending in ${last4}, expires ${String(expMonth).padStart(2, '0')}/${expYear}`;
}

/** `$7,129.00 on Nov 21, 2027`, or that nothing more is charged. */
export function nextChargeText({ nextCharge }: Pick<Billing, 'nextCharge'>, locale?: string): string {
  if (!nextCharge) return 'Nothing more is charged';
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

/** What a period of the present plan costs; null when its price is not on sale. */
export function presentPrice({ priceId }: Pick<Billing, 'priceId'>): Amount | null {
  const price = priceOnSale(priceId ?? '');
  return price ? { ...price, currency } : null;
}
