import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessionContract } from './contract-sessions.ts';
import type { IdentityProvider } from './port.ts';

/** What one implementation is tried with. */
export interface OpenedIdentity {
  provider: IdentityProvider;
  /** Lets go of what `open` took. */
  close: () => Promise<void>;
}

const password = 'violet anchors drift 71';
const another = 'copper lanterns hum 48';
const aWeek = 7 * 86_400_000;

/**
 * What every implementation of the port must do; driven through the port alone.
 * @param open the provider, with any people in it.
 */
export function identityContract(name: string, open: () => Promise<OpenedIdentity>): void {
  describe(`${name} as an identity provider`, () => {
    let opened: OpenedIdentity;
    let provider: IdentityProvider;
    beforeAll(async () => {
      opened = await open();
      provider = opened.provider;
    });
    afterAll(() => opened.close());

    const newEmail = () => `person-${randomUUID()}@example.com`;
    async function newPerson(claims = { role: 'member' as 'admin' | 'member', companyId: randomUUID() as string }) {
      const email = newEmail();
      const { uid } = await provider.createUser({ uid: randomUUID(), email, password });
      await provider.setClaims(uid, claims);
      return { uid, email, claims };
    }
    const refused = { code: 'invalid-credentials' };
    const badCode = { code: 'invalid-code' };

    describe('people', () => {
      test('are known by the id that they were to have, and by their e-mail', async () => {
        const [wanted, email] = [randomUUID(), newEmail()];
        expect(await provider.createUser({ uid: wanted, email, password })).toEqual({ uid: wanted });
        expect(await provider.findUser(email)).toEqual({ uid: wanted });
        expect(await provider.findUser(newEmail())).toBeNull();
      });

      test('have an e-mail to themselves, of many at once exactly one', async () => {
        const email = newEmail();
        const all = await Promise.allSettled(
          Array.from({ length: 5 }, () => provider.createUser({ uid: randomUUID(), email, password })),
        );
        expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        for (const each of all) {
          if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'email-already-in-use' });
        }
      });

      test('are not created with a password that is none', async () => {
        const email = newEmail();
        for (const weak of ['', 'abc']) {
          const created = provider.createUser({ uid: randomUUID(), email, password: weak });
          await expect(created).rejects.toMatchObject({ code: 'weak-password' });
        }
        expect(await provider.findUser(email)).toBeNull();
      });

      test('who are removed can not sign in, nor go on; removing them again is fine', async () => {
        const { uid, email } = await newPerson();
        const { refreshToken } = await provider.signIn(email, password);
        const code = (await provider.createResetCode(email)) ?? '';
        await provider.deleteUser(uid);
        await provider.deleteUser(uid);
        await expect(provider.signIn(email, password)).rejects.toMatchObject(refused);
        expect(await provider.refresh(refreshToken.value)).toBeNull();
        await expect(provider.confirmCode(code, another)).rejects.toMatchObject(badCode);
        expect(await provider.findUser(email)).toBeNull();
        expect(await provider.createUser({ uid: randomUUID(), email, password })).toHaveProperty('uid');
      });
    });

    describe('sign-in', () => {
      test('gives a token that says who, since when, and what was claimed for them', async () => {
        const before = Math.floor(Date.now() / 1000) * 1000;
        const { uid, email, claims } = await newPerson({ role: 'admin', companyId: randomUUID() });
        const grant = await provider.signIn(email, password);
        expect(grant).toMatchObject({ uid, email });
        expect(grant.refreshToken.expiresAt.getTime()).toBeGreaterThan(Date.now() + 86_400_000);
        const token = await provider.verify(grant.idToken);
        expect(token).toMatchObject({ uid, email, ...claims });
        for (const time of [token.issuedAt.getTime(), token.authenticatedAt.getTime()]) {
          expect(time % 1000).toBe(0);
          expect(time).toBeGreaterThanOrEqual(before);
          expect(time).toBeLessThanOrEqual(Date.now() + 5000);
        }
        expect(grant.expiresAt.getTime()).toBeGreaterThan(Date.now());
        expect(grant.expiresAt.getTime() - token.issuedAt.getTime()).toBeLessThanOrEqual(3_600_000);
      });

      test('refuses in the same words an unknown e-mail, a wrong password, and a person without one', async () => {
        const { email } = await newPerson();
        const invited = newEmail();
        await provider.createUser({ uid: randomUUID(), email: invited });
        const tries = [
          [email, another],
          [email, ''],
          [newEmail(), password],
          [invited, password],
          [invited, ''],
          ['nonsense', password],
          ['', ''],
        ] as const;
        const texts = new Set<string>();
        for (const [who, tried] of tries) {
          const error: unknown = await provider.signIn(who, tried).catch((thrown: unknown) => thrown);
          expect(error).toMatchObject(refused);
          texts.add(String(error));
        }
        expect(texts.size).toBe(1);
      });
    });

    describe('a token', () => {
      test.each(['', 'nonsense', '..', 'eyJhbGciOiJub25lIn0.e30.'])('is not "%s"', async (bearer) => {
        await expect(provider.verify(bearer)).rejects.toMatchObject({ code: 'unauthenticated' });
      });

      test('whose content was changed is refused', async () => {
        const { email } = await newPerson();
        const { idToken } = await provider.signIn(email, password);
        const [header = '', payload = '', signature = ''] = idToken.split('.');
        const claims: Record<string, unknown> = JSON.parse(Buffer.from(payload, 'base64url').toString());
        // Also where tokens are unsigned, the issuer is looked at.
        const forged = Buffer.from(JSON.stringify({ ...claims, iss: 'https://elsewhere.example' })).toString(
          'base64url',
        );
        const token = `${header}.${forged}.${signature}`;
        await expect(provider.verify(token)).rejects.toMatchObject({ code: 'unauthenticated' });
      });

      test('carries changed claims from the next one on', async () => {
        const { uid, email, claims } = await newPerson();
        const { refreshToken } = await provider.signIn(email, password);
        await provider.setClaims(uid, { ...claims, role: 'admin' });
        await provider.setClaims(uid, { ...claims, role: 'admin' });
        const refreshed = await provider.refresh(refreshToken.value);
        expect(await provider.verify(refreshed?.idToken ?? '')).toMatchObject({ ...claims, role: 'admin' });
      });
    });

    sessionContract({ provider: () => provider, newPerson, password });

    describe('a reset code', () => {
      test('tells whose it is without being used up, and sets the password once', async () => {
        const { uid, email } = await newPerson();
        const session = await provider.signIn(email, password);
        const code = (await provider.createResetCode(email)) ?? '';
        const said = { uid, email, purpose: 'reset' };
        expect(await provider.verifyCode(code)).toEqual(said);
        expect(await provider.verifyCode(code)).toEqual(said);
        expect(await provider.confirmCode(code, another)).toEqual(said);
        await expect(provider.signIn(email, password)).rejects.toMatchObject(refused);
        await expect(provider.signIn(email, another)).resolves.toMatchObject({ uid });
        expect(await provider.refresh(session.refreshToken.value)).toBeNull();
        await expect(provider.verifyCode(code)).rejects.toMatchObject(badCode);
        await expect(provider.confirmCode(code, password)).rejects.toMatchObject(badCode);
      });

      test('is not made for an unknown e-mail', async () => {
        expect(await provider.createResetCode(newEmail())).toBeNull();
      });

      test('made up is refused', async () => {
        for (const code of ['made-up', 'x'.repeat(900)]) {
          await expect(provider.verifyCode(code)).rejects.toMatchObject(badCode);
          await expect(provider.confirmCode(code, another)).rejects.toMatchObject(badCode);
        }
      });

      test('stays as it was when the password is refused', async () => {
        const { email } = await newPerson();
        const code = (await provider.createResetCode(email)) ?? '';
        await expect(provider.confirmCode(code, 'abc')).rejects.toMatchObject({ code: 'weak-password' });
        await expect(provider.confirmCode(code, another)).resolves.toMatchObject({ email });
      });
    });

    describe('an invite code', () => {
      async function newInvitation() {
        const email = newEmail();
        const { uid } = await provider.createUser({ uid: randomUUID(), email });
        return { uid, email, ...(await provider.createInviteCode(uid)) };
      }

      test('works for 7 days, sets the first password, and says that it was an invitation', async () => {
        const { uid, email, code, expiresAt } = await newInvitation();
        expect(Math.abs(expiresAt.getTime() - Date.now() - aWeek)).toBeLessThan(60_000);
        expect(await provider.verifyCode(code)).toEqual({ uid, email, purpose: 'invite' });
        expect(await provider.confirmCode(code, password)).toEqual({ uid, email, purpose: 'invite' });
        await expect(provider.signIn(email, password)).resolves.toMatchObject({ uid });
        await expect(provider.confirmCode(code, another)).rejects.toMatchObject(badCode);
      });

      test('ends with the next one', async () => {
        const { uid, code } = await newInvitation();
        const next = await provider.createInviteCode(uid);
        await expect(provider.verifyCode(code)).rejects.toMatchObject(badCode);
        await expect(provider.verifyCode(next.code)).resolves.toMatchObject({ uid });
      });

      test('confirmed by several at once is used by exactly one, whose password holds', async () => {
        const { uid, email, code } = await newInvitation();
        const passwords = Array.from({ length: 5 }, (_, n) => `${password} number ${n}`);
        const all = await Promise.allSettled(passwords.map((each) => provider.confirmCode(code, each)));
        const won = all.flatMap(({ status }, n) => (status === 'fulfilled' ? [passwords[n]] : []));
        expect(won).toHaveLength(1);
        for (const each of all) if (each.status === 'rejected') expect(each.reason).toMatchObject(badCode);
        await expect(provider.signIn(email, won[0] ?? '')).resolves.toMatchObject({ uid });
      });
    });

    test('publishes public keys alone, or none', async () => {
      const set = await provider.jwks();
      if (set === null) return;
      expect(set).toHaveProperty('keys');
      for (const secret of ['"d":', '"p":', '"q":', '"k":']) expect(JSON.stringify(set)).not.toContain(secret);
    });

    test('keeps itself up, as often as it is told to', async () => {
      const { email } = await newPerson();
      const { idToken, refreshToken } = await provider.signIn(email, password);
      await provider.upkeep();
      await provider.upkeep();
      await expect(provider.verify(idToken)).resolves.toMatchObject({ email });
      expect(await provider.refresh(refreshToken.value)).not.toBeNull();
    });
  });
}
