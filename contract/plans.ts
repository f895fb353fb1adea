/**
 * The plans as they are sold: the one source for the pricing page, the entitlements and the payment provider's
 * catalogue. Amounts are in US cents.
 */

export const planNames = ['basic', 'professional', 'enterprise'] as const;
export type PlanName = (typeof planNames)[number];

export const billingPeriods = ['annual', 'semiannual'] as const;
export type BillingPeriod = (typeof billingPeriods)[number];

/** What a plan can switch on. Every feature of a smaller plan is also in the larger ones. */
export const features = [
  'ask',
  'upload',
  'invite',
  'basic-analytics',
  'search-filters',
  'usage-analytics',
  'team-management',
  'collections',
  'api-keys',
  'white-label',
  'webhooks',
  'single-sign-on',
  'allowed-addresses',
  'audit-log',
] as const;
export type Feature = (typeof features)[number];

const basic: Feature[] = ['ask', 'upload', 'invite', 'basic-analytics'];
const professional: Feature[] = [
  ...basic,
  'search-filters',
  'usage-analytics',
  'team-management',
  'collections',
  'api-keys',
];
const enterprise: Feature[] = [
  ...professional,
  'white-label',
  'webhooks',
  'single-sign-on',
  'allowed-addresses',
  'audit-log',
];

export interface Plan {
  name: PlanName;
  /** Seats in the plan; null means unlimited. */
  seats: number | null;
  /** Cents per period; null means on request. */
  amounts: Record<BillingPeriod, number> | null;
  features: readonly Feature[];
  /** What the pricing page lists, in its order. Where each line is in the product: `e2e/ways-plans.spec.ts`. */
  selling: readonly string[];
}

export const plans: Record<PlanName, Plan> = {
  basic: {
    name: 'basic',
    seats: 10,
    amounts: { annual: 305_000, semiannual: 179_400 },
    features: basic,
    selling: [
      'Up to 10 users',
      'Core AI document search',
      'PDF and common file formats',
      'Email support',
      'Basic search analytics',
    ],
  },
  professional: {
    name: 'professional',
    seats: 25,
    amounts: { annual: 712_900, semiannual: 419_400 },
    features: professional,
    selling: [
      'Up to 25 users',
      'Advanced AI search with filters',
      'Priority email support',
      'Usage analytics and reporting',
      'Team management tools',
      'API access',
    ],
  },
  enterprise: {
    name: 'enterprise',
    seats: null,
    amounts: null,
    features: enterprise,
    selling: [
      'Unlimited users',
      'White-label options',
      'Dedicated customer success manager',
      'Phone and email support',
      'Custom integrations',
      'Advanced security features',
      'Priority feature requests',
    ],
  },
};

/** The price's id: stable, readable, and the lookup key under which the payment provider knows it. */
export function priceId(plan: PlanName, period: BillingPeriod): string {
  return `${plan}_${period}`;
}

/** The smallest plan with the feature: what an upgrade hint names. */
export function planWith(feature: Feature): PlanName {
  return planNames.find((name) => plans[name].features.includes(feature)) ?? 'enterprise';
}

/** The smallest plan with more seats than this number; null when there is none. */
export function planWithMoreSeats(seats: number): PlanName | null {
  const more = (name: PlanName) => plans[name].seats === null || plans[name].seats > seats;
  return planNames.find(more) ?? null;
}

/** What a price id stands for. */
export interface PriceOnSale {
  id: string;
  plan: PlanName;
  period: BillingPeriod;
  /** Cents per period. */
  amount: number;
  /** How long one period is. */
  months: number;
}

export const currency = 'usd';
const monthsOf: Record<BillingPeriod, number> = { annual: 12, semiannual: 6 };

/** Every price that can be paid; plans on request have none. */
export const pricesOnSale: readonly PriceOnSale[] = planNames.flatMap((plan) => {
  const { amounts } = plans[plan];
  if (!amounts) return [];
  return billingPeriods.map((period) => ({
    id: priceId(plan, period),
    plan,
    period,
    amount: amounts[period],
    months: monthsOf[period],
  }));
});

/** The price of this id; undefined where none is on sale. */
export function priceOnSale(id: string): PriceOnSale | undefined {
  return pricesOnSale.find((price) => price.id === id);
}

/** Whether a change takes effect at once, charged for the difference; any other waits for the end of the period. */
export function isUpgrade(from: { plan: PlanName; months: number }, to: Pick<PriceOnSale, 'plan' | 'months'>): boolean {
  const step = planNames.indexOf(to.plan) - planNames.indexOf(from.plan);
  return step > 0 || (step === 0 && to.months > from.months);
}
