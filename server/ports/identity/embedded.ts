import { createHmac, randomBytes } from 'node:crypto';
import { hash, verify as verifyHash } from '@node-rs/argon2';
import { createLocalJWKSet, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { roles } from '#contract/permissions.ts';
import type { Database } from '#server/db/db.ts';
import { earliestIssue, type IdentityService } from './port.ts';
import { secretFor, serviceKeysFor } from './service-keys.ts';

const algorithm = 'EdDSA';
const audience = 'footnote';
const lifetimeSeconds = 15 * 60;

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. argon2id is the library's default algorithm. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const claims = z.object({
  sub: z.string().min(1),
  email: z.string(),
  role: z.enum(roles).optional(),
  companyId: z.uuid().optional(),
  iat: z.number(),
});

/**
 * The identity service that needs nothing else: argon2id hashes in our own database, ID tokens signed with a key of our own.
 * @param issuer our public address.
 * @param clock milliseconds since the epoch.
 */
export async function openEmbeddedIdentity(
  db: Database,
  issuer: string,
  clock: () => number = Date.now,
): Promise<IdentityService> {
  const keys = await serviceKeysFor(db, 'id-token');
  const newest = keys.at(-1);
  if (!newest) throw new Error('there is no key to sign ID tokens with');
  const signingKey = await importJWK(newest, algorithm);
  const publicKeys = { keys: keys.map(publicPart) };
  const verificationKeys = createLocalJWKSet(publicKeys);
  const refreshSecret = await secretFor(db, 'refresh-token');
  // Checked where an e-mail is unknown: skipping the work would tell so by the time taken.
  const hashOfNobody = await hash(randomBytes(32), cost);

  return {
    name: 'embedded',

    async verify(bearer) {
      try {
        const { payload } = await jwtVerify(bearer, verificationKeys, {
          algorithms: [algorithm],
          issuer,
          audience,
          requiredClaims: ['exp', 'iat', 'sub'],
          currentDate: new Date(clock()),
        });
        const { sub, iat, email, role, companyId } = claims.parse(payload);
        return { uid: sub, email, role, companyId, issuedAt: new Date(iat * 1000) };
      } catch (cause) {
        throw new AppError('unauthenticated', { cause });
      }
    },

    async issue({ uid, email, role, companyId, tokensValidSince }) {
      const now = Math.floor(clock() / 1000);
      const issuedAt = Math.max(now, earliestIssue(tokensValidSince).getTime() / 1000);
      const expires = issuedAt + lifetimeSeconds;
      const idToken = await new SignJWT({ email, role, companyId })
        .setProtectedHeader({ alg: algorithm, kid: newest.kid, typ: 'JWT' })
        .setSubject(uid)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expires)
        .sign(signingKey);
      return { idToken, expiresAt: new Date(expires * 1000) };
    },

    jwks: () => publicKeys,

    hash: (password) => hash(password, cost),

    async matches(password, stored) {
      const right = await verifyHash(stored ?? hashOfNobody, password);
      return right && stored !== null;
    },

    successorOf: (refreshToken) => createHmac('sha256', refreshSecret).update(refreshToken).digest('base64url'),
  };
}

function publicPart({ kty, crv, x, kid, alg, use }: JWK): JWK {
  return { kty, crv, x, kid, alg, use };
}
