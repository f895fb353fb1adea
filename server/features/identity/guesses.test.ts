import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { goodPassword, uniqueEmail } from '#server/testing/factories.ts';
import { startTestIdentity, type TestIdentity } from '#server/testing/identity.ts';
import type { Origin } from './guesses.ts';

const rates = {
  uploadsPerMinute: 10_000,
  signUpsPerHour: 10_000,
  signInsPerAddress: 40,
  signInsPerAccount: 8,
  resetsPerHour: 10_000,
  codesPerAddress: 20,
  invitationsPerHour: 20,
  refreshesPerMinute: 10_000,
  appRegistrationsPerHour: 10_000,
  appRequestsPerMinute: 10_000,
};
const quarter = 15 * 60_000;
const tooMany = { code: 'too-many-requests', details: { retryAfterSeconds: expect.any(Number) } };
const wrong = { code: 'invalid-credentials' };
const unknownBrowser = (ip: string): Origin => ({ ip, device: undefined });
const home = '198.51.100.7';

let subject: TestIdentity;
let email: string;
/** The mark of the browser in which the owner has signed up. */
let mark: string | undefined;
beforeEach(async () => {
  subject = await startTestIdentity({ rates });
  email = uniqueEmail('owner');
  const input = { companyName: 'Example', email, password: goodPassword };
  mark = (await subject.identity.signUp(input, unknownBrowser(home))).device?.value;
});
afterEach(() => subject.close());

const signIn = (from: Origin, password = goodPassword, who = email) =>
  subject.identity.signIn({ email: who, password }, from);

/** Guesses from an address until it is refused; answers how many were checked. */
async function guess(from: Origin, who = email): Promise<number> {
  for (let checked = 0; ; checked += 1) {
    const code: unknown = await signIn(from, 'not the password', who).catch((error: { code: unknown }) => error.code);
    if (code === 'too-many-requests') return checked;
    expect(code).toBe('invalid-credentials');
  }
}

describe('an attacker', () => {
  test('has half of the budget from one address, and the rest from all others together', async () => {
    expect(await guess(unknownBrowser('203.0.113.1'))).toBe(4);
    expect(await guess(unknownBrowser('203.0.113.2'))).toBe(4);
    expect(await guess(unknownBrowser('203.0.113.3'))).toBe(0);
    // The right password is no way to find out, either.
    await expect(signIn(unknownBrowser('203.0.113.4'))).rejects.toMatchObject(tooMany);
  });

  test('with a whole network of addresses of IPv6 has one', async () => {
    let checked = 0;
    for (let n = 1; n <= 3; n += 1) checked += await guess(unknownBrowser(`2001:db8:0:1::${n}`));
    expect(checked).toBe(4);
  });

  test('may try as many again in the next quarter of an hour: below 100 an hour', async () => {
    expect(await guess(unknownBrowser('203.0.113.1'))).toBe(4);
    subject.pass(quarter);
    expect(await guess(unknownBrowser('203.0.113.1'))).toBe(4);
  });

  test('trying many accounts is stopped by the address', async () => {
    let checked = 0;
    for (let n = 0; n < 30; n += 1) {
      const code = await signIn(unknownBrowser('203.0.113.9'), 'not the password', uniqueEmail()).catch(
        (error: { code: unknown }) => error.code,
      );
      if (code === wrong.code) checked += 1;
    }
    // The last 10 of the 40 are tried below, with sign-ins that are right: they count, too.
    expect(checked).toBe(30);
    for (let n = 0; n < 10; n += 1) await signIn(unknownBrowser('203.0.113.9'));
    await expect(signIn(unknownBrowser('203.0.113.9'))).rejects.toMatchObject(tooMany);
  });

  test('has the same budget for e-mails that nobody has, so that it tells nothing', async () => {
    const nobody = uniqueEmail();
    expect(await guess(unknownBrowser('203.0.113.1'), nobody)).toBe(4);
    expect(await guess(unknownBrowser('203.0.113.2'), nobody)).toBe(4);
    expect(await guess(unknownBrowser('203.0.113.3'), nobody)).toBe(0);
  });

  test('gets no further with a mark that is of another account, changed, made up or old', async () => {
    const other = uniqueEmail('other');
    const input = { companyName: 'Theirs', email: other, password: goodPassword };
    const theirs = (await subject.identity.signUp(input, unknownBrowser('203.0.113.1'))).device?.value ?? '';
    await guess(unknownBrowser('203.0.113.1'));
    await guess(unknownBrowser('203.0.113.2'));
    const [id = '', expires = '', seal = ''] = (mark ?? '').split('.');
    const forged = [
      theirs,
      `${theirs.split('.')[0]}.${expires}.${seal}`,
      `${id}.zzzzzzzzz.${seal}`,
      `${id}.${expires}.`,
      `${id}.${expires}`,
      'x'.repeat(4000),
      '..',
      '',
    ];
    for (const device of forged) await expect(signIn({ ip: '203.0.113.3', device })).rejects.toMatchObject(tooMany);
    subject.pass(180 * 86_400_000);
    await guess(unknownBrowser('203.0.113.1'));
    await guess(unknownBrowser('203.0.113.2'));
    await expect(signIn({ ip: home, device: mark })).rejects.toMatchObject(tooMany);
  });

  test('who has stolen a mark has the budget of that browser alone', async () => {
    expect(await guess({ ip: '203.0.113.1', device: mark })).toBe(4);
    expect(await guess({ ip: '203.0.113.2', device: mark })).toBe(0);
  });

  test('is counted where a sign-up tries the password of an account, too', async () => {
    const outsider = uniqueEmail();
    await subject.provider.createUser({ uid: 'outside', email: outsider, password: goodPassword });
    const from = unknownBrowser('203.0.113.1');
    const signUp = (password: string) =>
      subject.identity.signUp({ companyName: 'Mine', email: outsider, password }, from);
    for (let n = 0; n < 4; n += 1) {
      await expect(signUp('copper lanterns hum 48')).rejects.toMatchObject({ code: 'email-already-in-use' });
    }
    await expect(signUp(goodPassword)).rejects.toMatchObject({ code: 'email-already-in-use' });
    await expect(signIn(from, goodPassword, outsider)).rejects.toMatchObject(tooMany);
  });

  test('is counted where a signed-in person confirms the password', async () => {
    const { session } = await signIn({ ip: home, device: mark });
    const actor = await subject.authenticate(session.idToken);
    const from = { ip: '203.0.113.1', device: undefined, refreshToken: undefined };
    const confirm = (password: string) => subject.identity.reauthenticate(actor, { password }, from);
    for (let n = 0; n < 4; n += 1) await expect(confirm('not the password')).rejects.toMatchObject(wrong);
    await expect(confirm(goodPassword)).rejects.toMatchObject(tooMany);
  });
});

describe('the owner, while somebody guesses from everywhere', () => {
  beforeEach(async () => {
    await guess(unknownBrowser('203.0.113.1'));
    await guess(unknownBrowser('203.0.113.2'));
  });

  test('still gets in from a browser used before, at whatever address', async () => {
    for (const ip of [home, '198.51.100.8']) {
      const { device } = await signIn({ ip, device: mark });
      await expect(signIn({ ip, device: device?.value })).resolves.toHaveProperty('session');
    }
  });

  test('still gets in there when the attack comes from the same address and has used that up', async () => {
    const office = '203.0.113.1';
    for (let n = 0; n < 50; n += 1) await signIn(unknownBrowser(office), 'x', uniqueEmail()).catch(() => {});
    await expect(signIn(unknownBrowser(office), goodPassword, uniqueEmail())).rejects.toMatchObject(tooMany);
    await expect(signIn({ ip: office, device: mark })).resolves.toHaveProperty('session');
  });

  test('gets in from a new browser with a mailed link, which makes it one used before', async () => {
    const from = unknownBrowser('198.51.100.9');
    await expect(signIn(from)).rejects.toMatchObject(tooMany);
    await subject.identity.sendPasswordReset({ email }, from);
    await subject.work();
    const oobCode = new URL(subject.mails.at(-1)?.action?.url ?? '').searchParams.get('oobCode') ?? '';
    const newPassword = 'copper lanterns hum 48';
    const { device } = await subject.identity.confirmPasswordReset({ oobCode, newPassword }, from);
    await expect(signIn({ ...from, device: device?.value }, newPassword)).resolves.toHaveProperty('session');
  });
});

test('whoever signs in rightly, again and again, is not refused', async () => {
  for (let n = 0; n < 12; n += 1) await signIn(unknownBrowser('198.51.100.10'));
  for (let n = 0; n < 12; n += 1) await signIn({ ip: home, device: mark });
});

describe('mailed links', () => {
  test('are asked for so often from an address, and so often for an account, the latter without a word', async () => {
    const strict = await startTestIdentity({ rates: { ...rates, resetsPerHour: 7 } });
    const owner = (await strict.newCompany()).email;
    const ask = (ip: string) => strict.identity.sendPasswordReset({ email: owner }, unknownBrowser(ip));
    for (let n = 0; n < 7; n += 1) expect(await ask('203.0.113.1')).toBeNull();
    await expect(ask('203.0.113.1')).rejects.toMatchObject(tooMany);
    expect(await ask('203.0.113.2')).toBeNull();
    await strict.work();
    expect(strict.mails).toHaveLength(5);
    await strict.close();
  });

  test('are tried so often from an address', async () => {
    const from = unknownBrowser('203.0.113.1');
    const codes = Array.from({ length: 10 }, (_, n) => `made-up-${n}`);
    for (const oobCode of codes) {
      const confirmed = subject.identity.confirmPasswordReset({ oobCode, newPassword: goodPassword }, from);
      await expect(confirmed).rejects.toMatchObject({ code: 'invalid-code' });
      await expect(subject.identity.verifyResetCode({ oobCode }, from)).rejects.toMatchObject({ code: 'invalid-code' });
    }
    await expect(subject.identity.verifyResetCode({ oobCode: 'one more' }, from)).rejects.toMatchObject(tooMany);
  });
});

test('one address that has 200 passwords hashed at once gets its share, and everyone else in', async () => {
  const open = await startTestIdentity();
  try {
    const people = await Promise.all(Array.from({ length: 10 }, () => open.newCompany()));
    const from = (ip: string, who: string, password: string) =>
      open.identity.signIn({ email: who, password }, unknownBrowser(ip)).then(
        () => 'signed in',
        (error: { code: unknown }) => error.code,
      );
    const crowd = Array.from({ length: 200 }, () => from('203.0.113.1', uniqueEmail(), 'not the password'));
    const others = Array.from({ length: 60 }, (_, n) =>
      from(n < 20 ? '203.0.113.2' : `198.51.100.${n}`, people[n % 10]?.email ?? '', goodPassword),
    );
    expect(new Set(await Promise.all(others))).toEqual(new Set(['signed in']));
    const codes = await Promise.all(crowd);
    expect(codes.filter((code) => code === 'invalid-credentials').length).toBeGreaterThan(50);
    expect(codes.filter((code) => code === 'too-many-requests').length).toBeGreaterThan(0);
  } finally {
    await open.close();
  }
});
