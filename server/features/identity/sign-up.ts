import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { addressKey } from '#server/calls/limits.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { companies, identityLeftovers, users } from '#server/db/schema.ts';
import { isTimeZone } from '#server/db/time-zone.ts';
import { audit } from '#server/features/audit/audit.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { requireCompanyName } from './company-name.ts';
import { removeIfLeftOver } from './leftovers.ts';
import { requireStrongPassword } from './password-policy.ts';
import { settleClaims } from './people.ts';
import { anyCompany, isSetUpCode } from './set-up.ts';

/** How long a sign-up may take; what has not ended by then never will. */
const timeoutMs = 120_000;

interface NewAccount {
  email: string;
  password: string;
  /** Whose share of the hashing it takes. */
  from: string;
}

/**
 * Makes a company with its first admin, in steps that may end anywhere: an account at the provider is written down as
 * left over before it is made, and is no longer when the company is there. The next try finishes or removes what is
 * left over, or a job does.
 */
export function createSignUp(deps: {
  db: Database;
  provider: IdentityProvider;
  config: Pick<Config, 'signup'>;
  jobs: Jobs;
  /** Without it nobody creates the first company; null: none is needed. */
  setUpCode: string | null;
  clock: () => Date;
  /** The account at the provider that has this password. Counted as a guess. */
  proves: (email: string, password: string) => Promise<string | null>;
}) {
  const { db, provider, config, jobs, setUpCode, clock, proves } = deps;

  /**
   * @throws AppError `signup-closed`, `set-up-code-required`, `invalid-company-name`, `weak-password`,
   * `email-already-in-use`.
   */
  return async (
    { companyName, email, password, setupCode, timeZone }: ParsedInput<'signUp'>,
    ip: string,
  ): Promise<void> => {
    // Asked before the hash is made as well as under the lock: a closed sign-up must not cost anything.
    if (config.signup === 'first' && (await db.asSystem(anyCompany))) throw new AppError('signup-closed');
    if (setUpCode !== null && !isSetUpCode(setupCode, setUpCode)) throw new AppError('set-up-code-required');
    requireCompanyName(companyName);
    requireStrongPassword(password, { email, companyName });
    const [known] = await db.asSystem((tx) => tx.select({ id: users.id }).from(users).where(eq(users.email, email)));
    if (known) throw new AppError('email-already-in-use');
    const companyId = randomUUID();
    const providerUid = await obtainAccount(companyId, { email, password, from: addressKey(ip) });
    const userId = isUuid.test(providerUid) ? providerUid : randomUUID();
    try {
      await db.asSystem((tx) =>
        createCompany(tx, { companyId, companyName, timeZone, userId, email, providerUid, ip }),
      );
    } catch (error) {
      await giveUp(companyId, providerUid);
      throw error;
    }
    await settleClaims({ db, provider, clock }, { companyId, uid: userId });
  };

  async function obtainAccount(companyId: string, account: NewAccount): Promise<string> {
    const { email, password } = account;
    try {
      return await createAccount(companyId, account);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'email-already-in-use') throw error;
    }
    const found = await provider.findUser(email);
    if (!found) throw new AppError('email-already-in-use');
    if ((await removeIfLeftOver({ db, provider }, found.uid, clock())) === 'removed') {
      return createAccount(companyId, account);
    }
    // Half-made a moment ago, or the provider has had it before us: whoever knows its password goes on with it.
    const [used] = await db.asSystem((tx) =>
      tx.select({ id: users.id }).from(users).where(eq(users.providerUid, found.uid)),
    );
    if (used || (await proves(email, password)) !== found.uid) throw new AppError('email-already-in-use');
    return found.uid;
  }

  async function createAccount(companyId: string, account: NewAccount): Promise<string> {
    const uid = randomUUID();
    const dueAt = new Date(clock().getTime() + timeoutMs);
    await db.asSystem((tx) => tx.insert(identityLeftovers).values({ companyId, uid, dueAt }));
    try {
      return (await provider.createUser({ uid, ...account })).uid;
    } catch (error) {
      // Refused for sure; after any other error there may be an account.
      if (error instanceof AppError && error.status !== 'UNAVAILABLE') await giveUp(companyId, uid);
      throw error;
    }
  }

  async function createCompany(
    tx: Tx,
    made: {
      companyId: string;
      companyName: string;
      timeZone: string | undefined;
      userId: string;
      email: string;
      providerUid: string;
      ip: string;
    },
  ): Promise<void> {
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
    if (!released && (await provider.findUser(email))?.uid !== providerUid) throw new AppError('unavailable');
  }

  /** Removes the account where it was made for this company; what can't be removed now is by a job. */
  async function giveUp(companyId: string, uid: string): Promise<void> {
    const now = clock();
    const mine = and(eq(identityLeftovers.companyId, companyId), eq(identityLeftovers.uid, uid));
    const given = await db.asSystem((tx) => tx.update(identityLeftovers).set({ dueAt: now }).where(mine).returning());
    if (given.length > 0) await removeIfLeftOver({ db, provider }, uid, now).catch(() => {});
  }
}

const isUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
