import type { CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { users } from '#server/db/schema.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import type { createSecondFactor } from './second-factor/second-factor.ts';
import { wireUser } from './sessions/sessions.ts';

/** What people decide about their own account, the password apart. */
export function createAccount({
  db,
  provider,
  secondFactor,
}: {
  db: Database;
  provider: IdentityProvider;
  secondFactor: Pick<ReturnType<typeof createSecondFactor>, 'told'>;
}) {
  return {
    /** @param displayName empty: the person is called by the e-mail again. */
    async setDisplayName(
      { companyId, userId, role }: Actor,
      displayName: string,
    ): Promise<CallOutput<'setDisplayName'>> {
      const changes = { displayName: displayName === '' ? null : displayName };
      const [user] = await db.asCompany(companyId, (tx) =>
        tx.update(users).set(changes).where(eq(users.id, userId)).returning(),
      );
      if (!user) throw new AppError('session-expired');
      return { ...wireUser(user), role };
    },

    getAccountSecurity: (actor: Actor): Promise<CallOutput<'getAccountSecurity'>> =>
      db.asCompany(actor.companyId, (tx) => told(tx, actor)),

    setSignInMails: (actor: Actor, signInMails: boolean): Promise<CallOutput<'setSignInMails'>> =>
      db.asCompany(actor.companyId, async (tx) => {
        await tx.update(users).set({ signInMails }).where(eq(users.id, actor.userId));
        return told(tx, actor);
      }),
  };

  async function told(tx: Tx, actor: Actor): Promise<CallOutput<'getAccountSecurity'>> {
    const [user] = await tx.select({ signInMails: users.signInMails }).from(users).where(eq(users.id, actor.userId));
    if (!user) throw new AppError('session-expired');
    const outsideProvider = !provider.claimsAreOurs;
    return { ...user, outsideProvider, secondFactor: await secondFactor.told(tx, actor) };
  }
}
