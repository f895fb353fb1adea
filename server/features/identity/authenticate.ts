import { apiKeyStart } from '#contract/api-keys.ts';
import type { Entitlements } from '#contract/entitlements.ts';
import { AppError } from '#contract/errors.ts';
import type { Authenticate } from '#server/calls/actor.ts';
import { requireAddressIn } from '#server/calls/allowed-addresses.ts';
import type { Database } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { keptStatement } from '#server/db/kept-statement.ts';
import { earliestIssue, type TokenVerifier, type VerifiedToken } from '#server/ports/identity/port.ts';
import { isOver } from './sessions/session-records.ts';
import { createUserLookup, type Paid, type UserOfToken } from './user-of-token.ts';

export type { Paid };

const noteSeen = keptStatement<{ companyId: string; userId: string; sessionId: string; at: Date }>(
  'note-seen',
  sql`
    update sessions set seen_at = ${sql.placeholder('at')}
    where company_id = ${sql.placeholder('companyId')} and user_id = ${sql.placeholder('userId')}
      and id = ${sql.placeholder('sessionId')}`,
);
/** Use is written down to the minute: a write with every call would cost more than the call. */
const seenPrecisionMs = 60_000;

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
  /** Makes an actor of what begins as an API key does. */
  byKey: Authenticate;
  clock?: () => Date;
}): Authenticate {
  const { db, verifier, entitlements, byKey, clock = () => new Date() } = options;
  const find = createUserLookup(db);

  return async (bearer, from) => {
    const { ip, enrolling = false } = from;
    if (bearer.startsWith(apiKeyStart)) return byKey(bearer, from);
    const token = await verifier.verify(bearer);
    const user = await find(token);
    if (user?.userState !== 'active') throw new AppError('session-expired');
    if (token.issuedAt < earliestIssue(user.tokensValidSince)) throw new AppError('session-expired');
    if (isOutdated(token, user)) throw new AppError('session-expired');
    await requireOpenSession(token, user);
    requireAddressIn(user.allowedAddresses, ip);
    if (user.mustEnrol && verifier.claimsAreOurs && !enrolling) throw new AppError('second-factor-missing');
    const { state } = user;
    return {
      userId: user.id,
      email: user.email,
      companyId: user.companyId,
      role: token.role ?? user.role,
      authenticatedAt: token.authenticatedAt,
      sessionId: token.sessionId,
      companyEndsAt: user.companyEndsAt,
      entitlements: entitlements(state === null ? null : { ...user, state }),
    };
  };

  /** Notes that the session is used. @throws AppError `session-expired` where it has been ended, or lasts too long */
  async function requireOpenSession(token: VerifiedToken, user: UserOfToken): Promise<void> {
    const now = clock();
    const seenAt = user.seenAt ?? token.issuedAt;
    const isEnded = user.endedAt !== null || isOver(user, { begunAt: token.authenticatedAt, seenAt, now });
    if (isEnded) throw new AppError('session-expired');
    const { sessionId } = token;
    if (sessionId === undefined || user.seenAt === null || now.getTime() - seenAt.getTime() < seenPrecisionMs) return;
    const { companyId, id: userId } = user;
    await db.statement(noteSeen.bind({ companyId, userId, sessionId, at: now }));
  }

  /**
   * Whether the token's role is one that we have taken away. Times alone can't tell: a token may be made while the
   * change waits for its commit, and be newer than it.
   */
  function isOutdated(
    { role, issuedAt }: VerifiedToken,
    user: Pick<UserOfToken, 'role' | 'claimsDue' | 'claimsToldAt'>,
  ): boolean {
    if (role === undefined || role === user.role) return false;
    const { claimsDue, claimsToldAt } = user;
    return verifier.claimsAreOurs || claimsDue || (claimsToldAt !== null && issuedAt <= claimsToldAt);
  }
}
