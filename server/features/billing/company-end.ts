import { eq } from '#server/db/drizzle.ts';
import { companies } from '#server/db/schema.ts';
import { customerOf } from './customer.ts';
import type { PaymentDeps } from './deps.ts';
import { currentOf } from './sync.ts';

const charging = ['active', 'trialing', 'past_due', 'unpaid', 'paused'];

/** What the end of a company means for its subscription. */
export function createCompanyEndAtProvider({ payments, inTurn, sync }: PaymentDeps) {
  return {
    /**
     * Cancels the subscription of a company that ends, so that nothing more is charged, and takes that back where the
     * end was taken back; what was canceled before stays so. Safe to repeat.
     */
    settleCharging: (companyId: string): Promise<void> =>
      inTurn(companyId, async (tx) => {
        const [company] = await tx.select().from(companies).where(eq(companies.id, companyId)).for('no key update');
        const customerId = await customerOf(tx, companyId);
        if (!company || customerId === null) return;
        const ends = company.endsAt !== null;
        if (ends === company.chargingStopped) return;
        const found = currentOf(await payments.subscriptions(customerId));
        const isRunning = found !== null && charging.includes(found.state);
        if (ends && (!isRunning || found.endsAt !== null)) return;
        if (ends && found) await payments.cancel(found);
        // One whose period is over meanwhile can't be resumed: it has to be bought anew.
        else if (isRunning) await payments.resume(found);
        await tx.update(companies).set({ chargingStopped: ends }).where(eq(companies.id, companyId));
        await sync.write(tx, companyId);
      }),

    /** Removes the company at the provider, with its card and whatever is left of its subscription. Safe to repeat. */
    forgetCustomer: (companyId: string): Promise<void> =>
      inTurn(companyId, async (tx) => {
        const customerId = await customerOf(tx, companyId);
        if (customerId === null) return;
        for (const { id } of await payments.openCheckouts(customerId)) await payments.closeCheckout(id);
        await payments.forgetCustomer(customerId);
      }),
  };
}
