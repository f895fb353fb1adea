import { expect, test } from 'vitest';
import { startTestApp } from '#server/testing/app.ts';
import { goodPassword, uniqueEmail } from '#server/testing/factories.ts';

const smtp = { url: 'smtp://127.0.0.1:1', from: 'a@example.com' };

test.each([
  ['a public address', { publicUrl: 'https://footnote.test', smtp }],
  ['within reach of other machines', { host: '0.0.0.0' }],
])('at %s, who takes the instance has the code that the start prints', async (_, settings) => {
  const app = await startTestApp({ signup: 'first', ...settings });
  const link = new URL((await app.app.setUpLink()) ?? '');
  expect(link.href).toMatch(/\/signup\?setupCode=[\w-]{43}$/);
  expect(link.origin).toBe(app.config.publicUrl);
  const person = { companyName: 'First', email: uniqueEmail(), password: goodPassword };
  for (const setupCode of [undefined, '', 'made-up', `${link.searchParams.get('setupCode')}x`]) {
    const code = setupCode === undefined ? {} : { setupCode };
    await expect(app.call('signUp', { ...person, ...code })).rejects.toMatchObject({ code: 'set-up-code-required' });
  }
  expect(await app.call('getSettings', null)).toMatchObject({ signupOpen: true, setupCodeNeeded: true });
  // The same until it is used, also after a restart: it is made of what the database keeps.
  expect(await app.app.setUpLink()).toBe(link.href);
  const setupCode = link.searchParams.get('setupCode') ?? '';
  const { idToken } = await app.call('signUp', { ...person, setupCode });
  expect((await app.call('getSession', null, { token: idToken })).user.emailConfirmed).toBe(true);
  expect(await app.app.setUpLink()).toBeNull();
  expect(await app.call('getSettings', null)).toMatchObject({ signupOpen: false, setupCodeNeeded: false });
  const second = app.call('signUp', { ...person, email: uniqueEmail(), setupCode });
  await expect(second).rejects.toMatchObject({ code: 'signup-closed' });
  await app.close();
});

test.each([
  ['on this machine', { signup: 'first' }],
  ['where anyone may sign up', { signup: 'open', publicUrl: 'https://footnote.test', smtp }],
] as const)('%s it takes none', async (_, settings) => {
  const app = await startTestApp(settings);
  expect(await app.app.setUpLink()).toBeNull();
  expect(await app.call('getSettings', null)).toMatchObject({ signupOpen: true, setupCodeNeeded: false });
  await expect(app.signUp()).resolves.toHaveProperty('company');
  await app.close();
});
