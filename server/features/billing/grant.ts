import type { PlanName } from '#contract/plans.ts';
import type { Database } from '#server/db/db.ts';
import { subscriptions } from '#server/db/schema.ts';

/**
 * Gives a company a plan for which nothing is charged, whatever the payment provider says.
 * @param plan null: takes it back; what the provider says counts again.
 */
export async function grantPlan(db: Database, companyId: string, plan: PlanName | null): Promise<void> {
  const granted = { grantedPlan: plan, updatedAt: new Date() };
  await db.asSystem((tx) =>
    tx
      .insert(subscriptions)
      .values({ companyId, state: 'none', ...granted })
      .onConflictDoUpdate({ target: subscriptions.companyId, set: granted }),
  );
}
