import { isIP } from 'node:net';
import type { ParsedInput } from '#contract/calls.ts';
import { brandOrigins } from '#server/config/brand-hosts.ts';
import type { Config } from '#server/config/config.ts';
import type { Tx } from '#server/db/db.ts';
import type { secondFactors } from '#server/db/schema.ts';
import { isLoopbackName } from '#server/lib/this-machine.ts';
import { createChallenges, type Person } from './challenges.ts';

export type Assertion = NonNullable<ParsedInput<'signIn'>['assertion']>;
export type Attestation = NonNullable<ParsedInput<'confirmSecondFactor'>['attestation']>;
type Factor = typeof secondFactors.$inferSelect;

type PasskeyConfig = Pick<Config, 'publicUrl' | 'brandHosts' | 'branding'>;

/** Ed25519, ECDSA with P-256, RSA: what authenticators have. */
const algorithms = [-8, -7, -257];

/**
 * Three hundred files, which take a tenth of a second of a processor: they are loaded for the first passkey, not at
 * each start.
 */
const webauthn = () => import('@simplewebauthn/server');

export type Passkeys = ReturnType<typeof createPasskeys>;

/**
 * Passkeys as a second factor: what a browser is asked, and whether its answer is right. A challenge is used once.
 * @param config.publicUrl the origin whose pages may use them, and whose host they belong to: a browser lets pages of
 *   `brandHosts` use them, too, where that host says so at `/.well-known/webauthn`
 */
export function createPasskeys(config: PasskeyConfig, clock: () => Date) {
  const { publicUrl } = config;
  const origins = [publicUrl, ...brandOrigins(config)];
  const { hostname, protocol } = new URL(publicUrl);
  const { keep, taken, sweep } = createChallenges(clock);

  return {
    /** Browsers have them on pages with TLS and a name, and on this machine itself. */
    arePossible: isLoopbackName(hostname)
      ? isIP(hostname) === 0 && !hostname.startsWith('[')
      : protocol === 'https:' && isIP(hostname) === 0 && !hostname.startsWith('['),

    async registrationOptions(tx: Tx, person: Person & { email: string }, known: readonly Factor[]) {
      const { companyId, userId, email } = person;
      const { generateRegistrationOptions } = await webauthn();
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
      const { verifyRegistrationResponse } = await webauthn();
      const verification = await verifyRegistrationResponse({
        response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
        expectedChallenge: taken(tx, person),
        expectedOrigin: origins,
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
      const { generateAuthenticationOptions } = await webauthn();
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
      const { verifyAuthenticationResponse } = await webauthn();
      const verification = await verifyAuthenticationResponse({
        response: { id, rawId, type, response, clientExtensionResults: {} },
        expectedChallenge: taken(tx, person),
        expectedOrigin: origins,
        expectedRPID: hostname,
        credential,
        requireUserVerification: false,
      }).catch(() => null);
      if (!verification?.verified) return null;
      return { factorId: credential.factorId, counter: verification.authenticationInfo.newCounter };
    },

    sweep,
  };
}

function credentialsOf(factors: readonly Factor[]) {
  return factors.flatMap(({ id: factorId, credentialId: id, publicKey, counter }) =>
    id === null || publicKey === null ? [] : [{ factorId, id, publicKey: new Uint8Array(publicKey), counter }],
  );
}
