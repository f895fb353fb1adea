import { createHash } from 'node:crypto';
import type { ActingKind, ApiKeyScope } from '#contract/api-keys.ts';
import type { Entitlements } from '#contract/entitlements.ts';
import { AppError } from '#contract/errors.ts';
import { type Role, requireFeature } from '#contract/permissions.ts';
import type { Actor, Authenticate, AuthenticateApp } from '#server/calls/actor.ts';
import { type AllowedRanges, requireAddressIn } from '#server/calls/allowed-addresses.ts';
import type { Database } from '#server/db/db.ts';
import { type SQL, sql } from '#server/db/drizzle.ts';
import { keptStatement } from '#server/db/kept-statement.ts';
import { apiKeys, companies, subscriptions, users } from '#server/db/schema.ts';
import type { Paid } from '#server/features/identity/authenticate.ts';
import { isKeyOf, publicIdIn } from './format.ts';

/** A key, with its person where it has one, its company, and that one's subscription. */
type Found = Omit<Paid, 'state'> & {
  id: string;
  companyId: string;
  hash: Buffer | null;
  kind: ActingKind;
  scope: ApiKeyScope;
  name: string;
  keyRole: Role | null;
  isOver: boolean;
  lastUsedAt: Date | null;
  userId: string | null;
  email: string | null;
  userRole: Role | null;
  userState: 'active' | 'invited' | null;
  companyEndsAt: Date | null;
  allowedAddresses: AllowedRanges;
  state: string | null;
  /** Its person has no second factor, where their company asks for one. */
  lacksFactor: boolean;
  isLinked: boolean;
};

/**
 * Everything that a call has to know, in one round trip. Whoever comes in by the provider that their company has now
 * has had its second factor, and no session says so of a key.
 */
const foundBy = (which: SQL) => sql`
    select ${apiKeys.id}, ${apiKeys.companyId} as "companyId", ${apiKeys.hash}, ${apiKeys.kind}, ${apiKeys.scope},
      ${apiKeys.name}, ${apiKeys.role} as "keyRole", ${apiKeys.lastUsedAt} as "lastUsedAt",
      ${apiKeys.revokedAt} is not null or coalesce(${apiKeys.expiresAt} <= ${sql.placeholder('now')}, false) as "isOver",
      ${users.id} as "userId", ${users.email}, ${users.role} as "userRole", ${users.state} as "userState",
      ${companies.endsAt} as "companyEndsAt", ${companies.allowedAddresses} as "allowedAddresses", ${subscriptions.state}, ${subscriptions.plan},
      ${subscriptions.grantedPlan} as "grantedPlan", ${subscriptions.currentPeriodEnd} as "currentPeriodEnd",
      ${subscriptions.pastDueSince} as "pastDueSince",
      ${companies.secondFactorRequired} and ${apiKeys.userId} is not null and not exists (
        select 1 from second_factors f where f.company_id = ${apiKeys.companyId} and f.user_id = ${apiKeys.userId}
          and f.confirmed_at is not null) as "lacksFactor",
      exists (select 1 from single_sign_on_identities i
        join single_sign_ons s on s.company_id = i.company_id and s.issuer = i.issuer
        where i.company_id = ${apiKeys.companyId} and i.user_id = ${apiKeys.userId}) as "isLinked"
    from ${apiKeys} join ${companies} on ${companies.id} = ${apiKeys.companyId}
      left join ${users} on ${users.companyId} = ${apiKeys.companyId} and ${users.id} = ${apiKeys.userId}
      left join ${subscriptions} on ${subscriptions.companyId} = ${apiKeys.companyId}
    where ${which}`;

const keyOfBearer = keptStatement<{ publicId: string; now: Date }, Found>(
  'key-of-bearer',
  foundBy(sql`${apiKeys.publicId} = ${sql.placeholder('publicId')} and ${apiKeys.kind} <> 'app'`),
);

/** The app that a token belongs to, where the token is good for the address that was asked. */
const appOfToken = keptStatement<{ tokenHash: string; resource: string; now: Date }, Found>(
  'app-of-token',
  foundBy(sql`${apiKeys.kind} = 'app' and ${apiKeys.publicId} = (
      select r.grant_id from oauth_records as r
      where r.kind = 'AccessToken' and r.id_hash = ${sql.placeholder('tokenHash')}
        and r.expires_at > ${sql.placeholder('now')} and r.payload ->> 'aud' = ${sql.placeholder('resource')})`),
);

const noteUsed = keptStatement<{ companyId: string; id: string; at: Date }>(
  'note-key-used',
  sql`
    update api_keys set last_used_at = ${sql.placeholder('at')}
    where company_id = ${sql.placeholder('companyId')} and id = ${sql.placeholder('id')}`,
);
/** As with sessions: a write with every call would cost more than the call. */
const usedPrecisionMs = 60_000;

/** A key never proves that somebody sits there: whatever asks for a recent sign-in refuses it by itself. */
const never = new Date(0);

/**
 * Makes an actor of a key: its person as they are now, or of a company's key the role that it has. Unknown, wrong,
 * revoked, expired, and of somebody who is gone are all the same answer.
 * @throws AppError `invalid-api-key`, `address-not-allowed`, `subscription-required`, `feature-not-in-plan`,
 * `second-factor-missing`
 */
export function createKeyAuthentication(options: KeyAuthenticationDeps): Authenticate {
  const { db, clock = () => new Date() } = options;
  const actorOf = createActorOf(options);
  return async (bearer, { ip }) => {
    const publicId = publicIdIn(bearer);
    if (publicId === null) throw new AppError('invalid-api-key');
    const now = clock();
    const [found] = await db.statement<Found>(keyOfBearer.bind({ publicId, now }));
    if (!found?.hash || !isKeyOf(bearer, found.hash)) throw new AppError('invalid-api-key');
    return actorOf(found, { ip, now, invalid: 'invalid-api-key' });
  };
}

/**
 * The same of a token of an app that a person has connected: it acts as a personal key does, with their rights as they
 * are now.
 * @throws AppError `invalid-app-token`, and the others as above
 */
export function createAppAuthentication(options: KeyAuthenticationDeps): AuthenticateApp {
  const { db, clock = () => new Date() } = options;
  const actorOf = createActorOf(options);
  return async (token, { ip, resource }) => {
    const now = clock();
    const tokenHash = createHash('sha256').update(token).digest('base64url');
    const [found] = await db.statement<Found>(appOfToken.bind({ tokenHash, resource, now }));
    if (!found) throw new AppError('invalid-app-token');
    return actorOf(found, { ip, now, invalid: 'invalid-app-token' });
  };
}

export interface KeyAuthenticationDeps {
  db: Pick<Database, 'statement'>;
  /** What a company may do, by the row of its subscription; null where it has none. */
  entitlements: (subscription: Paid | null) => Entitlements;
  /** Whether second factors are kept by us. */
  secondFactorsAreOurs: boolean;
  clock?: () => Date;
}

type Invalid = 'invalid-api-key' | 'invalid-app-token';

function createActorOf({ db, entitlements, secondFactorsAreOurs }: KeyAuthenticationDeps) {
  return async (found: Found, { ip, now, invalid }: { ip: string; now: Date; invalid: Invalid }): Promise<Actor> => {
    if (found.isOver) throw new AppError(invalid);
    requireAddressIn(found.allowedAddresses, ip);
    const { id, companyId, name, kind, scope, state, companyEndsAt, lastUsedAt } = found;
    const allowed = entitlements(state === null ? null : { ...found, state });
    requireFeature(allowed, 'api-keys');
    const who = personOf(found, invalid) ?? { userId: id, email: name, role: found.keyRole ?? 'member' };
    const comesInElsewhere = found.isLinked && allowed.features.includes('single-sign-on');
    if (found.lacksFactor && !comesInElsewhere && secondFactorsAreOurs) throw new AppError('second-factor-missing');
    if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= usedPrecisionMs) {
      await db.statement(noteUsed.bind({ companyId, id, at: now }));
    }
    const key = { id, name, kind, scope };
    return { ...who, companyId, key, authenticatedAt: never, companyEndsAt, entitlements: allowed };
  };
}

/** Null for a company's key. @throws AppError as `invalid` says, where the person of another one is gone */
function personOf({ kind, userId, email, userRole, userState }: Found, invalid: Invalid) {
  if (kind === 'company') return null;
  if (userId === null || email === null || userRole === null || userState !== 'active') throw new AppError(invalid);
  return { userId, email, role: userRole };
}
