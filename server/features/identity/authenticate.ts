import { apiKeyStart } from '#contract/api-keys.ts';
import type { Entitlements } from '#contract/entitlements.ts';
import { AppError } from '#contract/errors.ts';
import type { Authenticate } from '#server/calls/actor.ts';
import { type AllowedRanges, requireAddressIn } from '#server/calls/allowed-addresses.ts';
import type { Database } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { keptStatement } from '#server/db/kept-statement.ts';
import { companies, sessions, subscriptions, users } from '#server/db/schema.ts';
import { earliestIssue, type TokenVerifier, type VerifiedToken } from '#server/ports/identity/port.ts';
import { isOver, type SessionLimits } from './sessions/session-records.ts';

type User = typeof users.$inferSelect;
/** What of a subscription says what a company may do. */
export type Paid = Pick<
  typeof subscriptions.$inferSelect,
  'state' | 'plan' | 'grantedPlan' | 'currentPeriodEnd' | 'pastDueSince'
>;

/** A person, with the company's subscription where it has one, and what is known of the token's session. */
type Found = Pick<User, 'id' | 'email' | 'companyId' | 'role' | 'tokensValidSince' | 'claimsDue' | 'claimsToldAt'> &
  Omit<Paid, 'state'> &
  SessionLimits & {
    companyEndsAt: Date | null;
    allowedAddresses: AllowedRanges;
    userState: User['state'];
    state: string | null;
    endedAt: Date | null;
    seenAt: Date | null;
    mustEnrol: boolean;
  };

/**
 * By the provider's id of one person, and in the token's company: nothing else is asked, so that one round trip does,
 * which every call waits for.
 */
const userOfToken = keptStatement<{ uid: string; companyId: string | null; sessionId: string | null }, Found>(
  'user-of-token',
  sql`
    select ${users.id}, ${users.email}, ${users.companyId} as "companyId", ${users.role}, ${users.state} as "userState",
      ${users.tokensValidSince} as "tokensValidSince", ${users.claimsDue} as "claimsDue",
      ${users.claimsToldAt} as "claimsToldAt", ${subscriptions.state}, ${subscriptions.plan},
      ${subscriptions.grantedPlan} as "grantedPlan", ${subscriptions.currentPeriodEnd} as "currentPeriodEnd",
      ${subscriptions.pastDueSince} as "pastDueSince", ${companies.sessionDays} as "sessionDays",
      ${companies.sessionIdleMinutes} as "sessionIdleMinutes", ${companies.endsAt} as "companyEndsAt",
      ${companies.allowedAddresses} as "allowedAddresses", ${sessions.endedAt} as "endedAt",
      ${sessions.seenAt} as "seenAt", ${companies.secondFactorRequired} and not exists (
        select 1 from second_factors f where f.company_id = ${users.companyId} and f.user_id = ${users.id}
          and f.confirmed_at is not null)
        and not 'single-sign-on' = any(coalesce(${sessions.methods}, '{}')) as "mustEnrol"
    from ${users} join ${companies} on ${companies.id} = ${users.companyId}
      left join ${subscriptions} on ${subscriptions.companyId} = ${users.companyId}
      left join ${sessions} on ${sessions.companyId} = ${users.companyId} and ${sessions.userId} = ${users.id}
        and ${sessions.id} = ${sql.placeholder('sessionId')}
    where ${users.providerUid} = ${sql.placeholder('uid')}
      and ${users.companyId} = coalesce(${sql.placeholder('companyId')}::uuid, ${users.companyId})`,
);

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

  return async (bearer, from) => {
    const { ip, enrolling = false } = from;
    if (bearer.startsWith(apiKeyStart)) return byKey(bearer, from);
    const token = await verifier.verify(bearer);
    const { uid, companyId = null, sessionId = null } = token;
    const [user] = await db.statement<Found>(userOfToken.bind({ uid, companyId, sessionId }));
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
  async function requireOpenSession(token: VerifiedToken, user: Found): Promise<void> {
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
    user: Pick<User, 'role' | 'claimsDue' | 'claimsToldAt'>,
  ): boolean {
    if (role === undefined || role === user.role) return false;
    const { claimsDue, claimsToldAt } = user;
    return verifier.claimsAreOurs || claimsDue || (claimsToldAt !== null && issuedAt <= claimsToldAt);
  }
}
