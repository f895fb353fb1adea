import type { Tx } from '#server/db/db.ts';
import { and, eq, isNull } from '#server/db/drizzle.ts';
import { apiKeys } from '#server/db/schema.ts';

/** Ends the apps that a person has connected: whoever signs out everywhere else wants them out, too. */
export async function endApps(
  tx: Tx,
  { companyId, userId, at }: { companyId: string; userId: string; at: Date },
): Promise<void> {
  const ofPerson = and(eq(apiKeys.companyId, companyId), eq(apiKeys.userId, userId));
  await tx
    .update(apiKeys)
    .set({ revokedAt: at })
    .where(and(ofPerson, eq(apiKeys.kind, 'app'), isNull(apiKeys.revokedAt)));
}
