import { bodiesKept } from '#contract/webhooks.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, asc, desc, eq, isNotNull, isNull, lt, lte, or, sql } from '#server/db/drizzle.ts';
import { collections, webhookCollections, webhookDeliveries } from '#server/db/schema.ts';
import type { JobData } from '#server/jobs/registry.ts';
import type { Webhook } from './attempt.ts';
import type { Delivery } from './body.ts';
import { changeDeliveries } from './hold-deliveries.ts';

type Job = JobData<'deliver-webhook'>;

/** What is due and comes first of all that waits about the same thing, the oldest first. */
export function firstOfEach(tx: Tx, webhookId: string, now: Date, limit: number): Promise<Delivery[]> {
  const { state, byHand, nextAt, subject, sequence } = webhookDeliveries;
  const isFirst = sql`not exists (
    select from ${webhookDeliveries} as earlier
    where earlier.company_id = ${webhookDeliveries.companyId} and earlier.webhook_id = ${webhookDeliveries.webhookId}
      and earlier.subject = ${subject} and earlier.sequence < ${sequence}
      and earlier.state = 'waiting' and not earlier.by_hand)`;
  const waits = and(eq(webhookDeliveries.webhookId, webhookId), eq(state, 'waiting'), sql`not ${byHand}`);
  return tx
    .select()
    .from(webhookDeliveries)
    .where(and(waits, or(isNull(nextAt), lte(nextAt, now)), isFirst))
    .orderBy(asc(sequence))
    .limit(limit);
}

/** The collections of which a webhook is told, beside what is in none. */
export async function seenBy(tx: Tx, { id, withinCollections }: Webhook): Promise<string[]> {
  if (!withinCollections) {
    const open = eq(collections.access, 'everyone');
    return (await tx.select({ id: collections.id }).from(collections).where(open)).map((each) => each.id);
  }
  const chosen = eq(webhookCollections.webhookId, id);
  const rows = await tx.select({ id: webhookCollections.collectionId }).from(webhookCollections).where(chosen);
  return rows.map((each) => each.id);
}

/** What was sent names documents and holds questions: it is kept of the newest alone. */
export async function dropOldBodies(db: Database, { companyId, webhookId }: Job): Promise<void> {
  const withBody = and(eq(webhookDeliveries.webhookId, webhookId), isNotNull(webhookDeliveries.body));
  await db.asCompany(companyId, async (tx) => {
    const [oldest] = await tx
      .select({ sequence: webhookDeliveries.sequence })
      .from(webhookDeliveries)
      .where(withBody)
      .orderBy(desc(webhookDeliveries.sequence))
      .offset(bodiesKept - 1)
      .limit(1);
    if (!oldest) return;
    const isOlder = and(withBody, lt(webhookDeliveries.sequence, oldest.sequence));
    await changeDeliveries(tx, isOlder, { body: null });
  });
}
