import { randomUUID } from 'node:crypto';
import { and, eq, inArray, isNull, lte, or } from '#server/db/drizzle.ts';
import { webhookDeliveries, webhooks } from '#server/db/schema.ts';
import type { JobData, JobRun } from '#server/jobs/registry.ts';
import { type Attempt, createAttempts, type Webhook } from './attempt.ts';
import { failuresUntilPause } from './back-off.ts';
import { bodiesOf, type Delivery } from './body.ts';
import type { WebhooksDeps } from './deps.ts';
import { removeDeliveries } from './hold-deliveries.ts';
import { beginRun, endRun, heldUntil } from './run.ts';
import { dropOldBodies, firstOfEach, seenBy } from './waiting.ts';

/** Requests to one receiver at once, each about something else. */
const atOnce = 8;
/** After that, other webhooks come first. */
const runMs = 30_000;
const askAgainSeconds = 2;

type Job = JobData<'deliver-webhook'>;

/**
 * Sends what waits. A webhook has one run at a time, in all processes; it sends events of different things side by
 * side, and of one thing the next when the one before has ended.
 */
export function createDelivery(deps: WebhooksDeps) {
  const { db, jobs, entitled, config, clock } = deps;
  const attempts = createAttempts(deps);
  return { deliver, byHand };

  /** The job `deliver-webhook`. */
  async function deliver(job: Job, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    const runId = randomUUID();
    // Another run may have looked for the last time already.
    if (!(await beginRun(db, job, runId))) return goOn(job, askAgainSeconds);
    const ends = performance.now() + runMs;
    try {
      while (performance.now() < ends) {
        signal.throwIfAborted();
        const batch = await nextOf(job, runId);
        if (!batch) return;
        const isProbe = batch.webhook.failures >= failuresUntilPause;
        await attempts.sendAll(batch.webhook, await withBodies(batch), { isProbe, signal });
        await dropOldBodies(db, job);
      }
    } finally {
      await endRun(db, job, runId);
    }
    await goOn(job, 0);
  }

  /** The job `send-by-hand`: once, whatever else waits, also to a webhook that is off. */
  async function byHand({ deliveryId, ...job }: JobData<'send-by-hand'>, { signal }: Pick<JobRun, 'signal'>) {
    const batch = await db.asCompany(job.companyId, async (tx) => {
      const isMeant = and(eq(webhookDeliveries.id, deliveryId), isByHand);
      const deliveries = await tx.select().from(webhookDeliveries).where(isMeant);
      const [webhook] = await tx.select().from(webhooks).where(eq(webhooks.id, job.webhookId));
      return webhook && { webhook, deliveries, seen: await seenBy(tx, webhook), isEntitled: true };
    });
    if (!batch) return;
    await attempts.sendAll(batch.webhook, await withBodies(batch), { isProbe: false, signal });
    await dropOldBodies(db, job);
  }

  function goOn(job: Job, startAfterSeconds: number): Promise<void> {
    const options = { singletonKey: job.webhookId, startAfterSeconds };
    return db.asCompany(job.companyId, (tx) => jobs.enqueue(tx, 'deliver-webhook', job, options));
  }

  /**
   * What is sent next, with the webhook as it is now; null: nothing, or the webhook is gone, off, paused, or another
   * run's.
   */
  function nextOf({ companyId, webhookId }: Job, runId: string): Promise<Batch | null> {
    const now = clock();
    const mayGoOn = and(
      ...[eq(webhooks.id, webhookId), eq(webhooks.runId, runId), isNull(webhooks.offReason)],
      or(isNull(webhooks.pausedUntil), lte(webhooks.pausedUntil, now)),
    );
    return db.asCompany(companyId, async (tx) => {
      const [webhook] = await tx.update(webhooks).set({ runUntil: heldUntil }).where(mayGoOn).returning();
      if (!webhook) return null;
      // Of a receiver that was down one event shows whether it still is.
      const limit = webhook.failures >= failuresUntilPause ? 1 : atOnce;
      const deliveries = await firstOfEach(tx, webhookId, now, limit);
      if (deliveries.length === 0) return null;
      const { features, chat } = await entitled(tx, companyId);
      return {
        webhook,
        deliveries,
        seen: await seenBy(tx, webhook),
        isEntitled: chat && features.includes('webhooks'),
      };
    });
  }

  /** What is sent of them; those of which nothing may be sent are forgotten. */
  async function withBodies({ webhook, deliveries, seen, isEntitled }: Batch): Promise<Attempt[]> {
    const { companyId } = webhook;
    // Without the plan it is told of that alone, which says why nothing else comes.
    const wanted = deliveries.filter(({ type }) => isEntitled || type === 'subscription.changed');
    const bodies = await db.asActor({ companyId, collections: seen }, (tx) => bodiesOf(tx, wanted, config.publicUrl));
    const gone = deliveries.filter(({ id }) => !bodies.has(id)).map(({ id }) => id);
    if (gone.length > 0) {
      await db.asCompany(companyId, (tx) => removeDeliveries(tx, inArray(webhookDeliveries.id, gone)));
    }
    return wanted.flatMap((delivery) => {
      const body = bodies.get(delivery.id);
      return body === undefined ? [] : [{ delivery, body }];
    });
  }
}

interface Batch {
  webhook: Webhook;
  deliveries: Delivery[];
  /** The collections that it is told of. */
  seen: string[];
  isEntitled: boolean;
}

const isByHand = and(eq(webhookDeliveries.state, 'waiting'), webhookDeliveries.byHand);
