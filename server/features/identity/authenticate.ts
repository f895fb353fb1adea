import { sql } from 'drizzle-orm';
import type { Entitlements } from '#contract/entitlements.ts';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Database } from '#server/db/db.ts';
import { keptStatement } from '#server/db/kept-statement.ts';
import { subscriptions, users } from '#server/db/schema.ts';
import { earliestIssue, type TokenVerifier, type VerifiedToken } from '#server/ports/identity/port.ts';

type User = typeof users.$inferSelect;
/** What of a subscription says what a company may do. */
export type Paid = Pick<
  typeof subscriptions.$inferSelect,
  'state' | 'plan' | 'grantedPlan' | 'currentPeriodEnd' | 'pastDueSince'
>;

/** A person, with the company's subscription where it has one. */
type Found = Pick<User, 'id' | 'email' | 'companyId' | 'role' | 'tokensValidSince' | 'claimsDue' | 'claimsToldAt'> &
  Omit<Paid, 'state'> & { userState: User['state']; state: string | null };

/**
 * By the provider's id of one person, and in the token's company: nothing else is asked, so that one round trip does,
 * which every call waits for.
 */
const userOfToken = keptStatement<{ uid: string; companyId: string | null }, Found>(
  'user-of-token',
  sql`
    select ${users.id}, ${users.email}, ${users.companyId} as "companyId", ${users.role}, ${users.state} as "userState",
      ${users.tokensValidSince} as "tokensValidSince", ${users.claimsDue} as "claimsDue",
      ${users.claimsToldAt} as "claimsToldAt", ${subscriptions.state}, ${subscriptions.plan},
      ${subscriptions.grantedPlan} as "grantedPlan", ${subscriptions.currentPeriodEnd} as "currentPeriodEnd",
      ${subscriptions.pastDueSince} as "pastDueSince"
    from ${users} left join ${subscriptions} on ${subscriptions.companyId} = ${users.companyId}
    where ${users.providerUid} = ${sql.placeholder('uid')}
      and ${users.companyId} = coalesce(${sql.placeholder('companyId')}::uuid, ${users.companyId})`,
);

/**
 * Makes an actor of a bearer. Role and company of the token come before those of the user record; the record decides
 * whether the person is still there and the token not too old. Where nobody but us sets what tokens claim, one that
 * says another role than the record is too old.
 */
export function createAuthenticate(options: {
  db: Database;
  verifier: TokenVerifier;
  /** What a company may do, by the row of its subscription; null where it has none. */
  entitlements: (subscription: Paid | null) => Entitlements;
}): (bearer: string) => Promise<Actor> {
  const { db, verifier, entitlements } = options;

  return async (bearer) => {
    const token = await verifier.verify(bearer);
    const { uid, companyId = null } = token;
    const [user] = await db.statement<Found>(userOfToken.bind({ uid, companyId }));
    if (user?.userState !== 'active') throw new AppError('session-expired');
    if (token.issuedAt < earliestIssue(user.tokensValidSince)) throw new AppError('session-expired');
    if (isOutdated(token, user)) throw new AppError('session-expired');
    const { state } = user;
    return {
      userId: user.id,
      email: user.email,
      companyId: user.companyId,
      role: token.role ?? user.role,
      authenticatedAt: token.authenticatedAt,
      sessionId: token.sessionId,
      entitlements: entitlements(state === null ? null : { ...user, state }),
    };
  };

  /**
   * Whether the token's role is one that we have taken away. Times alone can't tell: a token may be made while the
   * change waits for its commit, and be newer than it.
   */
  function isOutdated(
    { role, issuedAt }: VerifiedToken,
    user: Pick<User, 'role' | 'claimsDue' | 'claimsToldAt'>,
  ): boolean {
    if (role === undefined || role === user.role) return false;
    const { claimsDue, claimsToldAt } = user;
    return verifier.claimsAreOurs || claimsDue || (claimsToldAt !== null && issuedAt <= claimsToldAt);
  }
}
