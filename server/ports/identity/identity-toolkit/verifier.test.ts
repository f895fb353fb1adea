import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AppError } from '#contract/errors.ts';
import { emulatorVerifier, googleVerifier } from './verifier.ts';

const project = 'our-project';
const issuer = `https://securetoken.google.com/${project}`;
const companyId = '8f14e45f-ceea-467f-a2c4-1f5d6f5f0a11';
const now = Math.floor(Date.now() / 1000);
const person: JWTPayload = {
  sub: 'abcDEF123',
  email: 'Ada@Nordwind.example',
  auth_time: now - 60,
  iat: now - 30,
  exp: now + 3000,
  iss: issuer,
  aud: project,
  role: 'admin',
  companyId,
};

let keys: CryptoKeyPair;
let others: CryptoKeyPair;
let verifier: ReturnType<typeof googleVerifier>;

beforeAll(async () => {
  keys = await generateKeyPair('RS256', { extractable: true });
  others = await generateKeyPair('RS256', { extractable: true });
  const published = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256' }] };
  verifier = googleVerifier(project, createLocalJWKSet(published));
});

function signed(claims: JWTPayload, key: CryptoKey = keys.privateKey, header = { alg: 'RS256', kid: 'one' }) {
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}

const codeOf = (verifying: Promise<unknown>) =>
  verifying.then(
    () => 'verified',
    (error: AppError) => error.code,
  );

describe('a token of the project', () => {
  test('says who, in which role and company, and since when', async () => {
    expect(await verifier.verify(await signed(person))).toEqual({
      uid: 'abcDEF123',
      email: 'ada@nordwind.example',
      role: 'admin',
      companyId,
      issuedAt: new Date((now - 30) * 1000),
      authenticatedAt: new Date((now - 60) * 1000),
      // The provider names no session: what tells one from another is when the person signed in.
      sessionId: String(now - 60),
    });
  });

  test('without our claims says who alone', async () => {
    const { role: _, companyId: __, ...stranger } = person;
    expect(await verifier.verify(await signed(stranger))).not.toHaveProperty('role');
  });
});

describe('refused', () => {
  test.each<[string, JWTPayload]>([
    ['of another project', { ...person, iss: 'https://securetoken.google.com/theirs', aud: 'theirs' }],
    ['of another issuer', { ...person, iss: 'https://accounts.google.com' }],
    ['for another audience', { ...person, aud: 'theirs' }],
    ['that has ended', { ...person, exp: now - 120 }],
    ['without an end', { ...person, exp: undefined }],
    ['without a subject', { ...person, sub: '' }],
    ['with a role we do not have', { ...person, role: 'owner' }],
    ['whose company is not an id', { ...person, companyId: "'; drop table users" }],
  ])('a token %s', async (_, claims) => {
    expect(await codeOf(verifier.verify(await signed(claims)))).toBe('unauthenticated');
  });

  test('a token signed with another key', async () => {
    expect(await codeOf(verifier.verify(await signed(person, others.privateKey)))).toBe('unauthenticated');
  });

  test('an unsigned token, and one signed with the published key as a secret', async () => {
    expect(await codeOf(verifier.verify(new UnsecuredJWT(person).encode()))).toBe('unauthenticated');
    const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(keys.publicKey)));
    const forged = await new SignJWT(person).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret);
    expect(await codeOf(verifier.verify(forged))).toBe('unauthenticated');
  });

  test.each(['', 'a.b.c', 'x'.repeat(10_000)])('what is no token', async (bearer) => {
    expect(await codeOf(verifier.verify(bearer))).toBe('unauthenticated');
  });
});

test('keys that cannot be fetched are a failure of the service, not of the token', async () => {
  const unreachable = googleVerifier(project, () => Promise.reject(new TypeError('fetch failed')));
  expect(await codeOf(unreachable.verify(await signed(person)))).toBe('unavailable');
});

describe('the emulator', () => {
  const emulator = emulatorVerifier(project);

  test('makes unsigned tokens, which its verifier takes', async () => {
    expect(await emulator.verify(new UnsecuredJWT(person).encode())).toMatchObject({ uid: 'abcDEF123', companyId });
  });

  test('of another project is refused, and so is a token that is signed', async () => {
    expect(await codeOf(emulator.verify(new UnsecuredJWT({ ...person, aud: 'theirs' }).encode()))).toBe(
      'unauthenticated',
    );
    expect(await codeOf(emulator.verify(await signed(person)))).toBe('unauthenticated');
  });
});
