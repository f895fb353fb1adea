import type { ApiKeyKind, ApiKeyScope } from '#contract/api-keys.ts';
import type { Entitlements } from '#contract/entitlements.ts';
import { AppError } from '#contract/errors.ts';
import { type Role, requireFeature } from '#contract/permissions.ts';
import type { Authenticate } from '#server/calls/actor.ts';
import { type AllowedRanges, requireAddressIn } from '#server/calls/allowed-addresses.ts';
import type { Database } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { keptStatement } from '#server/db/kept-statement.ts';
import { apiKeys, companies, subscriptions, users } from '#server/db/schema.ts';
import type { Paid } from '#server/features/identity/authenticate.ts';
import { isKeyOf, publicIdIn } from './format.ts';

/** A key, with its person where it has one, its company, and that one's subscription. */
type Found = Omit<Paid, 'state'> & {
  id: string;
  companyId: string;
  hash: Buffer;
  kind: ApiKeyKind;
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
  mustEnrol: boolean;
};

/**
 * Everything that a call has to know, in one round trip. Whoever comes in by their company's own provider has had its second factor, and
 * no session says so of a key.
 */
const keyOfBearer = keptStatement<{ publicId: string; now: Date }, Found>(
  'key-of-bearer',
  sql`
    select ${apiKeys.id}, ${apiKeys.companyId} as "companyId", ${apiKeys.hash}, ${apiKeys.kind}, ${apiKeys.scope},
      ${apiKeys.name}, ${apiKeys.role} as "keyRole", ${apiKeys.lastUsedAt} as "lastUsedAt",
      ${apiKeys.revokedAt} is not null or coalesce(${apiKeys.expiresAt} <= ${sql.placeholder('now')}, false) as "isOver",
      ${users.id} as "userId", ${users.email}, ${users.role} as "userRole", ${users.state} as "userState",
      ${companies.endsAt} as "companyEndsAt", ${companies.allowedAddresses} as "allowedAddresses", ${subscriptions.state}, ${subscriptions.plan},
      ${subscriptions.grantedPlan} as "grantedPlan", ${subscriptions.currentPeriodEnd} as "currentPeriodEnd",
      ${subscriptions.pastDueSince} as "pastDueSince",
      ${companies.secondFactorRequired} and ${apiKeys.userId} is not null and not exists (
        select 1 from second_factors f where f.company_id = ${apiKeys.companyId} and f.user_id = ${apiKeys.userId}
          and f.confirmed_at is not null) and not exists (
        select 1 from single_sign_on_identities i
        where i.company_id = ${apiKeys.companyId} and i.user_id = ${apiKeys.userId}) as "mustEnrol"
    from ${apiKeys} join ${companies} on ${companies.id} = ${apiKeys.companyId}
      left join ${users} on ${users.companyId} = ${apiKeys.companyId} and ${users.id} = ${apiKeys.userId}
      left join ${subscriptions} on ${subscriptions.companyId} = ${apiKeys.companyId}
    where ${apiKeys.publicId} = ${sql.placeholder('publicId')}`,
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
 * @throws AppError `invalid-api-key`, `address-not-allowed`, `subscription-required`, `feature-not-in-plan`, `second-factor-missing`
 */
export function createKeyAuthentication(options: {
  db: Pick<Database, 'statement'>;
  /** What a company may do, by the row of its subscription; null where it has none. */
  entitlements: (subscription: Paid | null) => Entitlements;
  /** Whether second factors are kept by us. */
  secondFactorsAreOurs: boolean;
  clock?: () => Date;
}): Authenticate {
  const { db, entitlements, secondFactorsAreOurs, clock = () => new Date() } = options;

  return async (bearer, { ip }) => {
    const publicId = publicIdIn(bearer);
    if (publicId === null) throw new AppError('invalid-api-key');
    const now = clock();
    const [found] = await db.statement<Found>(keyOfBearer.bind({ publicId, now }));
    if (!found || !isKeyOf(bearer, found.hash) || found.isOver) throw new AppError('invalid-api-key');
    requireAddressIn(found.allowedAddresses, ip);
    const { id, companyId, name, kind, scope, state, companyEndsAt, lastUsedAt } = found;
    const allowed = entitlements(state === null ? null : { ...found, state });
    requireFeature(allowed, 'api-keys');
    const who = personOf(found) ?? { userId: id, email: name, role: found.keyRole ?? 'member' };
    if (found.mustEnrol && secondFactorsAreOurs) throw new AppError('second-factor-missing');
    if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= usedPrecisionMs) {
      await db.statement(noteUsed.bind({ companyId, id, at: now }));
    }
    const key = { id, name, kind, scope };
    return { ...who, companyId, key, authenticatedAt: never, companyEndsAt, entitlements: allowed };
  };
}

/** Null for a company's key. @throws AppError `invalid-api-key` where the person of a personal one is gone */
function personOf({ kind, userId, email, userRole, userState }: Found) {
  if (kind === 'company') return null;
  if (userId === null || email === null || userRole === null || userState !== 'active')
    throw new AppError('invalid-api-key');
  return { userId, email, role: userRole };
}
