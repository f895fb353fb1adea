import { createCheckout } from './checkout.ts';
import { createCompanyEndAtProvider } from './company-end.ts';
import type { PaymentDeps, PaymentOptions } from './deps.ts';
import { createEvents } from './events.ts';
import { overviewOf } from './overview.ts';
import { createPlanChange } from './plan-change.ts';
import { createSync } from './sync.ts';
import { createBillingTurns } from './turns.ts';

export type Payment = ReturnType<typeof createPayment>;

/** Everything that reaches the payment provider. */
export function createPayment(options: PaymentOptions) {
  const inTurn = createBillingTurns(options.db);
  const sync = createSync({ ...options, inTurn });
  const deps: PaymentDeps = { ...options, inTurn, sync };
  return {
    sync: sync.sync,
    syncAll: sync.syncAll,
    takeEvent: createEvents(options),
    checkout: createCheckout(deps),
    planChange: createPlanChange(deps),
    companyEnd: createCompanyEndAtProvider(deps),
    /** Closes what waits to be paid, for a company that has ended. */
    async closePages(customerId: string): Promise<void> {
      for (const { id } of await options.payments.openCheckouts(customerId)) await options.payments.closeCheckout(id);
    },
    overview: (companyId: string) => overviewOf(deps, companyId),
  };
}
