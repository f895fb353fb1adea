import type { CallOutput } from '#contract/calls.ts';
import { type Subscription, subscriptionStates } from '#contract/entitlements.ts';
import { billingPeriods, currency, type PlanName, planNames, plans, priceId } from '#contract/plans.ts';
import type { Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { subscriptions } from '#server/db/schema.ts';
import type { Paid } from '#server/features/identity/authenticate.ts';

/** What a company has, and whether it was given by whoever runs the service. */
export type CompanySubscription = Subscription & { granted: boolean };

/**
 * What we last wrote down of a company's subscription. No row means that it never had one. A state or plan that this
 * version does not know (written by a newer one) counts as none: it must not open anything.
 */
export async function subscriptionOf(tx: Tx, companyId: string): Promise<CompanySubscription> {
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.companyId, companyId));
  return subscriptionIn(row);
}

/** The same of its row, where that has been read with another; of none, a company that has never paid. */
export function subscriptionIn(row: Paid | null | undefined): CompanySubscription {
  const granted = knownPlan(row?.grantedPlan);
  if (granted !== null) {
    return { state: 'active', plan: granted, currentPeriodEnd: null, pastDueSince: null, granted: true };
  }
  return {
    state: subscriptionStates.find((state) => state === row?.state) ?? 'none',
    plan: knownPlan(row?.plan),
    currentPeriodEnd: row?.currentPeriodEnd ?? null,
    pastDueSince: row?.pastDueSince ?? null,
    granted: false,
  };
}

/** Whether a company has paid at least once, was given its plan, or need not pay. */
export function paidUnder(billing: 'off' | 'stripe'): (tx: Tx, companyId: string) => Promise<boolean> {
  return async (tx, companyId) => billing === 'off' || hasPaid(tx, companyId);
}

async function hasPaid(tx: Tx, companyId: string): Promise<boolean> {
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.companyId, companyId));
  return row !== undefined && (row.paidAt !== null || row.state === 'active' || row.grantedPlan !== null);
}

function knownPlan(name: string | null | undefined): PlanName | null {
  return planNames.find((plan) => plan === name) ?? null;
}

/** The plans as the pricing page shows them: one entry for each plan and period. */
export function plansOnSale(): CallOutput<'getPlans'> {
  return {
    plans: planNames.flatMap((name) => {
      const plan = plans[name];
      return billingPeriods.map((period) => ({
        plan: name,
        period,
        priceId: plan.amounts ? priceId(name, period) : null,
        amount: plan.amounts?.[period] ?? null,
        currency,
        seats: plan.seats,
        features: [...plan.selling],
      }));
    }),
  };
}
