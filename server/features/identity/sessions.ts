import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import type { Tx } from '#server/db/db.ts';
import { refreshTokens, users } from '#server/db/schema.ts';

const lifetimeMs = 30 * 86_400_000;
/** How long a spent token still gets its successor: two tabs, or a reply lost on the way, must not end a session. */
const replayMs = 30_000;

export interface RefreshToken {
  value: string;
  expiresAt: Date;
}

type UserRow = typeof users.$inferSelect;

/** Starts a session: the first refresh token of a new family. Only its hash is stored. */
export async function startSession(tx: Tx, user: { companyId: string; id: string }, now: Date): Promise<RefreshToken> {
  const value = randomBytes(32).toString('base64url');
  return store(tx, { value, companyId: user.companyId, userId: user.id, familyId: randomUUID(), now });
}

/**
 * Exchanges a refresh token for its successor. A spent one gets the same successor again for 30 s; later it is taken for
 * stolen, and its whole family is revoked. Says null (and does not throw: the revocation must be committed) when the
 * session is over.
 * @param successorOf derives the successor, so that a replay can answer it without anything secret being stored.
 */
export async function rotateSession(
  tx: Tx,
  token: string,
  successorOf: (token: string) => string,
  now: Date,
): Promise<{ token: RefreshToken; user: UserRow } | null> {
  const found = await find(tx, token);
  if (!found || found.revokedAt || found.expiresAt <= now) return null;
  const { companyId, userId, familyId } = found;
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(users.companyId, companyId), eq(users.id, userId)));
  if (user?.state !== 'active') return null;
  const value = successorOf(token);
  if (found.usedAt === null) {
    await tx
      .update(refreshTokens)
      .set({ usedAt: now })
      .where(and(eq(refreshTokens.companyId, companyId), eq(refreshTokens.id, found.id)));
    return { user, token: await store(tx, { value, companyId, userId, familyId, now }) };
  }
  if (now.getTime() - found.usedAt.getTime() <= replayMs) {
    const successor = await find(tx, value);
    if (successor && !successor.revokedAt) return { user, token: { value, expiresAt: successor.expiresAt } };
  }
  await revoke(tx, companyId, familyId, now);
  return null;
}

/** Ends the session of a refresh token; an unknown one is fine. */
export async function endSession(tx: Tx, token: string, now: Date): Promise<void> {
  const found = await find(tx, token);
  if (found) await revoke(tx, found.companyId, found.familyId, now);
}

/** Locked, so that of two exchanges at once the second one sees what the first has done. */
async function find(tx: Tx, token: string) {
  const [row] = await tx
    .select()
    .from(refreshTokens)
    .where(eq(refreshTokens.tokenHash, hashOf(token)))
    .for('update');
  return row;
}

async function store(
  tx: Tx,
  token: { value: string; companyId: string; userId: string; familyId: string; now: Date },
): Promise<RefreshToken> {
  const { value, companyId, userId, familyId, now } = token;
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  const tokenHash = hashOf(value);
  await tx.insert(refreshTokens).values({ companyId, id: randomUUID(), userId, familyId, tokenHash, expiresAt });
  return { value, expiresAt };
}

async function revoke(tx: Tx, companyId: string, familyId: string, now: Date): Promise<void> {
  await tx
    .update(refreshTokens)
    .set({ revokedAt: now })
    .where(
      and(
        eq(refreshTokens.companyId, companyId),
        eq(refreshTokens.familyId, familyId),
        isNull(refreshTokens.revokedAt),
      ),
    );
}

/** A token has 256 random bits: a plain hash can't be searched, and is found by an index. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
