import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq } from '#server/db/drizzle.ts';
import { passkeyChallenges, recoveryCodes, secondFactors, users } from '#server/db/schema.ts';
import { type AuditActor, audit } from '#server/features/audit/audit.ts';
import type { SendMail } from '#server/features/mail/mail.ts';
import { endOfTokens, type IdentityProvider } from '#server/ports/identity/port.ts';
import { requireRecentSignIn } from '../recent-sign-in.ts';
import { noteEnds } from '../sessions/session-records.ts';

/** For those who have lost their second factor: an admin takes it away. */
export function createReset(deps: {
  db: Database;
  provider: IdentityProvider;
  sendMail: SendMail;
  config: Pick<Config, 'publicUrl'>;
  clock: () => Date;
}) {
  const { db, provider, sendMail, config, clock } = deps;
  /** @throws AppError `own-account`, `user-not-found`, `recent-sign-in-required` */
  return async (by: Actor & { ip: string }, userId: string): Promise<{ message: string }> => {
    requireRecentSignIn(by, undefined, clock().getTime());
    if (userId === by.userId) throw new AppError('own-account');
    const { companyId } = by;
    const user = await db.asCompany(companyId, async (tx) => {
      const taken = await takeSecondFactor(tx, { companyId, userId }, { by, at: clock() });
      if (taken?.state !== 'active') throw new AppError('user-not-found');
      await db.notify(tx, 'people', { userId });
      const url = `${config.publicUrl}/login`;
      const words = { what: 'reset', url } as const;
      await sendMail(tx, {
        to: taken.email,
        companyId,
        words: (texts, name) => texts.secondFactorChanged(name, words),
      });
      return taken;
    });
    if (user.providerUid !== null) await provider.revoke(user.providerUid);
    return { message: `"${user.email}" can sign in without a second factor.` };
  };
}

/** Takes a person's second factor away, and ends their tokens. @returns the person; null: there is none. */
export async function takeSecondFactor(
  tx: Tx,
  { companyId, userId }: { companyId: string; userId: string },
  { by, at }: { by: AuditActor | { companyId: string }; at: Date },
): Promise<typeof users.$inferSelect | null> {
  const [user] = await tx
    .update(users)
    .set({ tokensValidSince: endOfTokens(at) })
    .where(and(eq(users.companyId, companyId), eq(users.id, userId)))
    .returning();
  if (!user) return null;
  for (const table of [secondFactors, recoveryCodes, passkeyChallenges])
    await tx.delete(table).where(and(eq(table.companyId, companyId), eq(table.userId, userId)));
  await noteEnds(tx, { companyId, userId, at });
  await audit(tx, { action: 'second-factor-reset', by, target: user.email, at });
  return user;
}
