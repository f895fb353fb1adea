import type { Tx } from '#server/db/db.ts';
import { and, eq, gt, isNull, or } from '#server/db/drizzle.ts';
import { apiKeys, users } from '#server/db/schema.ts';

/** Whether a key of the transaction's company holds now: for what was made by it, and ends with it. */
export async function isLiveKey(tx: Tx, keyId: string, now: Date): Promise<boolean> {
  const [found] = await tx
    .select({ kind: apiKeys.kind, state: users.state })
    .from(apiKeys)
    .leftJoin(users, and(eq(users.companyId, apiKeys.companyId), eq(users.id, apiKeys.userId)))
    .where(
      and(eq(apiKeys.id, keyId), isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now))),
    );
  return found !== undefined && (found.kind === 'company' || found.state === 'active');
}
