import type { Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { keptStatement } from '#server/db/kept-statement.ts';
import { collections, webhookCollections, webhookDeliveries, webhooks } from '#server/db/schema.ts';
import type { Jobs } from '#server/jobs/jobs.ts';

/** What has happened. Ids alone of what can be hidden or deleted: names and words are looked up when it is sent. */
export type Told =
  | { type: 'document.ready' | 'document.failed'; documentId: string; version: number }
  | { type: 'document.deleted'; documentId: string; collectionId: string | null }
  | { type: 'question.unanswered'; queryId: string }
  | { type: 'answer.rated'; queryId: string; rating: 'up' | 'down' | null }
  | { type: 'person.joined' | 'person.removed'; userId: string; email: string; role: string }
  | { type: 'subscription.changed'; state: string; plan: string | null; endsAt: string | null };

/**
 * For each webhook what it is to be told. Gone when it is sent, a document is in no collection any more: whether a
 * webhook may be told is asked now.
 */
const toWebhooks = keptStatement<{ companyId: string; events: string }, { webhookId: string; isPaused: boolean }>(
  'to-webhooks',
  sql`
    with told as (
      insert into ${webhookDeliveries} (company_id, id, webhook_id, type, subject, document_id, query_id, data)
      select hook.company_id, gen_random_uuid(), hook.id, event.type, event.subject, event.document_id, event.query_id,
        event.data
      from rows from (jsonb_to_recordset(${sql.placeholder('events')}::jsonb) as (
          type text, subject text, document_id uuid, query_id uuid, collection_id uuid, data jsonb
        )) with ordinality as event (type, subject, document_id, query_id, collection_id, data, place)
      join ${webhooks} as hook on hook.company_id = ${sql.placeholder('companyId')}::uuid and hook.off_reason is null
        and event.type = any (hook.events)
      where event.type <> 'document.deleted' or event.collection_id is null
        or (hook.within_collections and exists (
          select from ${webhookCollections} as chosen where chosen.company_id = hook.company_id
            and chosen.webhook_id = hook.id and chosen.collection_id = event.collection_id))
        or (not hook.within_collections and exists (
          select from ${collections} as open where open.company_id = hook.company_id
            and open.id = event.collection_id and open.access = 'everyone'))
      order by event.place
      returning webhook_id
    )
    select id as "webhookId", paused_until is not null and paused_until > now() as "isPaused"
    from ${webhooks} where company_id = ${sql.placeholder('companyId')}::uuid and id in (select webhook_id from told) order by id`,
);

/**
 * Tells the company's webhooks of what happens, with the transaction in which it does: the one is there if and only if
 * the other is. To be called when the transaction holds what it changes, so that the order in which events of one thing
 * are told is that in which they happened.
 * @param jobs null where there is no queue at hand, as in a command: it is sent within a minute
 */
export async function tell(
  tx: Tx,
  jobs: Pick<Jobs, 'enqueue'> | null,
  companyId: string,
  events: readonly Told[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = await toWebhooks.run(tx, { companyId, events: JSON.stringify(events.map(rowOf)) });
  for (const { webhookId, isPaused } of rows) {
    // A receiver that is down is looked after once for all that waits for it.
    if (!isPaused) await jobs?.enqueue(tx, 'deliver-webhook', { companyId, webhookId }, { singletonKey: webhookId });
  }
}

/** @returns as a row of the statement: `data` has what is not looked up when it is sent */
function rowOf(event: Told) {
  const { type } = event;
  if ('documentId' in event) {
    const { documentId } = event;
    const ofVersion = 'version' in event ? { version: event.version } : {};
    const collectionId = 'collectionId' in event ? event.collectionId : null;
    return { type, subject: documentId, document_id: documentId, collection_id: collectionId, data: ofVersion };
  }
  if ('queryId' in event) {
    const { queryId } = event;
    const data = 'rating' in event ? { rating: event.rating } : {};
    return { type, subject: queryId, query_id: queryId, data };
  }
  const { type: _, ...data } = event;
  return { type, subject: 'userId' in data ? data.userId : 'subscription', data };
}
