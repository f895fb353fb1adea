import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError, httpStatus } from '#contract/errors.ts';

/** A server that wants the password confirmed before anybody is removed. */
const state = { confirmed: false, asked: [] as string[] };
const password = 'walk the long pier at dawn';
const server = createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  const name = request.url?.slice('/v1/'.length) ?? '';
  state.asked.push(name);
  const fail = (error: AppError) =>
    response.writeHead(httpStatus[error.status]).end(JSON.stringify({ error: error.toWire() }));
  const result = (value: unknown) => response.end(JSON.stringify({ result: value }));
  const grant = (idToken: string) => result({ user, idToken, expiresAt: new Date(Date.now() + 900_000).toISOString() });
  if (name === 'refreshSession') return grant('old');
  if (name === 'getSession') return result({ user });
  if (name === 'reauthenticate') {
    if (JSON.parse(body).data.password !== password) return fail(new AppError('invalid-credentials'));
    state.confirmed = true;
    return grant('new');
  }
  if (!state.confirmed) return fail(new AppError('recent-sign-in-required'));
  return result({ message: `removed with ${request.headers.authorization}` });
});
const user = { uid: 'u', email: 'mara@nordwind.example', role: 'admin', companyId: 'c' };
const realFetch = globalThis.fetch;

beforeEach(async () => {
  Object.assign(state, { confirmed: false, asked: [] });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no address');
  globalThis.fetch = (path, init) => realFetch(`http://127.0.0.1:${address.port}${path}`, init);
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
  vi.resetModules();
});

afterEach(async () => {
  vi.unstubAllGlobals();
  globalThis.fetch = realFetch;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const page = async () => ({ ...(await import('./recent-sign-in.ts')), ...(await import('./call.ts')) });
const person = { userIdToDelete: '00000000-0000-4000-8000-000000000001' };

/** The dialog as far as this matters: it is told when the question opens. */
function dialog(watch: (listener: () => void) => () => void, wanted: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    watch(() => wanted() && resolve());
  });
}

test('the password is asked for once, and everything that waited for it is done with the new token', async () => {
  const { call, confirmPassword, watchPasswordRequest, passwordWanted } = await page();
  const asked = dialog(watchPasswordRequest, passwordWanted);
  const removals = Promise.all([call('deleteUser', person), call('deleteUser', person)]);
  await asked;
  await expect.poll(() => state.asked.filter((name) => name === 'deleteUser')).toHaveLength(2);
  await confirmPassword({ password: password });
  expect(await removals).toEqual(Array(2).fill({ message: 'removed with Bearer new' }));
  expect(passwordWanted()).toBe(false);
  expect(state.asked.filter((name) => name === 'reauthenticate')).toHaveLength(1);
});

test('a wrong password leaves the question open, and ends no session', async () => {
  const { call, confirmPassword, watchPasswordRequest, passwordWanted } = await page();
  const asked = dialog(watchPasswordRequest, passwordWanted);
  const removal = call('deleteUser', person);
  await asked;
  await expect(confirmPassword({ password: 'not the right one' })).rejects.toMatchObject({
    code: 'invalid-credentials',
  });
  expect(passwordWanted()).toBe(true);
  expect(state.asked.filter((name) => name === 'refreshSession')).toHaveLength(1);
  await confirmPassword({ password: password });
  expect(await removal).toEqual({ message: 'removed with Bearer new' });
});

test('who would rather not confirm has done nothing', async () => {
  const { call, dismissPasswordRequest, watchPasswordRequest, passwordWanted } = await page();
  const asked = dialog(watchPasswordRequest, passwordWanted);
  const removal = call('deleteUser', person);
  await asked;
  dismissPasswordRequest();
  await expect(removal).rejects.toMatchObject({ code: 'cancelled' });
  expect(state.asked.filter((name) => name === 'deleteUser')).toHaveLength(1);
});

test('without a dialog on the page the refusal is passed on', async () => {
  const { call } = await page();
  await expect(call('deleteUser', person)).rejects.toMatchObject({ code: 'recent-sign-in-required' });
});
