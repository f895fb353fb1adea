import { eq } from 'drizzle-orm';
import type { CallOutput } from '#contract/calls.ts';
import { type Subscription, subscriptionStates } from '#contract/entitlements.ts';
import { billingPeriods, planNames, plans, priceId } from '#contract/plans.ts';
import type { Tx } from '#server/db/db.ts';
import { subscriptions } from '#server/db/schema.ts';

/**
 * What we last wrote down of a company's subscription. No row means that it never had one. A state or plan that this
 * version does not know (written by a newer one) counts as none: it must not open anything.
 */
export async function subscriptionOf(tx: Tx, companyId: string): Promise<Subscription> {
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.companyId, companyId));
  return {
    state: subscriptionStates.find((state) => state === row?.state) ?? 'none',
    plan: planNames.find((plan) => plan === row?.plan) ?? null,
    currentPeriodEnd: row?.currentPeriodEnd ?? null,
    pastDueSince: row?.pastDueSince ?? null,
  };
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
        currency: 'usd',
        seats: plan.seats,
        features: [...plan.selling],
      }));
    }),
  };
}
