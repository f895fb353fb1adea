import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError, httpStatus } from '#contract/errors.ts';

/** The identity calls over HTTP on loopback: tokens are numbered, and only the newest is taken. */
const state = { cookie: true, refreshes: 0, newest: 0, role: 'admin', asked: [] as string[] };
const server = createServer(async (request, response) => {
  for await (const _ of request);
  const name = request.url?.slice('/v1/'.length) ?? '';
  const token = request.headers.authorization?.slice('Bearer '.length);
  state.asked.push(token ? `${name} ${token}` : name);
  const fail = (error: AppError) =>
    response.writeHead(httpStatus[error.status]).end(JSON.stringify({ error: error.toWire() }));
  const result = (value: unknown) => response.end(JSON.stringify({ result: value }));
  if (name === 'signOut') return result(null);
  if (name === 'getSettings') return result({ hasSession: state.cookie });
  if (name === 'refreshSession' || name === 'signIn') {
    if (name === 'refreshSession' && !state.cookie) return fail(new AppError('unauthenticated'));
    if (name === 'refreshSession') state.refreshes++;
    const expiresAt = new Date(Date.now() + 900_000).toISOString();
    return result({ user: user(), idToken: `t${++state.newest}`, expiresAt });
  }
  if (token !== `t${state.newest}`) return fail(new AppError('session-expired'));
  return result(name === 'getSession' ? { user: user() } : []);
});
const user = () => ({ uid: 'u', email: 'mara@nordwind.example', role: state.role, companyId: 'c' });
const realFetch = globalThis.fetch;

beforeEach(async () => {
  Object.assign(state, { cookie: true, refreshes: 0, newest: 0, role: 'admin', asked: [] });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no address');
  globalThis.fetch = (path, init) => realFetch(`http://127.0.0.1:${address.port}${path}`, init);
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  // A page of its own for each test: the session is the state of a page.
  vi.resetModules();
});

afterEach(async () => {
  vi.unstubAllGlobals();
  globalThis.fetch = realFetch;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const page = async () => ({ ...(await import('./session.ts')), ...(await import('./call.ts')) });

test('many calls at once share one refresh, and all carry its token', async () => {
  const { call } = await page();
  await Promise.all([call('listUsers', null), call('getCompanyFiles', null), call('listUsers', null)]);
  expect(state.refreshes).toBe(1);
  expect(state.asked.filter((each) => each.endsWith(' t1'))).toHaveLength(3);
});

test('a token ended early is replaced once, and the call made again', async () => {
  const { call } = await page();
  await call('listUsers', null);
  state.newest++;
  expect(await call('getCompanyFiles', null)).toEqual([]);
  expect(state.refreshes).toBe(2);
  expect(state.asked.slice(-3)).toEqual(['getCompanyFiles t1', 'refreshSession', 'getCompanyFiles t3']);
});

test('an ended session signs out, and tells those who keep something of the person', async () => {
  const { call, knownSession, onSignOut } = await page();
  expect(await knownSession()).toMatchObject({ state: 'signed-in', session: { user: { role: 'admin' } } });
  const forgotten = vi.fn();
  onSignOut(forgotten);
  state.cookie = false;
  state.newest++;
  await expect(call('listUsers', null)).rejects.toMatchObject({ code: 'session-expired' });
  expect(forgotten).toHaveBeenCalledOnce();
  expect(await call('getPlans', null).catch((error: AppError) => error.code)).toBe('session-expired');
  expect(state.asked.at(-1)).toBe('getPlans');
});

test('nobody signed in is known without a refused request', async () => {
  state.cookie = false;
  const { call, knownSession, mayBeSignedIn } = await page();
  expect(await knownSession()).toEqual({ state: 'signed-out' });
  expect(mayBeSignedIn()).toBe(false);
  await call('getPlans', null).catch(() => {});
  expect(state.asked).toEqual(['getSettings', 'getPlans']);
});

test('a session that has ended meanwhile signs out without an error', async () => {
  localStorage.setItem('footnote.signed-in', 'earlier');
  state.cookie = false;
  const { knownSession, mayBeSignedIn } = await page();
  expect(await knownSession()).toEqual({ state: 'signed-out' });
  expect(mayBeSignedIn()).toBe(false);
});

test('signing in and out; the token stands in no store of the browser', async () => {
  state.cookie = false;
  const { signIn, signOut, knownSession, mayBeSignedIn, bearer } = await page();
  const written = vi.spyOn(localStorage, 'setItem');
  await signIn({ email: 'mara@nordwind.example', password: 'walk the long pier' });
  expect(await knownSession()).toMatchObject({ state: 'signed-in' });
  expect(mayBeSignedIn()).toBe(true);
  await signOut();
  expect(await bearer()).toBeNull();
  expect(mayBeSignedIn()).toBe(false);
  expect(written.mock.calls.flat().some((text) => /^t\d/.test(text))).toBe(false);
});
