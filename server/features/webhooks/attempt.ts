import type { Tx } from '#server/db/db.ts';
import { and, eq, sql } from '#server/db/drizzle.ts';
import { documents, queries, webhookAttempts, webhookDeliveries, webhooks } from '#server/db/schema.ts';
import { isOutboundError } from '#server/lib/outbound.ts';
import { deliveryMs, failingMs, failuresUntilPause, pauseAfter, waitAfter } from './back-off.ts';
import type { Delivery } from './body.ts';
import type { WebhooksDeps } from './deps.ts';
import { changeDeliveries } from './hold-deliveries.ts';
import { signedHeaders, webhookSealedFor } from './secret.ts';
import { switchOff } from './switch-off.ts';

export type Webhook = typeof webhooks.$inferSelect;

/** An event with what is sent of it. */
export interface Attempt {
  delivery: Delivery;
  body: string;
}

interface Outcome {
  at: Date;
  /** Null: there was no answer that counts. */
  status: number | null;
  /** The code of an error. */
  error: string | null;
  durationMs: number;
}

interface How {
  /** It shows whether a receiver that was down still is. */
  isProbe: boolean;
  signal: AbortSignal;
}

/** Sends events, each once, and writes down what came of it. */
export function createAttempts(deps: WebhooksDeps) {
  const { db, jobs, outbound, sealer, clock } = deps;

  /** @throws where one could not be written down: it is sent again, with the same id */
  async function sendAll(webhook: Webhook, attempts: readonly Attempt[], how: How): Promise<void> {
    const secrets = await secretsOf(webhook);
    const ended = await Promise.allSettled(attempts.map((attempt) => sendOne(webhook, attempt, secrets, how)));
    for (const each of ended) if (each.status === 'rejected') throw each.reason;
  }

  async function sendOne(webhook: Webhook, attempt: Attempt, secrets: string[], how: How): Promise<void> {
    const { delivery, body } = attempt;
    const at = clock();
    // Receivers hold it against their own clocks.
    const headers = signedHeaders(secrets, { id: `msg_${delivery.id}`, at: new Date(), body });
    const started = performance.now();
    const answer = await outbound(webhook.url, { method: 'POST', headers, body, signal: how.signal }).then(
      ({ status }) => ({ status, error: null }),
      (error: unknown) => {
        if (!isOutboundError(error)) throw error;
        return { status: null, error: error.code };
      },
    );
    const outcome = { at, ...answer, durationMs: Math.round(performance.now() - started) };
    await db.asCompany(webhook.companyId, (tx) => write(tx, attempt, outcome, how));
  }

  /** The newest signs first. */
  async function secretsOf(webhook: Webhook): Promise<string[]> {
    const { sealedSecret, sealedSecretBefore, secretBeforeUntil } = webhook;
    const both = sealedSecretBefore !== null && secretBeforeUntil !== null && secretBeforeUntil > clock();
    const sealed = both ? [sealedSecret, sealedSecretBefore] : [sealedSecret];
    return Promise.all(sealed.map((each) => sealer.open(each, webhookSealedFor(webhook))));
  }

  async function write(tx: Tx, { delivery, body }: Attempt, outcome: Outcome, { isProbe }: How): Promise<void> {
    const { companyId, id, webhookId } = delivery;
    const hasArrived = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
    const ofDelivery = eq(webhookDeliveries.id, id);
    // The webhook first, since its end and its recovery change what others wait to write down. Not held against those
    // who only tell it of something.
    const [webhook] = await tx.select().from(webhooks).where(eq(webhooks.id, webhookId)).for('no key update');
    const [now] = await tx.select().from(webhookDeliveries).where(ofDelivery).for('update');
    // Deleted meanwhile.
    if (!webhook || !now) return;
    const number = now.attempts + 1;
    await tx.insert(webhookAttempts).values({ companyId, deliveryId: id, number, ...outcome });
    const nextAt = new Date(outcome.at.getTime() + waitAfter(number));
    const isGivenUp = now.byHand || now.state === 'failed' || nextAt.getTime() >= now.at.getTime() + deliveryMs;
    const state = hasArrived ? 'delivered' : isGivenUp ? 'failed' : 'waiting';
    await tx
      .update(webhookDeliveries)
      .set({ state, attempts: number, nextAt, byHand: false, body: unlessDeleted(delivery, body) })
      .where(ofDelivery);
    if (hasArrived) await noteArrival(tx, webhook);
    // What somebody tries says nothing of how it goes by itself.
    else if (!now.byHand) await noteFailure(tx, webhook, outcome, isProbe);
    if (outcome.status === 410) await switchOff(tx, deps, { companyId, webhookId, reason: 'gone', at: outcome.at });
  }

  /** The receiver is there: what has waited for that goes on at once. */
  async function noteArrival(tx: Tx, { companyId, id: webhookId, failures }: Webhook): Promise<void> {
    if (failures === 0) return;
    const fresh = { failures: 0, failingSince: null, pausedUntil: null };
    await tx.update(webhooks).set(fresh).where(eq(webhooks.id, webhookId));
    if (failures < failuresUntilPause) return;
    const waits = and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.state, 'waiting'));
    await changeDeliveries(tx, waits, { nextAt: null });
    await jobs.enqueue(tx, 'deliver-webhook', { companyId, webhookId }, { singletonKey: webhookId });
  }

  async function noteFailure(tx: Tx, before: Webhook, { at }: Outcome, isProbe: boolean): Promise<void> {
    const { companyId, id: webhookId } = before;
    const failingSince = before.failingSince ?? at;
    // Those that were sent side by side failed for one reason.
    const oneMore = isProbe ? before.failures + 1 : Math.min(before.failures + 1, failuresUntilPause);
    const failures = Math.max(before.failures, oneMore);
    const pause = pauseAfter(failures);
    const pausedUntil = pause === 0 ? null : new Date(at.getTime() + pause);
    await tx.update(webhooks).set({ failures, failingSince, pausedUntil }).where(eq(webhooks.id, webhookId));
    if (at.getTime() - failingSince.getTime() < failingMs) return;
    await switchOff(tx, deps, { companyId, webhookId, reason: 'failing', at });
  }

  return { sendAll };
}

/** What names a document or a question is not kept where that was deleted meanwhile. */
function unlessDeleted({ documentId, queryId, type }: Delivery, body: string) {
  if (queryId !== null)
    return sql`case when exists (
      select from ${queries} as kept where kept.company_id = ${webhookDeliveries.companyId} and kept.id = ${queryId})
      then ${body} end`;
  if (documentId === null || type === 'document.deleted') return body;
  return sql`case when exists (
    select from ${documents} as live where live.company_id = ${webhookDeliveries.companyId} and live.id = ${documentId}
      and live.deleted_at is null) then ${body} end`;
}
