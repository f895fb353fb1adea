import type { Entitlements } from '#contract/entitlements.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import type { SendMail } from '#server/features/mail/mail.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { Outbound } from '#server/lib/outbound.ts';
import type { Sealer } from '#server/lib/sealed.ts';

export interface WebhooksDeps {
  db: Database;
  jobs: Jobs;
  outbound: Outbound;
  sealer: Sealer;
  sendMail: SendMail;
  config: Pick<Config, 'publicUrl' | 'outboundAllowed'>;
  entitled: (tx: Tx, companyId: string) => Promise<Entitlements>;
  /** @throws AppError `recent-sign-in-required` */
  requireRecentSignIn: (actor: Actor) => void;
  /** By which events wait for their next try, and are given up. */
  clock: () => Date;
}

/** Who does something to a webhook, and from where. */
export type By = Actor & { ip: string };
