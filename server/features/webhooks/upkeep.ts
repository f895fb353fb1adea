import { webhookLogDays } from '#contract/webhooks.ts';
import type { Tx } from '#server/db/db.ts';
import { and, eq, inArray, lt, ne, or, sql } from '#server/db/drizzle.ts';
import { webhookDeliveries, webhooks } from '#server/db/schema.ts';
import { noJobFor } from '#server/jobs/pending.ts';
import { deliveryMs } from './back-off.ts';
import type { WebhooksDeps } from './deps.ts';
import { changeDeliveries, removeDeliveries } from './hold-deliveries.ts';

const logMs = webhookLogDays * 86_400_000;

/** The job `wake-webhooks`, every minute: what is due again is sent, and what has waited or stood for too long ends. */
export async function wakeWebhooks({ db, jobs, clock }: Pick<WebhooksDeps, 'db' | 'jobs' | 'clock'>): Promise<void> {
  const now = clock();
  await db.asSystem((tx) => endOld(tx, now));
  await db.asSystem(async (tx) => {
    // What nobody has been told of is due as well: a command tells nobody, and a job can be lost. In the order in which
    // `tell` has them, or each would wait for the other.
    const due = await tx.execute<{ companyId: string; webhookId: string }>(sql`
      select company_id as "companyId", id as "webhookId" from ${webhooks} as hook
      where off_reason is null and (paused_until is null or paused_until <= ${now}) and exists (
        select from ${webhookDeliveries} as each
        where each.company_id = hook.company_id and each.webhook_id = hook.id and each.state = 'waiting'
          and not each.by_hand and (each.next_at is null or each.next_at <= ${now}))
      order by id`);
    for (const job of due.rows) await jobs.enqueue(tx, 'deliver-webhook', job, { singletonKey: job.webhookId });
  });
}

/**
 * Three days after it happened it is given up, and what was to be sent by hand by a job that is lost; what has ended
 * leaves the log. The webhooks are held first, as whoever removes one has it, and what hangs on them in order.
 */
async function endOld(tx: Tx, now: Date): Promise<void> {
  const { id, webhookId, state, byHand, at } = webhookDeliveries;
  const isWaiting = eq(state, 'waiting');
  const isOld = and(eq(byHand, false), lt(at, new Date(now.getTime() - deliveryMs)));
  const isLost = and(byHand, noJobFor(['send-by-hand'], { deliveryId: id }));
  const isGivenUp = and(isWaiting, or(isOld, isLost));
  const isForgotten = and(ne(state, 'waiting'), lt(at, new Date(now.getTime() - logMs)));
  const found = await tx.select({ webhookId }).from(webhookDeliveries).where(or(isGivenUp, isForgotten));
  if (found.length === 0) return;
  const theirs = [...new Set(found.map((each) => each.webhookId))];
  const held = await tx
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(inArray(webhooks.id, theirs))
    .orderBy(webhooks.id)
    .for('no key update');
  const ofHeld = inArray(
    webhookId,
    held.map((each) => each.id),
  );
  await changeDeliveries(tx, and(ofHeld, isGivenUp), { state: 'failed', byHand: false });
  await removeDeliveries(tx, and(ofHeld, isForgotten));
}
