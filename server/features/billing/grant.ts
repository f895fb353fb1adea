import type { PlanName } from '#contract/plans.ts';
import type { Database } from '#server/db/db.ts';
import { subscriptions } from '#server/db/schema.ts';
import { tellChange } from './tell-change.ts';

/**
 * Gives a company a plan for which nothing is charged, whatever the payment provider says.
 * @param plan null: takes it back; what the provider says counts again.
 */
export async function grantPlan(db: Database, companyId: string, plan: PlanName | null): Promise<void> {
  const granted = { grantedPlan: plan, updatedAt: new Date() };
  await db.asSystem((tx) =>
    // A command has no queue at hand.
    tellChange(tx, null, companyId, () =>
      tx
        .insert(subscriptions)
        .values({ companyId, state: 'none', ...granted })
        .onConflictDoUpdate({ target: subscriptions.companyId, set: granted }),
    ),
  );
}
