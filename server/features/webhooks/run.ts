import type { Database } from '#server/db/db.ts';
import { and, eq, isNull, lt, or, sql } from '#server/db/drizzle.ts';
import { webhooks } from '#server/db/schema.ts';
import type { JobData } from '#server/jobs/registry.ts';

type Job = JobData<'deliver-webhook'>;

/** Longer than a batch takes: a run that is not heard of for so long was killed. */
const heldSeconds = 60;
export const heldUntil = sql`now() + make_interval(secs => ${heldSeconds})`;

/**
 * Makes it the webhook's only run, as long as it is heard of; false: another one is. True of a webhook that is gone.
 */
export async function beginRun(db: Database, { companyId, webhookId }: Job, runId: string): Promise<boolean> {
  const isFree = or(isNull(webhooks.runUntil), lt(webhooks.runUntil, sql`now()`));
  return db.asCompany(companyId, async (tx) => {
    const there = await tx.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.id, webhookId));
    const held = await tx
      .update(webhooks)
      .set({ runId, runUntil: heldUntil })
      .where(and(eq(webhooks.id, webhookId), isFree))
      .returning({ id: webhooks.id });
    return held.length > 0 || there.length === 0;
  });
}

export async function endRun(db: Database, { companyId, webhookId }: Job, runId: string): Promise<void> {
  const isOurs = and(eq(webhooks.id, webhookId), eq(webhooks.runId, runId));
  await db.asCompany(companyId, (tx) => tx.update(webhooks).set({ runId: null, runUntil: null }).where(isOurs));
}
