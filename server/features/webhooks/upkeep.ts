import { webhookLogDays } from '#contract/webhooks.ts';
import type { Tx } from '#server/db/db.ts';
import { and, eq, inArray, lt, ne, or, sql } from '#server/db/drizzle.ts';
import { webhookDeliveries, webhooks } from '#server/db/schema.ts';
import { noJobFor } from '#server/jobs/pending.ts';
import { deliveryMs } from './back-off.ts';
import type { WebhooksDeps } from './deps.ts';

const logMs = webhookLogDays * 86_400_000;

/** The job `wake-webhooks`, every minute: what is due again is sent, and what has waited or stood for too long ends. */
export async function wakeWebhooks({ db, jobs, clock }: Pick<WebhooksDeps, 'db' | 'jobs' | 'clock'>): Promise<void> {
  const now = clock();
  await db.asSystem(async (tx) => {
    await giveUpOld(tx, now);
    const isOld = lt(webhookDeliveries.at, new Date(now.getTime() - logMs));
    await tx.delete(webhookDeliveries).where(and(isOld, ne(webhookDeliveries.state, 'waiting')));
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

/** Three days after it happened; and what was to be sent by hand by a job that is lost. */
async function giveUpOld(tx: Tx, now: Date): Promise<void> {
  const { id, state, byHand, at } = webhookDeliveries;
  const isOld = and(eq(byHand, false), lt(at, new Date(now.getTime() - deliveryMs)));
  const isLost = and(byHand, noJobFor(['send-by-hand'], { deliveryId: id }));
  const ended = await tx
    .select({ id })
    .from(webhookDeliveries)
    .where(and(eq(state, 'waiting'), or(isOld, isLost)));
  const ids = ended.map((each) => each.id);
  if (ids.length > 0)
    await tx.update(webhookDeliveries).set({ state: 'failed', byHand: false }).where(inArray(id, ids));
}
