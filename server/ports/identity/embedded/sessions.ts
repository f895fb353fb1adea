import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, gt, isNull, lte, type SQL } from '#server/db/drizzle.ts';
import { identityAccounts, identityRefreshTokens } from '#server/db/schema.ts';
import { endOfTokens, type RefreshToken } from '../port.ts';
import type { Account } from './accounts.ts';

const lifetimeMs = 30 * 86_400_000;
/** How long a spent token still gets its successor: two tabs, or a reply lost on the way, must not end a session. */
const replayMs = 30_000;
/** More exchanges than this within the time of a replay are no browser's. */
const maxChain = 10;

export interface Session {
  account: Account;
  /** The same from the sign-in on, whatever token it has come to. */
  familyId: string;
  authenticatedAt: Date;
  refreshToken: RefreshToken;
  /**
   * When all this was so, under the account's lock (ms since the epoch): whatever ends the session later is not before
   * it.
   */
  at: number;
}

interface Family {
  uid: string;
  familyId: string;
  authenticatedAt: Date;
}

/**
 * Sessions as families of refresh tokens, each exchanged for its successor at every use. Only their hashes are stored.
 * @param secret derives successors, so that a replay can be answered the same one without anything secret being stored.
 */
export function sessionsIn(db: Database, secret: Uint8Array, clock: () => number) {
  const successorOf = (token: string) => createHmac('sha256', secret).update(token).digest('base64url');

  async function store(tx: Tx, value: string, { uid, familyId, authenticatedAt }: Family): Promise<RefreshToken> {
    const expiresAt = new Date(clock() + lifetimeMs);
    const tokenHash = hashOf(value);
    await tx.insert(identityRefreshTokens).values({ tokenHash, uid, familyId, authenticatedAt, expiresAt });
    return { value, expiresAt };
  }

  /** The unspent token at the end of the chain, which may have gone on by a step or two within the time of a replay. */
  async function newestAfter(tx: Tx, token: string): Promise<RefreshToken | null> {
    let value = token;
    for (let step = 0; step < maxChain; step += 1) {
      value = successorOf(value);
      const next = await find(tx, value);
      if (!next || next.revokedAt) return null;
      if (next.usedAt === null) return { value, expiresAt: next.expiresAt };
    }
    return null;
  }

  /** @returns which it was; null when it had ended before. */
  async function endFamily(tx: Tx, familyId: string): Promise<Family | null> {
    const [ended] = await tx
      .update(identityRefreshTokens)
      .set({ revokedAt: new Date(clock()) })
      .where(and(eq(identityRefreshTokens.familyId, familyId), isNull(identityRefreshTokens.revokedAt)))
      .returning({
        uid: identityRefreshTokens.uid,
        familyId: identityRefreshTokens.familyId,
        authenticatedAt: identityRefreshTokens.authenticatedAt,
      });
    return ended ?? null;
  }

  async function any(tokens: SQL | undefined): Promise<boolean> {
    const { familyId } = identityRefreshTokens;
    const found = await db.asSystem((tx) => tx.select({ familyId }).from(identityRefreshTokens).where(tokens).limit(1));
    return found.length > 0;
  }

  return {
    /** Whether such a session goes on. */
    async isOpen(uid: string, which: WhichSession): Promise<boolean> {
      const { revokedAt, expiresAt } = identityRefreshTokens;
      return any(and(are(uid, which), isNull(revokedAt), gt(expiresAt, new Date(clock()))));
    },

    /** Whether there is one, going on or ended. */
    isKnown: (uid: string, which: WhichSession): Promise<boolean> => any(are(uid, which)),

    /**
     * @param authenticatedAt now, unless somebody else has looked at the password. Starts a session; null when the
     * password that was just checked has been changed meanwhile, or the person removed.
     */
    start: (checked: Account, authenticatedAt = new Date(clock())): Promise<Session | null> =>
      db.asSystem(async (tx) => {
        const account = await lockedAccount(tx, checked.uid);
        if (!account || account.passwordHash !== checked.passwordHash) return null;
        const at = clock();
        const value = randomBytes(32).toString('base64url');
        const family = { uid: account.uid, familyId: randomUUID(), authenticatedAt };
        return { account, ...family, refreshToken: await store(tx, value, family), at };
      }),

    /**
     * Exchanges a refresh token for its successor. A spent one gets the newest token for 30 s; later it is taken
     * for stolen, and its whole family ends. Says null (and does not throw: the end must be committed) when the session
     * is over.
     */
    rotate: (token: string): Promise<Session | null> =>
      db.asSystem(async (tx) => {
        const named = await find(tx, token);
        // Accounts are locked before tokens, here as in `endAll`: the other way round two of them wait for each other.
        const account = named && (await lockedAccount(tx, named.uid));
        const found = account && (await find(tx, token, true));
        const now = clock();
        if (!found || found.revokedAt || found.expiresAt.getTime() <= now) return null;
        const { authenticatedAt, familyId } = found;
        const value = successorOf(token);
        if (found.usedAt === null) {
          await tx
            .update(identityRefreshTokens)
            .set({ usedAt: new Date(now) })
            .where(eq(identityRefreshTokens.tokenHash, found.tokenHash));
          return { account, familyId, authenticatedAt, refreshToken: await store(tx, value, found), at: now };
        }
        if (now - found.usedAt.getTime() <= replayMs) {
          const newest = await newestAfter(tx, token);
          if (newest) return { account, familyId, authenticatedAt, refreshToken: newest, at: now };
        }
        await endFamily(tx, found.familyId);
        return null;
      }),

    /** The session as it is now; null when it has ended. */
    still: (session: Session): Promise<Session | null> =>
      db.asSystem(async (tx) => {
        const account = await lockedAccount(tx, session.account.uid);
        const ofFamily = eq(identityRefreshTokens.familyId, session.familyId);
        const [alive] = await tx
          .select({ familyId: identityRefreshTokens.familyId })
          .from(identityRefreshTokens)
          .where(and(ofFamily, isNull(identityRefreshTokens.revokedAt)))
          .limit(1);
        return account && alive ? { ...session, account, at: clock() } : null;
      }),

    /** Those of a person that go on. */
    open: async (uid: string): Promise<Pick<Family, 'familyId' | 'authenticatedAt'>[]> => {
      const { revokedAt, expiresAt, familyId, authenticatedAt } = identityRefreshTokens;
      const goingOn = and(
        eq(identityRefreshTokens.uid, uid),
        isNull(revokedAt),
        isNull(identityRefreshTokens.usedAt),
        gt(expiresAt, new Date(clock())),
      );
      return db.asSystem((tx) => tx.select({ familyId, authenticatedAt }).from(identityRefreshTokens).where(goingOn));
    },

    /** Ends those of a person that are meant. */
    endThose: (uid: string, which: WhichSession): Promise<void> =>
      db.asSystem(async (tx) => {
        // Under the lock that an exchange waits for: the token that it would make is refused, too.
        await lockedAccount(tx, uid);
        await tx
          .update(identityRefreshTokens)
          .set({ revokedAt: new Date(clock()) })
          .where(and(are(uid, which), isNull(identityRefreshTokens.revokedAt)));
      }),

    end: (token: string): Promise<Family | null> =>
      db.asSystem(async (tx) => {
        const named = await find(tx, token);
        if (!named) return null;
        // Under an exchange's lock: what it makes ends, too.
        await lockedAccount(tx, named.uid);
        return endFamily(tx, named.familyId);
      }),

    endAll: (uid: string): Promise<void> => db.asSystem((tx) => endAllOf(tx, uid, clock)),

    /** Removes tokens that have expired. */
    async sweep(): Promise<void> {
      const now = new Date(clock());
      await db.asSystem((tx) => tx.delete(identityRefreshTokens).where(lte(identityRefreshTokens.expiresAt, now)));
    },
  };
}

/** By its id, or by when its person signed in. */
type WhichSession = { familyId: string } | { authenticatedAt: Date };

function are(uid: string, which: WhichSession): SQL | undefined {
  const { familyId, authenticatedAt } = identityRefreshTokens;
  const same = 'familyId' in which ? eq(familyId, which.familyId) : eq(authenticatedAt, which.authenticatedAt);
  return and(eq(identityRefreshTokens.uid, uid), same);
}

/** Ends all sessions of a person; tokens made from now on are dated after it. */
export async function endAllOf(tx: Tx, uid: string, clock: () => number): Promise<void> {
  // The time is read under the lock: a session that goes on just before has its token dated before.
  await lockedAccount(tx, uid);
  const now = new Date(clock());
  await tx
    .update(identityAccounts)
    .set({ tokensFrom: endOfTokens(now) })
    .where(eq(identityAccounts.uid, uid));
  await tx
    .update(identityRefreshTokens)
    .set({ revokedAt: now })
    .where(and(eq(identityRefreshTokens.uid, uid), isNull(identityRefreshTokens.revokedAt)));
}

/** Locked, so that no session starts or goes on while the person's sessions end. */
export async function lockedAccount(tx: Tx, uid: string): Promise<Account | undefined> {
  const [account] = await tx.select().from(identityAccounts).where(eq(identityAccounts.uid, uid)).for('update');
  return account;
}

/** Locked where it is to be exchanged, so that of two exchanges at once the second one sees what the first has done. */
async function find(tx: Tx, token: string, locked = false) {
  const named = tx
    .select()
    .from(identityRefreshTokens)
    .where(eq(identityRefreshTokens.tokenHash, hashOf(token)));
  const [row] = await (locked ? named.for('update') : named);
  return row;
}

/** A token has 256 random bits: a plain hash can't be searched, and is found by an index. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
