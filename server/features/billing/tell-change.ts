import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { subscriptions } from '#server/db/schema.ts';
import { tell } from '#server/features/webhooks/outbox.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { subscriptionIn } from './billing.ts';

/** Writes a company's subscription down, and tells of it where it is another than before. */
export async function tellChange<T>(tx: Tx, jobs: Jobs | null, companyId: string, write: () => Promise<T>): Promise<T> {
  const before = await factsOf(tx, companyId);
  const result = await write();
  const after = await factsOf(tx, companyId);
  if (!isDeepStrictEqual(before, after)) await tell(tx, jobs, companyId, [{ type: 'subscription.changed', ...after }]);
  return result;
}

async function factsOf(tx: Tx, companyId: string) {
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.companyId, companyId));
  const { state, plan, granted } = subscriptionIn(row);
  return { state, plan, endsAt: granted ? null : (row?.endsAt?.toISOString() ?? null) };
}
