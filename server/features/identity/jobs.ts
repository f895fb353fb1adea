import type { Database } from '#server/db/db.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobHandlers } from '#server/jobs/registry.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { clearEmailCodes } from './confirmation.ts';
import type { Identity } from './identity.ts';
import { clearLeftovers } from './leftovers.ts';
import { settleClaims } from './provider-account.ts';
import { clearSessions } from './sessions/session-records.ts';
import { endUnconfirmed } from './unconfirmed.ts';

/** What identity has done by jobs. */
export function identityJobs(deps: {
  db: Database;
  provider: IdentityProvider;
  jobs: Jobs;
  identity: Identity;
  /** Of connected apps, which stand above this feature: forgets what nobody needs any more. */
  sweepApps: () => Promise<void>;
  clock?: () => Date;
}) {
  const { db, provider, jobs, identity, sweepApps, clock = () => new Date() } = deps;
  return {
    'mail-password-reset': identity.mailPasswordReset,
    'mail-confirmation': identity.mailConfirmation,
    'end-unconfirmed': () => endUnconfirmed({ db, jobs, clock }),
    'clear-identities': () => clearLeftovers({ db, provider }, clock()),
    'settle-claims': async ({ companyId, userId: uid }) =>
      void (await settleClaims({ db, provider, clock }, { companyId, uid })),
    'keep-identity': async () => {
      await clearEmailCodes(db, clock());
      await clearSessions(db, clock());
      await identity.secondFactor.sweep();
      await sweepApps();
      await provider.upkeep();
    },
  } satisfies Partial<JobHandlers>;
}
