import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify, UnsecuredJWT } from 'jose';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { roles } from '#contract/permissions.ts';
import type { TokenVerifier, VerifiedToken } from '../port.ts';

/** Where Google publishes the keys of its ID tokens. */
const keysUrl = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com';

const claims = z.object({
  sub: z.string().min(1).max(128),
  email: z.string(),
  iat: z.number(),
  auth_time: z.number(),
  role: z.enum(roles).optional(),
  companyId: z.uuid().optional(),
});

/** Verifies ID tokens of a Google project: RS256 by Google's published keys, this issuer and audience alone. */
export function googleVerifier(
  projectId: string,
  keys: JWTVerifyGetKey = createRemoteJWKSet(new URL(keysUrl)),
): TokenVerifier {
  return verifierWith(async (bearer) => {
    const { payload } = await jwtVerify(bearer, keys, {
      algorithms: ['RS256'],
      ...expected(projectId),
      requiredClaims: ['exp', 'iat', 'sub'],
    });
    return payload;
  });
}

/**
 * Takes the unsigned tokens of Google's Auth emulator. Whoever can reach the service can make them: never in
 * production.
 */
export function emulatorVerifier(projectId: string): TokenVerifier {
  return verifierWith(async (bearer) => UnsecuredJWT.decode(bearer, expected(projectId)).payload);
}

function expected(projectId: string) {
  return { issuer: `https://securetoken.google.com/${projectId}`, audience: projectId };
}

function verifierWith(payloadOf: (bearer: string) => Promise<JWTPayload>): TokenVerifier {
  return {
    claimsAreOurs: false,

    async verify(bearer): Promise<VerifiedToken> {
      try {
        const { sub, email, iat, auth_time, role, companyId } = claims.parse(await payloadOf(bearer));
        return {
          uid: sub,
          email: email.toLowerCase(),
          ...(role && { role }),
          ...(companyId && { companyId }),
          issuedAt: new Date(iat * 1000),
          authenticatedAt: new Date(auth_time * 1000),
          // Its tokens name no session, but keep the time of the sign-in, which the session of ours has too.
          sessionId: String(auth_time),
        };
      } catch (cause) {
        // Keys that can't be fetched say nothing about the token: its owner must not be signed out by that.
        const known = cause instanceof z.ZodError || (cause instanceof errors.JOSEError && !keysMissing(cause));
        throw new AppError(known ? 'unauthenticated' : 'unavailable', { cause });
      }
    },
  };
}

function keysMissing(error: errors.JOSEError): boolean {
  return error instanceof errors.JWKSTimeout || error.message.startsWith('Expected 200 OK');
}
