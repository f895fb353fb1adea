import { randomUUID } from 'node:crypto';
import { createLocalJWKSet, errors, importJWK, type JWK, type JWTVerifyGetKey } from 'jose';
import type { Database, Tx } from '#server/db/db.ts';
import { and, asc, eq, inArray, isNull } from '#server/db/drizzle.ts';
import { serviceKeys } from '#server/db/schema.ts';
import { lockKeys, makeKey } from '../service-keys.ts';

export const signingAlgorithm = 'EdDSA';

/** A key signs for this long before the next one is made. */
const signsForMs = 90 * 86_400_000;
/** A key is published this long before it signs, so that whoever keeps the published set has it by then. */
const announcedForMs = 3_600_000;
/** How old a process's view of the keys may be. */
const freshForMs = 60_000;
/** How often tokens with an unknown key may make us look again. */
const lookAgainMs = 5_000;
/** Beyond a token's lifetime, an old key verifies for as long as clocks and views may differ. */
const graceMs = 3_600_000;

interface Key {
  id: string;
  jwk: JWK;
  createdAt: Date;
}

/**
 * The keys that sign ID tokens, shared by all processes: the newest one that has been announced for long enough signs,
 * earlier ones verify until the last token that they signed has ended.
 */
export async function openSigningKeys(
  db: Database,
  { tokenLifetimeSeconds, clock }: { tokenLifetimeSeconds: number; clock: () => number },
) {
  let view = await read();

  async function read() {
    const keys = await keysFor(db, clock);
    const published = { keys: keys.map(({ jwk }) => publicPart(jwk)) };
    return { keys, published, verifying: createLocalJWKSet(published), readAt: clock() };
  }

  async function fresh(maxAgeMs = freshForMs) {
    if (Math.abs(clock() - view.readAt) >= maxAgeMs) view = await read();
    return view;
  }

  const forVerifying: JWTVerifyGetKey = async (header, token) => {
    const { verifying } = await fresh();
    try {
      return await verifying(header, token);
    } catch (error) {
      // Perhaps another process has just made it.
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return (await fresh(lookAgainMs)).verifying(header, token);
    }
  };

  return {
    forVerifying,

    async forSigning(): Promise<{ kid: string | undefined; key: Awaited<ReturnType<typeof importJWK>> }> {
      const { jwk } = signer((await fresh()).keys, clock());
      return { kid: jwk.kid, key: await importJWK(jwk, signingAlgorithm) };
    },

    /** Whether what this key has signed still counts. */
    async counts(kid: string | undefined): Promise<boolean> {
      return (await fresh()).keys.some(({ jwk }) => jwk.kid === kid);
    },

    async published(): Promise<{ keys: JWK[] }> {
      return (await fresh()).published;
    },

    /** Makes a new key when the newest one is old, and retires those whose last token has ended. Idempotent. */
    async rotate(): Promise<void> {
      const made = await makeKey('id-token');
      await db.asSystem(async (tx) => {
        await lockKeys(tx, 'id-token');
        const keys = await active(tx);
        const now = clock();
        const newest = keys.at(-1);
        if (!newest || now - newest.createdAt.getTime() >= signsForMs) {
          await tx.insert(serviceKeys).values({ ...newKey(made), createdAt: new Date(now) });
        }
        const signing = signer(keys, now);
        const signsSince = signing.createdAt.getTime() + announcedForMs;
        const over = now - signsSince > tokenLifetimeSeconds * 1000 + graceMs;
        const earlier = keys.slice(0, keys.indexOf(signing)).map(({ id }) => id);
        if (!over || earlier.length === 0) return;
        await tx
          .update(serviceKeys)
          .set({ retiredAt: new Date(now) })
          .where(inArray(serviceKeys.id, earlier));
      });
      view = await read();
    },
  };
}

/** The newest key that has been announced for long enough; at the very first start, the only one. */
function signer(keys: Key[], now: number): Key {
  const announced = keys.findLast(({ createdAt }) => now - createdAt.getTime() >= announcedForMs) ?? keys[0];
  if (!announced) throw new Error('there is no key to sign ID tokens with');
  return announced;
}

/** Oldest first; when several processes start at once, one makes the first and the others read it. */
async function keysFor(db: Database, clock: () => number): Promise<Key[]> {
  const there = await db.asSystem(active);
  if (there.length > 0) return there;
  const made = await makeKey('id-token');
  return db.asSystem(async (tx) => {
    await lockKeys(tx, 'id-token');
    const already = await active(tx);
    if (already.length > 0) return already;
    const key = { ...newKey(made), createdAt: new Date(clock()) };
    await tx.insert(serviceKeys).values(key);
    return [key];
  });
}

async function active(tx: Tx): Promise<Key[]> {
  return tx
    .select({ id: serviceKeys.id, jwk: serviceKeys.jwk, createdAt: serviceKeys.createdAt })
    .from(serviceKeys)
    .where(and(eq(serviceKeys.purpose, 'id-token'), isNull(serviceKeys.retiredAt)))
    .orderBy(asc(serviceKeys.createdAt), asc(serviceKeys.id));
}

function newKey(made: JWK) {
  const jwk: JWK = { ...made, kid: randomUUID() };
  return { id: `id-token:${jwk.kid}`, purpose: 'id-token' as const, jwk };
}

function publicPart({ kty, crv, x, kid, alg, use }: JWK): JWK {
  return { kty, crv, x, kid, alg, use };
}
