import { randomUUID } from 'node:crypto';
import type { ApiKeyScope } from '#contract/api-keys.ts';
import type { Role } from '#contract/permissions.ts';
import type { Database } from '#server/db/db.ts';
import { apiKeyCollections, apiKeys } from '#server/db/schema.ts';
import { newKey } from '#server/features/api-keys/format.ts';

/** An API key, with the id under which it acts: its person's, or of a company's key its own. */
export interface TestKey {
  keyId: string;
  key: string;
  uid: string;
}

/** Puts a key into a company, past the calls. */
export async function insertKey(
  db: Database,
  companyId: string,
  of: {
    /** Whose it is; absent: the company's. */
    uid?: string | undefined;
    role?: Role;
    scope?: ApiKeyScope;
    collectionIds?: readonly string[] | undefined;
    name?: string;
    expiresAt?: Date;
    revokedAt?: Date;
  } = {},
): Promise<TestKey> {
  const { uid = null, role = 'member', scope = 'read', collectionIds, name = 'Nightly script', ...times } = of;
  const { key, publicId, hash } = newKey();
  const id = randomUUID();
  const kind = uid === null ? 'company' : 'personal';
  await db.asSystem(async (tx) => {
    await tx.insert(apiKeys).values({
      ...{ companyId, id, publicId, hash, kind, scope, name, userId: uid, ...times },
      role: uid === null ? role : null,
      withinCollections: collectionIds !== undefined,
      createdByEmail: 'admin@example.com',
    });
    for (const collectionId of collectionIds ?? [])
      await tx.insert(apiKeyCollections).values({ companyId, keyId: id, collectionId });
  });
  return { keyId: id, key, uid: uid ?? id };
}
