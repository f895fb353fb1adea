import { AppError } from '#contract/errors.ts';
import type { Config } from '#server/config/config.ts';
import type { Tx } from '#server/db/db.ts';
import { eq, sql } from '#server/db/drizzle.ts';
import { companies, identityLeftovers, users } from '#server/db/schema.ts';
import { isTimeZone } from '#server/db/time-zone.ts';
import { audit } from '#server/features/audit/audit.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { anyCompany } from './set-up.ts';

interface NewCompany {
  companyId: string;
  companyName: string;
  timeZone: string | undefined;
  userId: string;
  email: string;
  providerUid: string;
  ip: string;
}

interface FirstAdminDeps {
  provider: IdentityProvider;
  config: Pick<Config, 'signup'>;
  jobs: Jobs;
  clock: () => Date;
}

/** The records of a company with its first admin, whose account at the provider is there. */
export function createFirstAdmin({ provider, config, jobs, clock }: FirstAdminDeps) {
  /** @throws AppError `signup-closed`, `email-already-in-use`, `unavailable` */
  return async function createCompany(tx: Tx, made: NewCompany): Promise<void> {
    const { companyId, companyName, userId: id, email, providerUid, ip } = made;
    if (config.signup === 'first') {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('first-sign-up'))`);
      if (await anyCompany(tx)) throw new AppError('signup-closed');
    }
    const now = clock();
    // There are no earlier tokens to refuse: the whole second, so that the first token need not be dated ahead.
    const tokensValidSince = new Date(Math.floor(now.getTime() / 1000) * 1000);
    // Where only the first may sign up, nobody is taken in by an address: it is the operator's.
    const emailConfirmedAt = config.signup === 'open' ? null : now;
    const dates = { tokensValidSince, emailConfirmedAt, createdAt: now };
    const admin = { role: 'admin', state: 'active', claimsDue: true, ...dates } as const;
    const timeZone = made.timeZone !== undefined && (await isTimeZone(tx, made.timeZone)) ? made.timeZone : 'UTC';
    await tx.insert(companies).values({ id: companyId, name: companyName, ownerId: id, timeZone });
    const [user] = await tx
      .insert(users)
      .values({ companyId, id, providerUid, email, ...admin })
      .onConflictDoNothing()
      .returning({ id: users.id });
    if (!user) throw new AppError('email-already-in-use');
    const by = { companyId, userId: id, email, ip };
    await audit(tx, { action: 'signed-up', by, target: companyName, at: now, via: 'visitor' });
    if (!emailConfirmedAt) await jobs.enqueue(tx, 'mail-confirmation', { companyId, userId: id });
    const [released] = await tx
      .delete(identityLeftovers)
      .where(eq(identityLeftovers.uid, providerUid))
      .returning({ companyId: identityLeftovers.companyId });
    // It took too long, and the account has been removed.
    if (!released && (await provider.findUser(email, tx))?.uid !== providerUid) throw new AppError('unavailable');
  };
}
