import { hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import type { Database } from '#server/db/db.ts';
import { eq, notInArray } from '#server/db/drizzle.ts';
import { identityRefreshTokens, identityRemoteSessions } from '#server/db/schema.ts';

/**
 * The outside provider's refresh tokens, by the session of ours that they belong to. A copy of the table alone is of no
 * use.
 */
export function remoteSessionsIn(db: Database, secret: Uint8Array) {
  const key = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), 'remote session', 32));

  return {
    async keep(familyId: string, uid: string, token: string): Promise<void> {
      const sealed = new CompactEncrypt(new TextEncoder().encode(token));
      const sealedToken = await sealed.setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key);
      await db.asSystem((tx) =>
        tx
          .insert(identityRemoteSessions)
          .values({ familyId, uid, sealedToken })
          .onConflictDoUpdate({ target: identityRemoteSessions.familyId, set: { sealedToken } }),
      );
    },

    async read(familyId: string): Promise<string | null> {
      const ofFamily = eq(identityRemoteSessions.familyId, familyId);
      const [row] = await db.asSystem((tx) => tx.select().from(identityRemoteSessions).where(ofFamily));
      if (!row) return null;
      const { plaintext } = await compactDecrypt(row.sealedToken, key);
      return new TextDecoder().decode(plaintext);
    },

    /** Removes those whose session of ours has gone. */
    async sweep(): Promise<void> {
      await db.asSystem((tx) => {
        const alive = tx.select({ familyId: identityRefreshTokens.familyId }).from(identityRefreshTokens);
        return tx.delete(identityRemoteSessions).where(notInArray(identityRemoteSessions.familyId, alive));
      });
    },
  };
}
