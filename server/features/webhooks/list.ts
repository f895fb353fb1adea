import type { CallOutput } from '#contract/calls.ts';
import type { Actor } from '#server/calls/actor.ts';
import { and, count, desc, eq, sql } from '#server/db/drizzle.ts';
import { webhookCollections, webhookDeliveries, webhooks } from '#server/db/schema.ts';
import type { WebhooksDeps } from './deps.ts';

/** The company's webhooks, without their secrets. */
export async function listWebhooks(
  { db, clock }: Pick<WebhooksDeps, 'db' | 'clock'>,
  { companyId }: Actor,
): Promise<CallOutput<'listWebhooks'>> {
  const now = clock();
  return db.asCompany(companyId, async (tx) => {
    const rows = await tx.select().from(webhooks).orderBy(desc(webhooks.createdAt), webhooks.id);
    const within = Map.groupBy(await tx.select().from(webhookCollections), (each) => each.webhookId);
    const waiting = await tx
      .select({ webhookId: webhookDeliveries.webhookId, waiting: count() })
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.state, 'waiting'), sql`not ${webhookDeliveries.byHand}`))
      .groupBy(webhookDeliveries.webhookId);
    const waitingOf = new Map(waiting.map((each) => [each.webhookId, each.waiting]));
    return rows.map((row) => ({
      ...shown(row, now),
      ...(row.withinCollections && {
        collectionIds: (within.get(row.id) ?? []).map(({ collectionId }) => collectionId),
      }),
      waiting: waitingOf.get(row.id) ?? 0,
    }));
  });
}

function shown({ id, url, events, ...row }: typeof webhooks.$inferSelect, now: Date) {
  const { offReason, offAt, failingSince, secretBeforeUntil } = row;
  return {
    ...{ webhookId: id, url, events },
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdByEmail,
    ...(offReason && offAt && { off: { reason: offReason, at: offAt.toISOString() } }),
    ...(failingSince && { failingSince: failingSince.toISOString() }),
    ...(secretBeforeUntil && secretBeforeUntil > now && { bothSecretsUntil: secretBeforeUntil.toISOString() }),
  };
}
