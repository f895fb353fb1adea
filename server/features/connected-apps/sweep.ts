import type { Database } from '#server/db/db.ts';
import { and, eq, isNull, lt, or, sql } from '#server/db/drizzle.ts';
import { apiKeys, oauthClients, oauthRecords } from '#server/db/schema.ts';

/** An app that was allowed, and has not been told so by then, was never connected. */
const unusedAppMs = 3_600_000;
const unusedClientMs = 86_400_000;

/** Removes what has expired, apps that were allowed and never came for it, and programs that nobody has connected. */
export async function sweepRecords(db: Database, now: Date): Promise<void> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  const isNever = and(eq(apiKeys.kind, 'app'), isNull(apiKeys.lastUsedAt));
  const unclaimed = and(isNever, lt(apiKeys.createdAt, before(unusedAppMs)), lt(apiKeys.expiresAt, now));
  const hasNoApp = sql`not exists (select from ${apiKeys} where ${apiKeys.publicId} = ${oauthRecords.grantId} and ${apiKeys.revokedAt} is null)`;
  const nobodys = sql`not exists (select from ${apiKeys} where ${apiKeys.clientId} = ${oauthClients.id} and ${apiKeys.revokedAt} is null)`;
  const ended = and(eq(apiKeys.kind, 'app'), isNull(apiKeys.revokedAt), lt(apiKeys.expiresAt, now));
  await db.asSystem(async (tx) => {
    await tx.delete(apiKeys).where(unclaimed);
    await tx.update(apiKeys).set({ revokedAt: now }).where(ended);
    const orphaned = and(sql`${oauthRecords.grantId} is not null`, hasNoApp);
    await tx.delete(oauthRecords).where(or(lt(oauthRecords.expiresAt, now), orphaned));
    await tx.delete(oauthClients).where(and(lt(oauthClients.createdAt, before(unusedClientMs)), nobodys));
  });
}
