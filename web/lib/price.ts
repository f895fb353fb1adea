import { messages } from '#contract/messages.ts';
import { type BillingPeriod, type Feature, type PlanName, planWith } from '#contract/plans.ts';

/** The plans' names as the pricing page writes them. */
export const planTitles: Record<PlanName, string> = {
  basic: 'Basic',
  professional: 'Professional',
  enterprise: 'Enterprise',
};

/** The name of the smallest plan that has it, as the pricing page writes it. */
export function planNameWith(feature: Feature): string {
  return planTitles[planWith(feature)];
}

export const periodTitles: Record<BillingPeriod, string> = { annual: 'Annual', semiannual: 'Semi-annual' };

const periods: Record<BillingPeriod, string> = { annual: 'per year', semiannual: 'per 6 months' };

export interface Amount {
  /** Cents; null: on request. */
  amount: number | null;
  currency: string;
  period: BillingPeriod;
}

/** The amount that is charged, and how often: `$3,050` and `per year`. */
export function inWords({ amount, currency, period }: Amount): { sum: string; period: string | null } {
  if (amount === null) return { sum: messages.pricing.custom, period: null };
  return { sum: formatMoney(amount, currency, amount % 100 === 0 ? 0 : 2), period: periods[period] };
}

/** What it comes to for each of so many people in a month, rounded to whole units: `$24`. */
export function perPersonAndMonth({ amount, currency, period }: Amount, people: number): string | null {
  if (amount === null) return null;
  const units = Math.round(amount / 100 / months[period] / people);
  return new Intl.NumberFormat('en-US', { style: 'currency', currency, maximumFractionDigits: 0 }).format(units);
}

const months: Record<BillingPeriod, number> = { annual: 12, semiannual: 6 };

/** Cents as the invoice writes them, always with the cents: `$3,050.00`. */
export function formatMoney(cents: number, currency: string, minimumFractionDigits = 2): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency, minimumFractionDigits }).format(cents / 100);
}
