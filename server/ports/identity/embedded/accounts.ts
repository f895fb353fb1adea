import { AppError } from '#contract/errors.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, ne, sql } from '#server/db/drizzle.ts';
import { identityAccounts } from '#server/db/schema.ts';
import { type Claims, endOfTokens } from '../port.ts';

export type Account = typeof identityAccounts.$inferSelect;

/** Who the embedded provider knows. */
export function accountsIn(db: Database, clock: () => number) {
  const inOne = <T>(within: Tx | undefined, work: (tx: Tx) => Promise<T>) =>
    within ? work(within) : db.asSystem(work);

  return {
    async byUid(uid: string): Promise<Account | null> {
      const [account] = await db.asSystem((tx) =>
        tx.select().from(identityAccounts).where(eq(identityAccounts.uid, uid)),
      );
      return account ?? null;
    },

    async byEmail(email: string, within?: Tx): Promise<Account | null> {
      const [account] = await inOne(within, (tx) =>
        tx.select().from(identityAccounts).where(eq(identityAccounts.email, email)),
      );
      return account ?? null;
    },

    /** @throws AppError `email-already-in-use`, for a uid that is in use, too. */
    async create(account: { uid: string; email: string; passwordHash: string | null }): Promise<void> {
      const [created] = await db.asSystem((tx) =>
        tx.insert(identityAccounts).values(account).onConflictDoNothing().returning({ uid: identityAccounts.uid }),
      );
      if (!created) throw new AppError('email-already-in-use');
    },

    /** The row for an account that another provider keeps; made at first sight, and kept up to its e-mail. */
    async adopt(account: { uid: string; email: string }): Promise<Account> {
      const [adopted] = await db.asSystem(async (tx) => {
        // The e-mail may have been another account's there, which has a new one or is gone.
        await tx
          .delete(identityAccounts)
          .where(and(eq(identityAccounts.email, account.email), ne(identityAccounts.uid, account.uid)));
        return tx
          .insert(identityAccounts)
          .values(account)
          .onConflictDoUpdate({ target: identityAccounts.uid, set: { email: account.email } })
          .returning();
      });
      if (!adopted) throw new Error('the account was neither inserted nor updated');
      return adopted;
    },

    /** Sessions and codes go with it. */
    async remove(uid: string, within?: Tx): Promise<void> {
      await inOne(within, (tx) => tx.delete(identityAccounts).where(eq(identityAccounts.uid, uid)));
    },

    async setClaims(uid: string, claims: Claims, within?: Tx): Promise<void> {
      await inOne(within, async (tx) => {
        const ofUid = eq(identityAccounts.uid, uid);
        await tx.select({ uid: identityAccounts.uid }).from(identityAccounts).where(ofUid).for('update');
        const from = endOfTokens(new Date(clock()));
        await tx
          .update(identityAccounts)
          // With its first claims nobody has earlier tokens to refuse, so the next one need not be dated ahead.
          .set({
            claims,
            tokensFrom: sql`case when ${identityAccounts.claims} is null then ${identityAccounts.tokensFrom} else ${from.toISOString()}::timestamptz end`,
          })
          .where(ofUid);
      });
    },
  };
}
