import type { CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, desc, eq, gt, isNull } from '#server/db/drizzle.ts';
import { apiKeys, oauthRecords, users } from '#server/db/schema.ts';
import { type AuditActor, audit } from '#server/features/audit/audit.ts';

/** The apps of whoever asks that are connected now. */
export async function listApps(
  db: Database,
  { companyId, userId }: Actor,
  now: Date,
): Promise<CallOutput<'listConnectedApps'>> {
  const rows = await db.asCompany(companyId, (tx) =>
    tx
      .select()
      .from(apiKeys)
      .where(and(isConnected(userId), gt(apiKeys.expiresAt, now)))
      .orderBy(desc(apiKeys.createdAt), apiKeys.id),
  );
  return rows.map(({ id, name, clientAddress, createdAt, lastUsedAt }) => ({
    appId: id,
    name,
    address: clientAddress ?? '',
    connectedAt: createdAt.toISOString(),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
  }));
}

export function isConnected(userId: string) {
  return and(eq(apiKeys.kind, 'app'), eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt));
}

/** From the commit on its tokens are refused; what is open by it ends. @throws AppError `app-not-found` */
export async function disconnectApp(db: Database, by: Actor & { ip: string }, appId: string, now: Date): Promise<void> {
  const { companyId, userId } = by;
  await db.asCompany(companyId, async (tx) => {
    const [app] = await tx
      .update(apiKeys)
      .set({ revokedAt: now })
      .where(and(eq(apiKeys.id, appId), isConnected(userId)))
      .returning();
    if (!app) throw new AppError('app-not-found');
    await noteEnd(tx, db, app, { by, now });
  });
  // No token of it is good for anything any more; the sweep would take them, too.
  await db.asSystem((tx) => tx.delete(oauthRecords).where(eq(oauthRecords.grantId, appId)));
}

/**
 * Ends an app that has given its access back, or of which something was shown twice that is of use once. Twice is as
 * good as once.
 */
export async function endGrant(db: Database, grantId: string, now: Date): Promise<void> {
  await db.asSystem(async (tx) => {
    const [app] = await tx
      .update(apiKeys)
      .set({ revokedAt: now })
      .where(and(eq(apiKeys.publicId, grantId), eq(apiKeys.kind, 'app'), isNull(apiKeys.revokedAt)))
      .returning();
    await tx.delete(oauthRecords).where(eq(oauthRecords.grantId, grantId));
    if (!app?.userId) return;
    const { companyId, userId } = app;
    const [user] = await tx
      .select({ email: users.email })
      .from(users)
      .where(and(eq(users.companyId, companyId), eq(users.id, userId)));
    await noteEnd(tx, db, app, { by: { companyId, userId, email: user?.email ?? '' }, now });
  });
}

async function noteEnd(
  tx: Tx,
  db: Database,
  { id: keyId, name, clientAddress, userId }: typeof apiKeys.$inferSelect,
  { by, now }: { by: AuditActor; now: Date },
): Promise<void> {
  await audit(tx, {
    action: 'app-disconnected',
    by,
    target: name,
    details: { address: clientAddress, keyId },
    at: now,
  });
  await db.notify(tx, 'people', { userId, keyId });
}
