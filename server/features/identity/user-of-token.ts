import DataLoader from 'dataloader';
import type { AllowedRanges } from '#server/calls/allowed-addresses.ts';
import type { Database } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { keptStatement, valueList } from '#server/db/kept-statement.ts';
import { companies, sessions, subscriptions, users } from '#server/db/schema.ts';
import type { VerifiedToken } from '#server/ports/identity/port.ts';
import type { SessionLimits } from './sessions/session-records.ts';

type User = typeof users.$inferSelect;
/** What of a subscription says what a company may do. */
export type Paid = Pick<
  typeof subscriptions.$inferSelect,
  'state' | 'plan' | 'grantedPlan' | 'currentPeriodEnd' | 'pastDueSince'
>;

/** A person, with the company's subscription where it has one, and what is known of the token's session. */
export type UserOfToken = Pick<
  User,
  'id' | 'email' | 'companyId' | 'role' | 'tokensValidSince' | 'claimsDue' | 'claimsToldAt'
> &
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

/** With the place of its token among those that were asked for, from 1. */
type Found = UserOfToken & { place: string };

const usersOfTokens = keptStatement<
  { uids: string[]; companyIds: (string | null)[]; sessionIds: (string | null)[] },
  Found
>(
  'users-of-tokens',
  sql`
    select asked.place, ${users.id}, ${users.email}, ${users.companyId} as "companyId", ${users.role},
      ${users.state} as "userState", ${users.tokensValidSince} as "tokensValidSince", ${users.claimsDue} as "claimsDue",
      ${users.claimsToldAt} as "claimsToldAt", ${subscriptions.state}, ${subscriptions.plan},
      ${subscriptions.grantedPlan} as "grantedPlan", ${subscriptions.currentPeriodEnd} as "currentPeriodEnd",
      ${subscriptions.pastDueSince} as "pastDueSince", ${companies.sessionDays} as "sessionDays",
      ${companies.sessionIdleMinutes} as "sessionIdleMinutes", ${companies.endsAt} as "companyEndsAt",
      ${companies.allowedAddresses} as "allowedAddresses", ${sessions.endedAt} as "endedAt",
      ${sessions.seenAt} as "seenAt", ${companies.secondFactorRequired} and not exists (
        select 1 from second_factors f where f.company_id = ${users.companyId} and f.user_id = ${users.id}
          and f.confirmed_at is not null)
        and not 'single-sign-on' = any(coalesce(${sessions.methods}, '{}')) as "mustEnrol"
    from unnest(${valueList('uids', 'text')}, ${valueList('companyIds', 'uuid')},
        ${valueList('sessionIds', 'text')}) with ordinality as asked (uid, company_id, session_id, place)
      join ${users} on ${users.providerUid} = asked.uid
        and ${users.companyId} = coalesce(asked.company_id, ${users.companyId})
      join ${companies} on ${companies.id} = ${users.companyId}
      left join ${subscriptions} on ${subscriptions.companyId} = ${users.companyId}
      left join ${sessions} on ${sessions.companyId} = ${users.companyId} and ${sessions.userId} = ${users.id}
        and ${sessions.id} = asked.session_id`,
);

/** At once, so that none waits for a long list of others. */
const maxTogether = 100;

type TokenNames = Pick<VerifiedToken, 'uid' | 'companyId' | 'sessionId'>;

/**
 * Finds whom a token is of: by the provider's id of one person, and in the token's company. Every call waits for it, so
 * it takes one round trip; those that ask within one turn of the event loop share it, as all open pages of a company do
 * with each change.
 * @returns undefined for nobody whom we know
 */
export function createUserLookup(db: Database): (token: TokenNames) => Promise<UserOfToken | undefined> {
  const loader = new DataLoader<TokenNames, UserOfToken | undefined>(
    async (tokens) => {
      const rows = await db.statement<Found>(
        usersOfTokens.bind({
          uids: tokens.map(({ uid }) => uid),
          companyIds: tokens.map(({ companyId = null }) => companyId),
          sessionIds: tokens.map(({ sessionId = null }) => sessionId),
        }),
      );
      const byPlace = new Map(rows.map(({ place, ...user }) => [Number(place), user]));
      return tokens.map((_, i) => byPlace.get(i + 1));
    },
    // What is true now is true for this turn only. Timers of one moment run in one turn, each with its own promises.
    { cache: false, maxBatchSize: maxTogether, batchScheduleFn: setImmediate },
  );
  return (token) => loader.load(token);
}
