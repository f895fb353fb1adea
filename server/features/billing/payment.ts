import type { Logger } from 'pino';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/db.ts';
import type { SendMail } from '#server/features/mail/mail.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { Payments } from '#server/ports/payments/port.ts';
import { createCheckout } from './checkout.ts';
import { createEvents } from './events.ts';
import { overviewOf } from './overview.ts';
import { createPlanChange } from './plan-change.ts';
import { createSync, type Sync } from './sync.ts';
import { createTurns, type InTurn } from './turns.ts';

export interface PaymentOptions {
  db: Database;
  jobs: Jobs;
  payments: Payments;
  sendMail: SendMail;
  config: Pick<Config, 'publicUrl' | 'branding' | 'trialDays'>;
  log: Logger;
  /** The provider's time. */
  clock: () => Date;
}

/** What the parts of payment work with. */
export interface PaymentDeps extends PaymentOptions {
  inTurn: InTurn;
  sync: Sync;
}

export type Payment = ReturnType<typeof createPayment>;

/** Everything that reaches the payment provider. */
export function createPayment(options: PaymentOptions) {
  const inTurn = createTurns(options.db);
  const sync = createSync({ ...options, inTurn });
  const deps: PaymentDeps = { ...options, inTurn, sync };
  return {
    sync: sync.sync,
    syncAll: sync.syncAll,
    takeEvent: createEvents(options),
    checkout: createCheckout(deps),
    planChange: createPlanChange(deps),
    overview: (companyId: string) => overviewOf(deps, companyId),
  };
}
