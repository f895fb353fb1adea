import type { Logger } from 'pino';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/db/db.ts';
import type { SendMail } from '#server/features/mail/mail.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { Payments } from '#server/ports/payments/port.ts';
import type { Sync } from './sync.ts';
import type { InTurn } from './turns.ts';

export interface PaymentOptions {
  db: Database;
  jobs: Jobs;
  payments: Payments;
  sendMail: SendMail;
  config: Pick<Config, 'publicUrl' | 'trialDays'>;
  log: Logger;
  /** The provider's time. */
  clock: () => Date;
}

/** What the parts of payment work with. */
export interface PaymentDeps extends PaymentOptions {
  inTurn: InTurn;
  sync: Sync;
}
