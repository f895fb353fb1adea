import { messages } from '#contract/messages.ts';
import type { BillingPeriod } from '#contract/plans.ts';

const periods: Record<BillingPeriod, string> = { annual: 'per year', semiannual: 'per 6 months' };

/** The amount that is charged, and how often: `$3,050` and `per year`. Amounts are in cents; null: on request. */
export function inWords(price: { amount: number | null; currency: string; period: BillingPeriod }): {
  sum: string;
  period: string | null;
} {
  if (price.amount === null) return { sum: messages.pricing.custom, period: null };
  const sum = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: price.currency,
    minimumFractionDigits: price.amount % 100 === 0 ? 0 : 2,
  }).format(price.amount / 100);
  return { sum, period: periods[price.period] };
}
