import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { IdentityProvider } from './port.ts';

/** The part of the suite that is about sessions. */
export function sessionContract(opened: {
  provider: () => IdentityProvider;
  /** Somebody who signs in with `password`. */
  newPerson: () => Promise<{ uid: string; email: string }>;
  password: string;
}): void {
  const { password } = opened;
  describe('a session', () => {
    let provider: IdentityProvider;
    beforeAll(() => {
      provider = opened.provider();
    });

    test('goes on with its newest refresh token, and keeps the time of the sign-in', async () => {
      const { uid, email } = await opened.newPerson();
      let grant = await provider.signIn(email, password);
      const { authenticatedAt } = await provider.verify(grant.idToken);
      for (let i = 0; i < 3; i += 1) {
        const next = await provider.refresh(grant.refreshToken.value);
        if (!next) throw new Error('the session has ended');
        grant = next;
        expect(grant).toMatchObject({ uid, email });
        expect((await provider.verify(grant.idToken)).authenticatedAt).toEqual(authenticatedAt);
      }
    });

    test('of a made-up refresh token is none', async () => {
      for (const value of ['', 'made-up', 'x'.repeat(3000)]) {
        expect(await provider.refresh(value)).toBeNull();
        await provider.endSession(value);
      }
    });

    test('is told by its tokens, and by them whether it goes on', async () => {
      const { uid, email } = await opened.newPerson();
      const session = await provider.signIn(email, password);
      const { sessionId = '' } = await provider.verify(session.idToken);
      expect(await provider.sessionIsOpen(uid, sessionId)).toBe(true);
      const next = await provider.refresh(session.refreshToken.value);
      expect(await provider.verify(next?.idToken ?? '')).toMatchObject({ sessionId });
      expect(await provider.sessionIsOpen(uid, sessionId)).toBe(true);
      await provider.endSession(next?.refreshToken.value ?? '');
      expect(await provider.sessionIsOpen(uid, sessionId)).toBe(false);
    });

    test('is listed with the others that go on, and ended by its name alone', async () => {
      const { uid, email } = await opened.newPerson();
      // A provider whose tokens name a session by its second has two only in two seconds.
      const one = await provider.signIn(email, password);
      const { sessionId: first = '' } = await provider.verify(one.idToken);
      let two = await provider.signIn(email, password);
      let { sessionId: second = '' } = await provider.verify(two.idToken);
      while (second === first) {
        await provider.endSession(two.refreshToken.value);
        two = await provider.signIn(email, password);
        second = (await provider.verify(two.idToken)).sessionId ?? '';
      }
      expect(new Set(await provider.openSessions(uid))).toEqual(new Set([first, second]));
      await provider.endSessionById(randomUUID(), second);
      for (const unknown of [randomUUID(), 'nonsense', '']) await provider.endSessionById(uid, unknown);
      await provider.endSessionById(uid, first);
      await provider.endSessionById(uid, first);
      expect(await provider.openSessions(uid)).toEqual([second]);
      expect(await provider.sessionIsOpen(uid, first)).toBe(false);
      expect(await provider.refresh(one.refreshToken.value)).toBeNull();
      expect(await provider.refresh(two.refreshToken.value)).not.toBeNull();
      expect(await provider.openSessions(uid)).toEqual([second]);
      const third = await provider.signIn(email, password);
      const { sessionId } = await provider.verify(third.idToken);
      expect(await provider.endSession(third.refreshToken.value)).toEqual({ uid, sessionId });
    });

    test('ends alone; ending it again is fine', async () => {
      const { email } = await opened.newPerson();
      const [one, two] = [await provider.signIn(email, password), await provider.signIn(email, password)];
      await provider.endSession(one.refreshToken.value);
      await provider.endSession(one.refreshToken.value);
      expect(await provider.refresh(one.refreshToken.value)).toBeNull();
      expect(await provider.refresh(two.refreshToken.value)).not.toBeNull();
    });

    test('ends with all others of the person; a new one can begin', async () => {
      const { uid, email } = await opened.newPerson();
      const [one, two] = [await provider.signIn(email, password), await provider.signIn(email, password)];
      await provider.revoke(uid);
      await provider.revoke(uid);
      expect(await provider.refresh(one.refreshToken.value)).toBeNull();
      expect(await provider.refresh(two.refreshToken.value)).toBeNull();
      const { refreshToken } = await provider.signIn(email, password);
      expect(await provider.refresh(refreshToken.value)).not.toBeNull();
    });
  });
}
