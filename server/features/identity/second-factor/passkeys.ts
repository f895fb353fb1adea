import { isIP } from 'node:net';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { and, desc, eq, gt, lte, notInArray } from 'drizzle-orm';
import type { ParsedInput } from '#contract/calls.ts';
import type { Tx } from '#server/db/db.ts';
import { passkeyChallenges, type secondFactors } from '#server/db/schema.ts';
import { isLoopbackName } from '#server/lib/this-machine.ts';

export type Assertion = NonNullable<ParsedInput<'signIn'>['assertion']>;
export type Attestation = NonNullable<ParsedInput<'confirmSecondFactor'>['attestation']>;
type Factor = typeof secondFactors.$inferSelect;

interface Person {
  companyId: string;
  userId: string;
}

/** Ed25519, ECDSA with P-256, RSA: what authenticators have. */
const algorithms = [-8, -7, -257];
const challengeMs = 5 * 60_000;
/** As many sign-ins of a person can be under way. */
const maxChallenges = 20;

/**
 * Passkeys as a second factor: what a browser is asked, and whether its answer is right. A challenge is used once.
 * @param config.publicUrl the one origin whose pages may use them, and whose host they belong to
 */
export function createPasskeys(config: { publicUrl: string; branding: { name: string } }, clock: () => Date) {
  const { publicUrl } = config;
  const { hostname, protocol } = new URL(publicUrl);

  async function keep(tx: Tx, person: Person, challenge: string): Promise<void> {
    const expiresAt = new Date(clock().getTime() + challengeMs);
    await tx.insert(passkeyChallenges).values({ ...person, challenge, expiresAt });
    const ofPerson = eq(passkeyChallenges.userId, person.userId);
    const newest = tx
      .select({ challenge: passkeyChallenges.challenge })
      .from(passkeyChallenges)
      .where(ofPerson)
      .orderBy(desc(passkeyChallenges.expiresAt))
      .limit(maxChallenges);
    await tx.delete(passkeyChallenges).where(and(ofPerson, notInArray(passkeyChallenges.challenge, newest)));
  }

  /** Uses the challenge up, whether or not the rest is right. */
  function taken(tx: Tx, { userId }: Person) {
    return async (challenge: string): Promise<boolean> => {
      const [found] = await tx
        .delete(passkeyChallenges)
        .where(
          and(
            eq(passkeyChallenges.userId, userId),
            eq(passkeyChallenges.challenge, challenge),
            gt(passkeyChallenges.expiresAt, clock()),
          ),
        )
        .returning();
      return found !== undefined;
    };
  }

  return {
    /** Browsers have them on pages with TLS and a name, and on this machine itself. */
    arePossible: isLoopbackName(hostname)
      ? isIP(hostname) === 0 && !hostname.startsWith('[')
      : protocol === 'https:' && isIP(hostname) === 0 && !hostname.startsWith('['),

    async registrationOptions(tx: Tx, person: Person & { email: string }, known: readonly Factor[]) {
      const { companyId, userId, email } = person;
      const options = await generateRegistrationOptions({
        rpName: config.branding.name,
        rpID: hostname,
        userName: email,
        userID: new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex')),
        attestationType: 'none',
        excludeCredentials: credentialsOf(known).map(({ id }) => ({ id })),
        authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
        supportedAlgorithmIDs: algorithms,
      });
      await keep(tx, { companyId, userId }, options.challenge);
      return { ...options };
    },

    /** What is to be kept of a new passkey; null where the answer is not right. */
    async registered(tx: Tx, person: Person, { id, rawId, type, response }: Attestation) {
      const { clientDataJSON, attestationObject } = response;
      const verification = await verifyRegistrationResponse({
        response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
        expectedChallenge: taken(tx, person),
        expectedOrigin: publicUrl,
        expectedRPID: hostname,
        requireUserVerification: false,
        supportedAlgorithmIDs: algorithms,
      }).catch(() => null);
      if (!verification?.verified) return null;
      const { credential } = verification.registrationInfo;
      return { credentialId: credential.id, publicKey: Buffer.from(credential.publicKey), counter: credential.counter };
    },

    /** Null: the person has none. */
    async assertionOptions(tx: Tx, person: Person, known: readonly Factor[]) {
      const allowed = credentialsOf(known);
      if (allowed.length === 0) return null;
      const options = await generateAuthenticationOptions({
        rpID: hostname,
        allowCredentials: allowed.map(({ id }) => ({ id })),
        userVerification: 'preferred',
      });
      await keep(tx, person, options.challenge);
      return { ...options };
    },

    /** The factor that has signed, and how often it has by now; null where the answer is not right. */
    async asserted(
      tx: Tx,
      person: Person,
      { id, rawId, type, response }: Assertion,
      known: readonly Factor[],
    ): Promise<{ factorId: string; counter: number } | null> {
      const credential = credentialsOf(known).find((each) => each.id === id);
      if (!credential) return null;
      const verification = await verifyAuthenticationResponse({
        response: { id, rawId, type, response, clientExtensionResults: {} },
        expectedChallenge: taken(tx, person),
        expectedOrigin: publicUrl,
        expectedRPID: hostname,
        credential,
        requireUserVerification: false,
      }).catch(() => null);
      if (!verification?.verified) return null;
      return { factorId: credential.factorId, counter: verification.authenticationInfo.newCounter };
    },

    async sweep(tx: Tx): Promise<void> {
      await tx.delete(passkeyChallenges).where(lte(passkeyChallenges.expiresAt, clock()));
    },
  };
}

function credentialsOf(factors: readonly Factor[]) {
  return factors.flatMap(({ id: factorId, credentialId: id, publicKey, counter }) =>
    id === null || publicKey === null ? [] : [{ factorId, id, publicKey: new Uint8Array(publicKey), counter }],
  );
}
