import { randomUUID } from 'node:crypto';
import { apiKeyStart, maxCompanyKeys, maxPersonalKeys } from '#contract/api-keys.ts';
import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { requireFeature } from '#contract/permissions.ts';
import type { Actor } from '#server/calls/actor.ts';
import { chosenCollections } from '#server/db/chosen-collections.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, desc, eq, isNull, ne, or, sql } from '#server/db/drizzle.ts';
import { apiKeyCollections, apiKeys, users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import { requireRecentSignIn } from '#server/features/identity/recent-sign-in.ts';
import { newKey } from './format.ts';

type By = Actor & { ip: string };
type KeyRow = typeof apiKeys.$inferSelect;

const dayMs = 86_400_000;
/** Apps are connected and disconnected elsewhere. */
const isKey = ne(apiKeys.kind, 'app');

/** Keys of people and companies, with which programs call as they do. */
export function createApiKeys({ db, clock = () => new Date() }: { db: Database; clock?: () => Date }) {
  /**
   * @throws AppError `recent-sign-in-required`, `permission-denied` for what admins alone may make,
   * `too-many-api-keys`, `collection-not-found`, `feature-not-in-plan`
   */
  async function create(by: By, input: ParsedInput<'createApiKey'>): Promise<CallOutput<'createApiKey'>> {
    const { name, kind, scope, expiresInDays, collectionIds } = input;
    requireRecentSignIn(by, undefined, clock().getTime());
    const isCompanys = kind === 'company';
    if ((isCompanys || expiresInDays === null) && by.role !== 'admin') throw new AppError('permission-denied');
    if (collectionIds) requireFeature(by.entitlements, 'collections');
    const { key, publicId, hash } = newKey();
    const now = clock();
    const { companyId } = by;
    const keyId = randomUUID();
    const role = isCompanys ? (input.role ?? 'member') : null;
    const expiresAt = expiresInDays === null ? null : new Date(now.getTime() + expiresInDays * dayMs);
    await db.asCompany(companyId, async (tx) => {
      await requireRoom(tx, by, kind);
      await tx.insert(apiKeys).values({
        ...{ companyId, id: keyId, publicId, hash, kind, role, scope, name, expiresAt, createdAt: now },
        userId: isCompanys ? null : by.userId,
        withinCollections: collectionIds !== undefined,
        createdByEmail: by.email,
      });
      await keepWithin(tx, companyId, keyId, collectionIds ?? []);
      const details = { kind, scope, role, expires: expiresAt?.toISOString() ?? 'never', keyId };
      await audit(tx, {
        action: 'api-key-created',
        by,
        target: name,
        details: { ...details, ...(collectionIds && { collections: new Set(collectionIds).size }) },
        at: now,
      });
    });
    return { keyId, key };
  }

  /** Without the keys, of which nobody knows more than their hash. */
  async function list(actor: Actor): Promise<CallOutput<'listApiKeys'>> {
    return db.asCompany(actor.companyId, async (tx) => {
      const rows = await tx
        .select({ key: apiKeys, email: users.email })
        .from(apiKeys)
        .leftJoin(users, and(eq(users.companyId, apiKeys.companyId), eq(users.id, apiKeys.userId)))
        .where(and(isKey, isNull(apiKeys.revokedAt), isTheirs(actor)))
        .orderBy(desc(apiKeys.createdAt), apiKeys.id);
      const within = await tx.select().from(apiKeyCollections);
      const collectionsOf = Map.groupBy(within, ({ keyId }) => keyId);
      return rows.map(({ key, email }) => ({
        ...shown(key),
        own: key.userId === actor.userId,
        ...(key.userId !== null && { person: { uid: key.userId, email: email ?? '' } }),
        ...(key.withinCollections && {
          collectionIds: (collectionsOf.get(key.id) ?? []).map(({ collectionId }) => collectionId),
        }),
      }));
    });
  }

  /** From the commit on it is refused; what is open by it ends. @throws AppError `api-key-not-found` */
  async function revoke(by: By, keyId: string): Promise<void> {
    const now = clock();
    await db.asCompany(by.companyId, async (tx) => {
      const [key] = await tx
        .update(apiKeys)
        .set({ revokedAt: now })
        .where(and(isKey, eq(apiKeys.id, keyId), isNull(apiKeys.revokedAt), isTheirs(by)))
        .returning();
      if (!key) throw new AppError('api-key-not-found');
      await audit(tx, { action: 'api-key-revoked', by, target: key.name, details: { kind: key.kind, keyId }, at: now });
      await db.notify(tx, 'people', { userId: key.userId ?? key.id, keyId });
    });
  }

  return { create, list, revoke };
}

/** Which keys somebody lists and revokes: their own, an admin all. */
function isTheirs({ role, userId }: Actor) {
  return role === 'admin' ? undefined : eq(apiKeys.userId, userId);
}

function shown({ id, publicId, ...key }: KeyRow) {
  // Those of apps are asked for nowhere.
  if (key.kind === 'app') throw new Error('an app is no key');
  return {
    keyId: id,
    start: apiKeyStart + publicId,
    name: key.name,
    kind: key.kind,
    scope: key.scope,
    ...(key.role !== null && { role: key.role }),
    createdAt: key.createdAt.toISOString(),
    createdBy: key.createdByEmail,
    ...(key.expiresAt && { expiresAt: key.expiresAt.toISOString() }),
    ...(key.lastUsedAt && { lastUsedAt: key.lastUsedAt.toISOString() }),
  };
}

/** So that two at once are not one too many, under a lock. @throws AppError `too-many-api-keys` */
async function requireRoom(tx: Tx, { companyId, userId }: Actor, kind: KeyRow['kind']): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`api keys ${companyId}`}, 0))`);
  const ofSame = kind === 'company' ? eq(apiKeys.kind, kind) : eq(apiKeys.userId, userId);
  const live = or(isNull(apiKeys.expiresAt), sql`${apiKeys.expiresAt} > now()`);
  const count = await tx.$count(apiKeys, and(isKey, ofSame, isNull(apiKeys.revokedAt), live));
  if (count >= (kind === 'company' ? maxCompanyKeys : maxPersonalKeys)) throw new AppError('too-many-api-keys');
}

/** @throws AppError `collection-not-found` */
async function keepWithin(tx: Tx, companyId: string, keyId: string, ids: readonly string[]): Promise<void> {
  const chosen = await chosenCollections(tx, companyId, ids);
  if (chosen.length === 0) return;
  await tx.insert(apiKeyCollections).values(chosen.map((collectionId) => ({ companyId, keyId, collectionId })));
}
