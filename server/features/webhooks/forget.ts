import type { Tx } from '#server/db/db.ts';
import { and, eq, inArray, isNotNull } from '#server/db/drizzle.ts';
import { webhookDeliveries } from '#server/db/schema.ts';
import { changeDeliveries } from './hold-deliveries.ts';

/** Of a document that is erased: what was sent of it, by name, stays in no log. */
export async function forgetSent(tx: Tx, documentId: string): Promise<void> {
  const named = and(eq(webhookDeliveries.documentId, documentId), isNotNull(webhookDeliveries.body));
  await changeDeliveries(tx, named, { body: null });
}

/** Of questions that are erased: what was sent of them, with their words. */
export async function forgetAsked(tx: Tx, queryIds: string[]): Promise<void> {
  const asked = and(inArray(webhookDeliveries.queryId, queryIds), isNotNull(webhookDeliveries.body));
  await changeDeliveries(tx, asked, { body: null });
}
