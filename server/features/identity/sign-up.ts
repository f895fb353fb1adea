import { randomUUID } from 'node:crypto';
import type { ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { addressKey } from '#server/calls/limits.ts';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/db/db.ts';
import { and, eq } from '#server/db/drizzle.ts';
import { identityLeftovers, users } from '#server/db/schema.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { isUuid } from '#server/lib/is-uuid.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { requireCompanyName } from './company-name.ts';
import { createFirstAdmin } from './first-admin.ts';
import { removeIfLeftOver } from './leftovers.ts';
import { requireStrongPassword } from './passwords/password-policy.ts';
import { settleClaims } from './provider-account.ts';
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
  const { db, provider, config, setUpCode, clock, proves } = deps;
  const createCompany = createFirstAdmin(deps);

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
    const userId = isUuid(providerUid) ? providerUid : randomUUID();
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

  /** Removes the account where it was made for this company; what can't be removed now is by a job. */
  async function giveUp(companyId: string, uid: string): Promise<void> {
    const now = clock();
    const mine = and(eq(identityLeftovers.companyId, companyId), eq(identityLeftovers.uid, uid));
    const given = await db.asSystem((tx) => tx.update(identityLeftovers).set({ dueAt: now }).where(mine).returning());
    if (given.length > 0) await removeIfLeftOver({ db, provider }, uid, now).catch(() => {});
  }
}
