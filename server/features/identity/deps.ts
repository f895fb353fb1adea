import type { Branding } from '#contract/calls/identity.ts';
import type { CallOutput } from '#contract/calls.ts';
import type { Subscription } from '#contract/entitlements.ts';
import type { Limits } from '#server/calls/limits.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import type { SendMail } from '#server/features/mail/mail.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { Outbound } from '#server/lib/outbound.ts';
import type { Sealer } from '#server/lib/sealed.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import type { ResolveTxt } from './single-sign-on/domains.ts';

/** What identity is made of. */
export interface IdentityDeps {
  db: Database;
  provider: IdentityProvider;
  jobs: Jobs;
  limits: Limits;
  config: Pick<Config, 'publicUrl' | 'signup' | 'billing' | 'branding' | 'brandHosts' | 'maxFileBytes' | 'rates'>;
  /** Seals the marks of browsers. */
  deviceSecret: Uint8Array;
  sendMail: SendMail;
  /** Keeps secrets of second factors. */
  sealer: Sealer;
  /** Without it nobody creates the first company; null: none is needed. */
  setUpCode: string | null;
  /** To the providers of companies. */
  outbound: Outbound;
  /** Where companies prove their domains. */
  resolveTxt: ResolveTxt;
  /** Of team, which stands above this feature: under the company's lock. @throws AppError `seats-used-up` */
  requireSeat: (tx: Tx, companyId: string, now: Date) => Promise<void>;
  /** Of team and billing, which stand above this feature. */
  seatsUsed: (tx: Tx) => Promise<number>;
  subscriptionOf: (tx: Tx, companyId: string) => Promise<Subscription>;
  /** Of answers, which stands above it, too: what the chat screen shows of the assistant. */
  agentShown: (tx: Tx) => Promise<CallOutput<'getSession'>['assistant']>;
  /** Of the settings, which stand above it, too: how the product is shown to the company's people. */
  brandingOf: (tx: Tx, companyId: string) => Promise<Branding>;
  /** Of the settings: how it is shown under a host name, whoever asks; never fails. */
  brandingAt: (host: string) => Promise<Branding>;
  clock?: () => Date;
}
