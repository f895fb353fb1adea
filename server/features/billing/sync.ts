import type { SubscriptionState } from '#contract/entitlements.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { eq, lt, sql } from '#server/db/drizzle.ts';
import { paymentCustomers, paymentEvents, subscriptions } from '#server/db/schema.ts';
import { mailAdmins, type SendMail } from '#server/features/mail/mail.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { Payments, ProviderSubscription } from '#server/ports/payments/port.ts';
import { type CompanySubscription, subscriptionOf } from './billing.ts';
import { customerOf } from './customer.ts';
import { type Notice, noticeOf, noticeWords } from './notices.ts';
import { tellChange } from './tell-change.ts';
import type { InTurn } from './turns.ts';

/** The provider sends an event for three days, and shows it for thirty. */
const eventsKeptMs = 40 * 86_400_000;

export type Sync = ReturnType<typeof createSync>;

/**
 * The one way in which a subscription comes into our tables: all of the customer's are read from the provider, and what
 * they amount to is written down. So it does not matter which events came, in which order, or how often.
 */
export function createSync(deps: {
  db: Database;
  jobs: Jobs;
  payments: Payments;
  inTurn: InTurn;
  sendMail: SendMail;
  config: Pick<Config, 'publicUrl'>;
  clock: () => Date;
}) {
  const { db, jobs, payments, inTurn, sendMail, config, clock } = deps;

  return {
    /** The job `sync-subscription`, and what the screens ask for. @throws AppError `unavailable` */
    sync: (companyId: string): Promise<CompanySubscription> =>
      inTurn(companyId, async (tx) => {
        await write(tx, companyId);
        return subscriptionOf(tx, companyId);
      }),

    /** The same within the company's turn. */
    write,

    /** The job `sync-subscriptions`, every night: what was missed is put right, and grace periods come to their end. */
    async syncAll(): Promise<void> {
      const old = lt(paymentEvents.receivedAt, new Date(Date.now() - eventsKeptMs));
      await db.asSystem(async (tx) => {
        await tx.delete(paymentEvents).where(old);
        const customers = await tx.select({ companyId: paymentCustomers.companyId }).from(paymentCustomers);
        for (const { companyId } of customers) {
          await jobs.enqueue(tx, 'sync-subscription', { companyId }, { singletonKey: companyId });
        }
      });
    },
  };

  async function write(tx: Tx, companyId: string): Promise<ProviderSubscription | null> {
    const customerId = await customerOf(tx, companyId);
    // Without a customer the provider has nothing to tell.
    if (customerId === null) return null;
    const found = currentOf(await payments.subscriptions(customerId));
    const notice = noticeOf(found, clock());
    await tellAdmins(tx, companyId, notice);
    const truth = {
      state: found?.state ?? 'none',
      plan: found?.plan ?? null,
      currentPeriodEnd: found?.paidUntil ?? null,
      pastDueSince: found?.overdueSince ?? null,
      subscriptionId: found?.id ?? null,
      priceId: found?.priceId ?? null,
      cancelAtPeriodEnd: found?.cancelAtPeriodEnd ?? false,
      endsAt: found?.endsAt ?? null,
      notified: notice?.key ?? null,
      updatedAt: new Date(),
    };
    // A trial ends in this state with its first payment.
    const paidAt = found?.state === 'active' ? clock() : null;
    await tellChange(tx, jobs, companyId, () =>
      tx
        .insert(subscriptions)
        .values({ companyId, ...truth, paidAt })
        .onConflictDoUpdate({
          target: subscriptions.companyId,
          set: { ...truth, paidAt: sql`coalesce(${subscriptions.paidAt}, excluded.paid_at)` },
        }),
    );
    return found;
  }

  async function tellAdmins(tx: Tx, companyId: string, notice: Notice | null): Promise<void> {
    if (!notice) return;
    const [row] = await tx
      .select({ notified: subscriptions.notified })
      .from(subscriptions)
      .where(eq(subscriptions.companyId, companyId));
    if (row?.notified === notice.key) return;
    await mailAdmins(tx, sendMail, companyId, noticeWords(notice, config.publicUrl));
  }
}

/** Which of a customer's subscriptions counts: the one that gives most, and of several such the newest. */
export function currentOf(all: ProviderSubscription[]): ProviderSubscription | null {
  const [first] = all.toSorted(
    (a, b) => ranks.indexOf(a.state) - ranks.indexOf(b.state) || b.createdAt.getTime() - a.createdAt.getTime(),
  );
  return first ?? null;
}

const ranks: SubscriptionState[] = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
  'incomplete',
  'incomplete_expired',
  'none',
];
