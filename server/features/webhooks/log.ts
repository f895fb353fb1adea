import { randomUUID } from 'node:crypto';
import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { bodiesKept, testEvent } from '#contract/webhooks.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Tx } from '#server/db/db.ts';
import { and, asc, desc, eq, inArray, isNotNull, isNull, lt, ne } from '#server/db/drizzle.ts';
import { documents, webhookAttempts, webhookDeliveries, webhooks } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import type { Delivery } from './body.ts';
import type { By, WebhooksDeps } from './deps.ts';
import { requireWebhook } from './manage.ts';
import { hostOf } from './switch-off.ts';

const pageLength = 50;
/** Of one event, the newest: sent by hand it can have many. */
const attemptsShown = 20;

/** What was sent to a webhook, and what is sent once more. */
export function createWebhookLog({ db, jobs, clock }: WebhooksDeps) {
  /** @throws AppError `webhook-not-found`; `invalid-input` for a cursor that is none */
  async function page(
    { companyId }: Actor,
    { webhookId, cursor }: ParsedInput<'getWebhookLog'>,
  ): Promise<CallOutput<'getWebhookLog'>> {
    if (cursor !== undefined && !/^[1-9]\d{0,14}$/.test(cursor)) throw new AppError('invalid-input');
    const ofWebhook = eq(webhookDeliveries.webhookId, webhookId);
    const before = cursor === undefined ? undefined : lt(webhookDeliveries.sequence, Number(cursor));
    return db.asCompany(companyId, async (tx) => {
      const [webhook] = await tx.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.id, webhookId));
      if (!webhook) throw new AppError('webhook-not-found');
      const rows = await tx
        .select()
        .from(webhookDeliveries)
        .where(and(ofWebhook, before))
        .orderBy(desc(webhookDeliveries.sequence))
        .limit(pageLength);
      const attempts = await attemptsOf(tx, rows);
      const bodies = await bodiesOf(tx, webhookId);
      const last = rows.length === pageLength ? rows.at(-1) : undefined;
      return {
        deliveries: rows.map((row) => shown(row, attempts.get(row.id) ?? [], bodies.get(row.id))),
        ...(last && { next: String(last.sequence) }),
      };
    });
  }

  /** @throws AppError `webhook-not-found` */
  async function test(by: By, webhookId: string): Promise<CallOutput<'sendTestEvent'>> {
    const { companyId } = by;
    const deliveryId = randomUUID();
    await db.asCompany(companyId, async (tx) => {
      const { url } = await requireWebhook(tx, webhookId);
      const event = { type: testEvent, subject: webhookId, data: { webhookId }, at: clock() } as const;
      await tx.insert(webhookDeliveries).values({ companyId, id: deliveryId, webhookId, ...event, byHand: true });
      await jobs.enqueue(tx, 'send-by-hand', { companyId, webhookId, deliveryId });
      await audit(tx, { action: 'webhook-tested', by, target: hostOf(url), details: { webhookId, deliveryId } });
    });
    return { deliveryId };
  }

  /** @throws AppError `webhook-not-found`, `delivery-not-found`, `delivery-waiting` */
  async function resend(by: By, { webhookId, deliveryId }: ParsedInput<'resendDelivery'>): Promise<void> {
    const { companyId } = by;
    const isMeant = and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.webhookId, webhookId));
    await db.asCompany(companyId, async (tx) => {
      const { url } = await requireWebhook(tx, webhookId);
      const [ended] = await tx
        .update(webhookDeliveries)
        .set({ state: 'waiting', byHand: true })
        .where(and(isMeant, ne(webhookDeliveries.state, 'waiting')))
        .returning({ type: webhookDeliveries.type });
      if (!ended) {
        const there = await tx.$count(webhookDeliveries, isMeant);
        throw new AppError(there > 0 ? 'delivery-waiting' : 'delivery-not-found');
      }
      await jobs.enqueue(tx, 'send-by-hand', { companyId, webhookId, deliveryId });
      const details = { event: ended.type, webhookId, deliveryId };
      await audit(tx, { action: 'webhook-sent-again', by, target: hostOf(url), details });
    });
  }

  return { page, test, resend };
}

type AttemptRow = typeof webhookAttempts.$inferSelect;

function shown(
  { id, type, at, state, byHand, attempts: tried, nextAt }: Delivery,
  attempts: AttemptRow[],
  body?: string,
) {
  return {
    ...{ deliveryId: id, type, at: at.toISOString(), state, tried },
    attempts: attempts.slice(-attemptsShown).map(({ at, status, error, durationMs }) => ({
      at: at.toISOString(),
      ...(status !== null && { status }),
      ...(error !== null && { error }),
      durationMs,
    })),
    // By hand it is sent at once.
    ...(state === 'waiting' && !byHand && nextAt && { nextAt: nextAt.toISOString() }),
    ...(body !== undefined && { body }),
  };
}

async function attemptsOf(tx: Tx, rows: readonly Delivery[]): Promise<Map<string, AttemptRow[]>> {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const { deliveryId, number } = webhookAttempts;
  const found = await tx.select().from(webhookAttempts).where(inArray(deliveryId, ids)).orderBy(asc(number));
  return Map.groupBy(found, (each) => each.deliveryId);
}

/** What was sent last of the newest, unless it names a document that was deleted since. */
async function bodiesOf(tx: Tx, webhookId: string): Promise<Map<string, string>> {
  const { id, body, documentId, type, sequence } = webhookDeliveries;
  const newest = await tx
    .select({ id, body, documentId, type })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), isNotNull(body)))
    .orderBy(desc(sequence))
    .limit(bodiesKept);
  const named = newest.flatMap((each) => each.documentId ?? []);
  const isLive = and(inArray(documents.id, named), isNull(documents.deletedAt));
  const live = named.length === 0 ? [] : await tx.select({ id: documents.id }).from(documents).where(isLive);
  const liveIds = new Set(live.map((each) => each.id));
  const mayShow = (each: (typeof newest)[number]) =>
    each.documentId === null || each.type === 'document.deleted' || liveIds.has(each.documentId);
  return new Map(newest.filter(mayShow).map((each) => [each.id, each.body ?? '']));
}
