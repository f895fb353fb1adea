import type { Tx } from '#server/db/db.ts';
import { and, eq, inArray, isNull } from '#server/db/drizzle.ts';
import { documents, queries, versions, type webhookDeliveries } from '#server/db/schema.ts';

export type Delivery = typeof webhookDeliveries.$inferSelect;

/**
 * What is sent of each event, as JSON.
 * @param tx sees what the webhook may be told of: what it does not see is sent with no word
 * @returns without those whose document or question is gone, hidden, or replaced before it could be told of
 */
export async function bodiesOf(
  tx: Tx,
  deliveries: readonly Delivery[],
  publicUrl: string,
): Promise<Map<string, string>> {
  const files = await filesOf(tx, deliveries);
  const asked = await questionsOf(tx, deliveries);
  const bodies = new Map<string, string>();
  for (const delivery of deliveries) {
    const data = dataOf(delivery, files, asked, publicUrl);
    const { id, type, at } = delivery;
    if (data) bodies.set(id, JSON.stringify({ type, timestamp: at.toISOString(), data }));
  }
  return bodies;
}

function dataOf(
  { type, documentId, queryId, data }: Delivery,
  files: Awaited<ReturnType<typeof filesOf>>,
  asked: Awaited<ReturnType<typeof questionsOf>>,
  publicUrl: string,
): Record<string, unknown> | null {
  if (type === 'document.ready' || type === 'document.failed') {
    const file = files.get(`${documentId} ${data.version}`);
    // Read anew meanwhile, it is told of by that reading's own event.
    if (!file || (file.state === 'failed') !== (type === 'document.failed')) return null;
    const { name, version, state, reason, collectionId, pages } = file;
    const url = `${publicUrl}/documents/${documentId}/${version}`;
    const more = { ...(pages !== null && { pages }), ...(reason !== null && { reason }) };
    return { documentId, version, state, name, ...(collectionId && { collectionId }), ...more, url };
  }
  if (documentId !== null) return { documentId };
  if (queryId === null) return data;
  const query = asked.get(queryId);
  if (!query) return null;
  const { question, rating, ratingReason } = query;
  // The reason goes with the rating that it was given for.
  const because = type === 'answer.rated' && ratingReason !== null && rating === data.rating;
  return { queryId, question, ...data, ...(because && { reason: ratingReason }) };
}

async function filesOf(tx: Tx, deliveries: readonly Delivery[]) {
  const ids = idsOf(deliveries, ({ documentId }) => documentId);
  if (ids.length === 0) return new Map<string, never>();
  const { documentId, version, state, reason, pages } = versions;
  const rows = await tx
    .select({ documentId, version, state, reason, pages, name: documents.name, collectionId: documents.collectionId })
    .from(versions)
    .innerJoin(documents, and(eq(documents.companyId, versions.companyId), eq(documents.id, documentId)))
    .where(and(inArray(documentId, ids), isNull(documents.deletedAt), inArray(state, ['ready', 'partial', 'failed'])));
  return new Map(rows.map((row) => [`${row.documentId} ${row.version}`, row]));
}

async function questionsOf(tx: Tx, deliveries: readonly Delivery[]) {
  const ids = idsOf(deliveries, ({ queryId }) => queryId);
  if (ids.length === 0) return new Map<string, never>();
  const { id, question, rating, ratingReason } = queries;
  const rows = await tx.select({ id, question, rating, ratingReason }).from(queries).where(inArray(id, ids));
  return new Map(rows.map((row) => [row.id, row]));
}

function idsOf(deliveries: readonly Delivery[], idOf: (delivery: Delivery) => string | null): string[] {
  return [...new Set(deliveries.map(idOf).filter((id) => id !== null))];
}
