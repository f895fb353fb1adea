import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, generateSecret, type JWK } from 'jose';
import type { Database, Tx } from '#server/db/db.ts';
import { and, asc, eq, isNull, sql } from '#server/db/drizzle.ts';
import { serviceKeys } from '#server/db/schema.ts';

export const purposes = serviceKeys.purpose.enumValues;
export type Purpose = (typeof purposes)[number];

/**
 * The bytes of the newest symmetric key of a purpose. The first one is made at first start; when several processes
 * start at once, one makes it and the others read it.
 */
export async function secretFor(db: Database, purpose: Exclude<Purpose, 'id-token'>): Promise<Uint8Array> {
  const made = await makeKey(purpose);
  const key = await db.asSystem(async (tx) => {
    await lockKeys(tx, purpose);
    const rows = await tx
      .select({ jwk: serviceKeys.jwk })
      .from(serviceKeys)
      .where(and(eq(serviceKeys.purpose, purpose), isNull(serviceKeys.retiredAt)))
      .orderBy(asc(serviceKeys.createdAt), asc(serviceKeys.id));
    const newest = rows.at(-1);
    if (newest) return newest.jwk.k;
    const jwk: JWK = { ...made, kid: randomUUID() };
    await tx.insert(serviceKeys).values({ id: `${purpose}:${jwk.kid}`, purpose, jwk });
    return jwk.k;
  });
  if (key === undefined) throw new Error(`the service key for ${purpose} is not a symmetric one`);
  return Buffer.from(key, 'base64url');
}

/**
 * Ends the keys of a purpose at once in favour of a new one. What signs ID tokens sees it within a minute; what else
 * uses keys has read them when its process started.
 */
export async function replaceKeys(db: Database, purpose: Purpose): Promise<void> {
  const made = await makeKey(purpose);
  await db.asSystem(async (tx) => {
    await lockKeys(tx, purpose);
    const ofPurpose = and(eq(serviceKeys.purpose, purpose), isNull(serviceKeys.retiredAt));
    await tx.update(serviceKeys).set({ retiredAt: new Date() }).where(ofPurpose);
    const jwk: JWK = { ...made, kid: randomUUID() };
    await tx.insert(serviceKeys).values({ id: `${purpose}:${jwk.kid}`, purpose, jwk });
  });
}

/** One at a time decides about the keys of a purpose, until its transaction ends. */
export async function lockKeys(tx: Tx, purpose: Purpose): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`service-key:${purpose}`}))`);
}

/** A new key of the purpose, which is stored nowhere yet: a pair that signs ID tokens, else 256 random bits. */
export async function makeKey(purpose: Purpose): Promise<JWK> {
  if (purpose === 'id-token') {
    const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    return { ...(await exportJWK(privateKey)), alg: 'EdDSA', use: 'sig' };
  }
  return exportJWK(await generateSecret('HS256', { extractable: true }));
}
