import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { and, eq, gt, isNull, lte } from '#server/db/drizzle.ts';
import { identityAccounts, identityCodes } from '#server/db/schema.ts';
import type { CodePurpose } from '../port.ts';
import type { Account } from './accounts.ts';
import { endAllOf, lockedAccount } from './sessions.ts';

const lifetimeMs: Record<CodePurpose, number> = { reset: 3_600_000, invite: 7 * 86_400_000 };

interface Found {
  account: Account;
  purpose: CodePurpose;
}

/** Codes of mailed links: 256 random bits, stored as hashes, each of use once and for its time. */
export function codesIn(db: Database, clock: () => number) {
  const open = (code: string) => {
    const ofCode = eq(identityCodes.codeHash, hashOf(code));
    return and(ofCode, isNull(identityCodes.usedAt), gt(identityCodes.expiresAt, new Date(clock())));
  };

  return {
    /** A new invitation ends the earlier ones: only the newest mail is to be followed. */
    async create(uid: string, purpose: CodePurpose): Promise<{ code: string; expiresAt: Date }> {
      const code = randomBytes(32).toString('base64url');
      const expiresAt = new Date(clock() + lifetimeMs[purpose]);
      await db.asSystem(async (tx) => {
        if (purpose === 'invite') {
          await lockedAccount(tx, uid);
          await tx.delete(identityCodes).where(and(eq(identityCodes.uid, uid), eq(identityCodes.purpose, purpose)));
        }
        await tx.insert(identityCodes).values({ codeHash: hashOf(code), uid, purpose, expiresAt });
      });
      return { code, expiresAt };
    },

    /** @throws AppError `invalid-code` */
    async find(code: string): Promise<Found> {
      const [found] = await db.asSystem((tx) =>
        tx
          .select({ account: identityAccounts, purpose: identityCodes.purpose })
          .from(identityCodes)
          .innerJoin(identityAccounts, eq(identityAccounts.uid, identityCodes.uid))
          .where(open(code)),
      );
      if (!found) throw new AppError('invalid-code');
      return found;
    },

    /**
     * Uses the code up: sets the password, ends all sessions and every other code of the person.
     * @param passwordOf the hash to store (null: the password is kept elsewhere); what it throws leaves the code as it
     * was.
     * @throws AppError `invalid-code`
     */
    use: (code: string, passwordOf: (uid: string) => Promise<string | null>): Promise<Found> =>
      db.asSystem(async (tx) => {
        const [named] = await tx.select({ uid: identityCodes.uid }).from(identityCodes).where(open(code));
        if (!named) throw new AppError('invalid-code');
        // Before any of the person's codes: two that are used at once would each wait for the other's code.
        await lockedAccount(tx, named.uid);
        const now = new Date(clock());
        // The condition is looked at again under the row's lock: of several at once one finds it unused.
        const [used] = await tx.update(identityCodes).set({ usedAt: now }).where(open(code)).returning();
        if (!used) throw new AppError('invalid-code');
        const { uid, purpose } = used;
        const passwordHash = await passwordOf(uid);
        await endAllOf(tx, uid, clock);
        const ofPerson = eq(identityAccounts.uid, uid);
        const [account] = await tx.update(identityAccounts).set({ passwordHash }).where(ofPerson).returning();
        if (!account) throw new AppError('invalid-code');
        await tx.delete(identityCodes).where(and(eq(identityCodes.uid, uid), isNull(identityCodes.usedAt)));
        return { account, purpose };
      }),

    /** Removes codes that have expired. */
    async sweep(): Promise<void> {
      await db.asSystem((tx) => tx.delete(identityCodes).where(lte(identityCodes.expiresAt, new Date(clock()))));
    },
  };
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
