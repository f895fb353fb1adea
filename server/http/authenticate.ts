import { and, eq } from 'drizzle-orm';
import { entitlementsOf } from '#contract/entitlements.ts';
import { AppError } from '#contract/errors.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { users } from '#server/db/schema.ts';
import { subscriptionOf } from '#server/features/billing/billing.ts';
import { earliestIssue, type TokenVerifier } from '#server/ports/identity/port.ts';
import type { Actor } from './actor.ts';

/**
 * Makes an actor of a bearer. Role and company of the token come before those of the user record; the record decides
 * whether the person is still there and the token not too old.
 */
export function createAuthenticate(options: {
  db: Database;
  verifier: TokenVerifier;
  billing: 'off' | 'stripe';
  clock?: () => Date;
}): (bearer: string) => Promise<Actor> {
  const { db, verifier, billing, clock = () => new Date() } = options;

  return async (bearer) => {
    const token = await verifier.verify(bearer);
    const read = async (tx: Tx) => {
      const ofCompany = token.companyId === undefined ? undefined : eq(users.companyId, token.companyId);
      const [user] = await tx
        .select()
        .from(users)
        .where(and(eq(users.providerUid, token.uid), ofCompany));
      if (user?.state !== 'active') throw new AppError('session-expired');
      if (token.issuedAt < earliestIssue(user.tokensValidSince)) throw new AppError('session-expired');
      return { user, subscription: await subscriptionOf(tx, user.companyId) };
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
      entitlements: entitlementsOf(subscription, clock(), billing),
    };
  };
}
