import { AppError } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { paymentCustomers, paymentEvents } from '#server/db/schema.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { Payments } from '#server/ports/payments/port.ts';

/** What can change a subscription. Everything else is taken and forgotten. */
const ofInterest = /^(checkout\.session|customer\.subscription|invoice|subscription_schedule)\./;

/**
 * Takes what came to the webhook address. An event is a hint, nothing more: once it is stored, a job reads the
 * customer's state from the provider. It resolves when that is sure to happen, so that whoever sent it can forget it.
 * @throws AppError `bad-signature`, `unknown-customer`; `unavailable` when it could not be stored
 */
export function createEvents({ db, jobs, payments }: { db: Database; jobs: Jobs; payments: Payments }) {
  return async (body: Buffer, signature: string): Promise<void> => {
    const event = payments.readEvent(body, signature);
    if (!event) throw new AppError('bad-signature');
    const { id, type, customerId } = event;
    if (customerId === null || !ofInterest.test(type)) return;
    await db.asSystem(async (tx) => {
      const ofCustomer = eq(paymentCustomers.customerId, customerId);
      const [customer] = await tx.select().from(paymentCustomers).where(ofCustomer);
      if (!customer) throw new AppError('unknown-customer');
      const { companyId } = customer;
      const stored = await tx.insert(paymentEvents).values({ companyId, id, type }).onConflictDoNothing().returning();
      if (stored.length > 0) await jobs.enqueue(tx, 'sync-subscription', { companyId }, { singletonKey: companyId });
    });
  };
}
