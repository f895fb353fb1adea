import { and, eq } from 'drizzle-orm';
import type { Entitlements } from '#contract/entitlements.ts';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { subscriptions, users } from '#server/db/schema.ts';
import { earliestIssue, type TokenVerifier, type VerifiedToken } from '#server/ports/identity/port.ts';

/**
 * Makes an actor of a bearer. Role and company of the token come before those of the user record; the record decides
 * whether the person is still there and the token not too old. Where nobody but us sets what tokens claim, one that says
 * another role than the record is too old.
 */
export function createAuthenticate(options: {
  db: Database;
  verifier: TokenVerifier;
  /** What a company may do, by the row of its subscription; null where it has none. */
  entitlements: (subscription: typeof subscriptions.$inferSelect | null) => Entitlements;
}): (bearer: string) => Promise<Actor> {
  const { db, verifier, entitlements } = options;

  return async (bearer) => {
    const token = await verifier.verify(bearer);
    const read = async (tx: Tx) => {
      const ofCompany = token.companyId === undefined ? undefined : eq(users.companyId, token.companyId);
      const [found] = await tx
        .select({ user: users, subscription: subscriptions })
        .from(users)
        .leftJoin(subscriptions, eq(subscriptions.companyId, users.companyId))
        .where(and(eq(users.providerUid, token.uid), ofCompany));
      if (found?.user.state !== 'active') throw new AppError('session-expired');
      const { user, subscription } = found;
      if (token.issuedAt < earliestIssue(user.tokensValidSince)) throw new AppError('session-expired');
      if (isOutdated(token, user)) throw new AppError('session-expired');
      return { user, subscription };
    };
    const { user, subscription } = await (token.companyId === undefined
      ? db.asSystem(read)
      : db.asCompany(token.companyId, read));
    return {
      userId: user.id,
      email: user.email,
      companyId: user.companyId,
      role: token.role ?? user.role,
      authenticatedAt: token.authenticatedAt,
      sessionId: token.sessionId,
      entitlements: entitlements(subscription),
    };
  };

  /**
   * Whether the token's role is one that we have taken away. Times alone can't tell: a token may be made while the change
   * waits for its commit, and be newer than it.
   */
  function isOutdated({ role, issuedAt }: VerifiedToken, user: typeof users.$inferSelect): boolean {
    if (role === undefined || role === user.role) return false;
    const { claimsDue, claimsToldAt } = user;
    return verifier.claimsAreOurs || claimsDue || (claimsToldAt !== null && issuedAt <= claimsToldAt);
  }
}
