import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Config } from '#server/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { companies, identityLeftovers, users } from '#server/db/schema.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { removeIfLeftOver } from './leftovers.ts';
import { requireStrongPassword } from './password-policy.ts';

/** How long a sign-up may take; what has not ended by then never will. */
const patienceMs = 120_000;

interface Account {
  uid: string;
  /** Made by this sign-up, and so removed with it when it fails. */
  ours: boolean;
}

/**
 * Makes a company with its first admin, in steps that may end anywhere: an account at the provider is written down as left
 * over before it is made, and is no longer when the company is there. The next try, or a job, removes what is left over.
 */
export function createSignUp(deps: {
  db: Database;
  provider: IdentityProvider;
  config: Pick<Config, 'signup'>;
  clock: () => Date;
  /** Whether the password is that of an account which the provider has had before us. */
  proves: (email: string, password: string) => Promise<string | null>;
}) {
  const { db, provider, config, clock, proves } = deps;

  /** @throws AppError `signup-closed`, `weak-password`, `email-already-in-use`. */
  return async ({ companyName, email, password }: ParsedInput<'signUp'>): Promise<void> => {
    // Asked before the hash is made as well as under the lock: a closed sign-up must not cost anything.
    if (config.signup === 'first' && (await db.asSystem(anyCompany))) throw new AppError('signup-closed');
    requireStrongPassword(password, { email, companyName });
    const [known] = await db.asSystem((tx) => tx.select({ id: users.id }).from(users).where(eq(users.email, email)));
    if (known) throw new AppError('email-already-in-use');
    const companyId = randomUUID();
    const account = await obtainAccount(companyId, email, password);
    try {
      await provider.setClaims(account.uid, { role: 'admin', companyId });
      await db.asSystem((tx) => createCompany(tx, { companyId, companyName, email, account }));
    } catch (error) {
      if (account.ours) await giveUp(companyId, account.uid);
      throw error;
    }
  };

  async function obtainAccount(companyId: string, email: string, password: string): Promise<Account> {
    try {
      return await createAccount(companyId, email, password);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'email-already-in-use') throw error;
    }
    const found = await provider.findUser(email);
    if (!found) throw new AppError('email-already-in-use');
    const leftover = await removeIfLeftOver({ db, provider }, found.uid, clock());
    if (leftover === 'removed') return createAccount(companyId, email, password);
    if (leftover === 'not yet') throw new AppError('email-already-in-use');
    const [used] = await db.asSystem((tx) =>
      tx.select({ id: users.id }).from(users).where(eq(users.providerUid, found.uid)),
    );
    if (used || (await proves(email, password)) !== found.uid) throw new AppError('email-already-in-use');
    return { uid: found.uid, ours: false };
  }

  async function createAccount(companyId: string, email: string, password: string): Promise<Account> {
    const uid = randomUUID();
    const dueAt = new Date(clock().getTime() + patienceMs);
    await db.asSystem((tx) => tx.insert(identityLeftovers).values({ companyId, uid, dueAt }));
    try {
      const made = await provider.createUser({ uid, email, password });
      return { uid: made.uid, ours: true };
    } catch (error) {
      // Refused for sure; after any other error there may be an account.
      if (error instanceof AppError && error.status !== 'UNAVAILABLE') await forget(companyId, uid);
      throw error;
    }
  }

  async function createCompany(
    tx: Tx,
    {
      companyId,
      companyName,
      email,
      account,
    }: { companyId: string; companyName: string; email: string; account: Account },
  ): Promise<void> {
    if (config.signup === 'first') {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('first-sign-up'))`);
      if (await anyCompany(tx)) throw new AppError('signup-closed');
    }
    if (account.ours) {
      const mine = and(eq(identityLeftovers.companyId, companyId), eq(identityLeftovers.uid, account.uid));
      const released = await tx.delete(identityLeftovers).where(mine).returning();
      // It took too long, and the account has been removed.
      if (released.length === 0) throw new AppError('unavailable');
    }
    const now = clock();
    // There are no earlier tokens to refuse: the whole second, so that the first token need not be dated ahead.
    const tokensValidSince = new Date(Math.floor(now.getTime() / 1000) * 1000);
    const id = isUuid.test(account.uid) ? account.uid : randomUUID();
    await tx.insert(companies).values({ id: companyId, name: companyName, ownerId: id });
    const [made] = await tx
      .insert(users)
      .values({ companyId, id, providerUid: account.uid, email, role: 'admin', state: 'active', tokensValidSince })
      .onConflictDoNothing()
      .returning({ id: users.id });
    if (!made) throw new AppError('email-already-in-use');
  }

  /** Removes what was made; what can't be removed now is left over, and removed later. */
  async function giveUp(companyId: string, uid: string): Promise<void> {
    const removed = await provider.deleteUser(uid).then(
      () => true,
      () => false,
    );
    if (removed) await forget(companyId, uid);
  }

  async function forget(companyId: string, uid: string): Promise<void> {
    await db.asSystem((tx) =>
      tx
        .delete(identityLeftovers)
        .where(and(eq(identityLeftovers.companyId, companyId), eq(identityLeftovers.uid, uid))),
    );
  }
}

export async function anyCompany(tx: Tx): Promise<boolean> {
  return (await tx.select({ id: companies.id }).from(companies).limit(1)).length > 0;
}

const isUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
