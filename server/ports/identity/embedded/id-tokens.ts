import { hash } from 'node:crypto';
import { jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { roles } from '#contract/permissions.ts';
import type { VerifiedToken } from '../port.ts';
import { type openSigningKeys, signingAlgorithm } from './keys.ts';

export const audience = 'footnote';
/** By how much the clocks of several processes may differ. */
const aheadSeconds = 5;
/** Tokens whose signature need not be looked at again; each is kept in about half a kilobyte. */
const remembered = 10_000;

const claims = z.object({
  sub: z.string().min(1).max(128),
  email: z.string(),
  role: z.enum(roles).optional(),
  companyId: z.uuid().optional(),
  iat: z.number(),
  exp: z.number(),
  auth_time: z.number(),
  sid: z.uuid().optional(),
});

/** What a token says whose signature was right. */
interface Signed {
  said: z.infer<typeof claims>;
  /** Of the key that signed it. */
  kid: string | undefined;
}

/**
 * Verifies our own ID tokens. A browser sends the same one with each of its calls for a quarter of an hour, and a
 * signature takes longer to look at than most calls take: who has a right one is remembered, by a hash of the token.
 * Its time, and whether its key still counts, are looked at each time.
 * @param clock milliseconds since the epoch
 */
export function idTokenVerifier({
  keys,
  issuer,
  clock,
}: {
  keys: Awaited<ReturnType<typeof openSigningKeys>>;
  issuer: string;
  clock: () => number;
}) {
  const signed = new LRUCache<string, Signed>({ max: remembered });

  /** @throws what `jose` or `zod` throw */
  async function looked(bearer: string): Promise<Signed> {
    const { payload, protectedHeader } = await jwtVerify(bearer, keys.forVerifying, {
      algorithms: [signingAlgorithm],
      issuer,
      audience,
      requiredClaims: ['exp', 'iat', 'sub'],
      currentDate: new Date(clock()),
    });
    return { said: claims.parse(payload), kid: protectedHeader.kid };
  }

  /** @throws AppError `unauthenticated` */
  return async (bearer: string): Promise<VerifiedToken> => {
    const key = hash('sha256', bearer);
    try {
      let known = signed.get(key);
      if (!known || !(await keys.counts(known.kid))) {
        known = await looked(bearer);
        signed.set(key, known);
      }
      const { sub, iat, exp, auth_time, email, role, companyId, sid } = known.said;
      const now = clock() / 1000;
      if (exp <= Math.floor(now)) throw new Error('a token whose time is over');
      if (iat > now + aheadSeconds) throw new Error('a token from the future');
      return {
        uid: sub,
        email,
        ...(role && { role }),
        ...(companyId && { companyId }),
        issuedAt: new Date(iat * 1000),
        authenticatedAt: new Date(auth_time * 1000),
        ...(sid && { sessionId: sid }),
      };
    } catch (cause) {
      throw new AppError('unauthenticated', { cause });
    }
  };
}
