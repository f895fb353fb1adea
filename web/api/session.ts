import type { CallInput, CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { createChanges, createStore, useStore } from '#web/lib/store.ts';
import { beginSession, endSession, forgetKept, hasSession } from './kept-in-tab.ts';
import { withRetry } from './retry.ts';
import { readSettings } from './settings.ts';
import { send } from './wire.ts';

/** Who is signed in, for which company, and what it may do. */
export type Session = CallOutput<'getSession'>;

export type SessionState =
  /** `problem`: what keeps it from being known; `restartSession` tries again. */
  { state: 'loading'; problem?: AppError } | { state: 'signed-out' } | { state: 'signed-in'; session: Session };

type Grant = Pick<CallOutput<'signIn'>, 'user' | 'idToken' | 'expiresAt'>;

/** Held in memory alone: what stands in a store of the browser can be read by whatever script gets to run. */
let grant: (Grant & { until: number }) | null = null;
let starting: Promise<SessionState> | null = null;
let refreshing: Promise<Grant> | null = null;
const current = createStore<SessionState>({ state: 'loading' }, () => void knownSession());
const leaving = createChanges();
const tabs = new BroadcastChannel('footnote-session');

/** The session as it is now, and as it changes; asks the server for it when nobody has yet. */
export function useSession(): SessionState {
  return useStore(current);
}

/** The session once it is known; a problem with finding out counts as signed out. */
export function knownSession(): Promise<SessionState> {
  starting ??= start();
  return starting;
}

/** Asks again after a problem. */
export function restartSession(): void {
  current.set({ state: 'loading' });
  starting = start();
}

/** Reads company, role and entitlements again (after paying, for example). */
export async function reloadSession(): Promise<void> {
  await readSession();
}

/** The same after something that is done without it, and must not wait for it, nor be told as failed when it fails. */
export function reloadSessionSoon(): void {
  readSession().catch((error: unknown) => console.warn('The session could not be read anew yet.', error));
}

/** Told of the version of the assistant that has answered: what the session says of another one is old. */
export function noteAgentVersion(version: number | undefined): void {
  const { value } = current;
  if (version === undefined || value.state !== 'signed-in' || value.session.assistant.version === version) return;
  readSession().catch((error: unknown) => console.warn('The assistant could not be read anew yet.', error));
}

/** Signs in. @throws AppError `invalid-credentials`, `too-many-requests` */
export async function signIn(input: CallInput<'signIn'>): Promise<void> {
  enter(await send('signIn', input, { bearer: null }));
}

/** Where to go to sign in with the provider of the e-mail's company. @throws AppError `single-sign-on-not-found` */
export const beginSingleSignOn = (email: string): Promise<CallOutput<'beginSingleSignOn'>> =>
  send('beginSingleSignOn', { email }, { bearer: null });

/** Ends what was begun with a provider. @param search of the address that it has led back to */
export async function completeSingleSignOn(search: string): Promise<CallOutput<'completeSingleSignOn'>['purpose']> {
  const { purpose, session } = await oneAtATime(() => send('completeSingleSignOn', { search }, { bearer: null }));
  if (session) enter(session);
  return purpose;
}

/**
 * Creates a company and signs its admin in. @throws AppError `email-already-in-use`, `weak-password`, `signup-closed`
 */
export async function signUp(input: CallInput<'signUp'>): Promise<CallOutput<'signUp'>> {
  const created = await send('signUp', input, { bearer: null });
  enter(created);
  return created;
}

/**
 * Signs out here and in every other tab; the screens change at once, the server is told as soon as it hears, though the
 * page be left meanwhile: the next one would be let in.
 */
export async function signOut(): Promise<void> {
  const ended = withRetry(() => send('signOut', null, { bearer: null, keepalive: true }));
  forget();
  tabs.postMessage({ type: 'signed-out' });
  await ended.catch((error: unknown) => console.warn('The server could not be told of the sign-out.', error));
}

/** Calls back when the person leaves, so that nothing of theirs is kept. Returns the way to stop it. */
export function onSignOut(listener: () => void): () => void {
  return leaving.subscribe(listener);
}

/** Whether this browser was left signed in, as far as can be said without asking. Not a secret. */
export function mayBeSignedIn(): boolean {
  return hasSession();
}

/**
 * The bearer for a call; refreshed when it is about to end.
 * @param rejected a bearer that the server has just refused
 * @returns null when nobody is signed in
 */
export async function bearer(rejected?: string): Promise<string | null> {
  if (grant && grant.idToken !== rejected && Date.now() < grant.until) return grant.idToken;
  if (current.value.state === 'signed-out' || (!grant && !(await maybeSomebody()))) return null;
  try {
    return (await refresh(rejected)).idToken;
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 'UNAUTHENTICATED') throw error;
    forget();
    return null;
  }
}

/** Takes over a session that a call of the person signed in has answered, here and in the other tabs. */
export function adoptGrant(fresh: Grant): void {
  take(fresh);
  tabs.postMessage({ type: 'refreshed', grant: fresh });
}

/** A token is renewed this long before its end, so that it does not end on its way. */
const margin = 30_000;

async function start(): Promise<SessionState> {
  try {
    if (!grant && !(await maybeSomebody())) forget();
    else {
      if (!grant) await refresh();
      await readSession();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.status === 'UNAUTHENTICATED') forget();
    else if (current.value.state === 'loading') current.set({ state: 'loading', problem: error });
  }
  return current.value;
}

/**
 * Whether it is worth asking for a session. A visitor who has none would be refused, and the browser report that as an
 * error; where the server cannot say, the refusal does.
 */
async function maybeSomebody(): Promise<boolean> {
  if (hasSession()) return true;
  return readSettings().then(
    (settings) => settings.hasSession,
    () => true,
  );
}

/** One refresh at a time in the whole browser: the cookie changes with each, and the old one would look stolen. */
function refresh(rejected?: string): Promise<Grant> {
  refreshing ??= withRetry(() =>
    oneAtATime(async () => {
      // Another tab may have done it while this one waited.
      if (grant && grant.idToken !== rejected && Date.now() < grant.until) return grant;
      const fresh = await send('refreshSession', null, { bearer: null });
      adoptGrant(fresh);
      return fresh;
    }),
  ).finally(() => {
    refreshing = null;
  });
  return refreshing;
}

/** Does what changes the refresh cookie, one after the other in the whole browser. */
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  // Browsers hide locks from pages served without TLS on another machine; there the server's own leniency has to do.
  return 'locks' in navigator ? navigator.locks.request('footnote-refresh', work) : work();
}

async function readSession(): Promise<void> {
  const asked = grant;
  if (!asked) return;
  let session: Session;
  try {
    session = await withRetry(() => send('getSession', null, { bearer: asked.idToken }));
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 'UNAUTHENTICATED' || !grant) throw error;
    const { idToken } = await refresh(asked.idToken);
    session = await withRetry(() => send('getSession', null, { bearer: idToken }));
  }
  if (grant) current.set({ state: 'signed-in', session });
}

/** Somebody has just signed in here. */
function enter(fresh: Grant): void {
  leaving.tell();
  forgetKept();
  beginSession();
  current.set({ state: 'loading' });
  take(fresh);
  tabs.postMessage({ type: 'signed-in', grant: fresh });
  starting = start();
}

function take(fresh: Grant): void {
  const before = grant?.user;
  grant = { ...fresh, until: Date.now() + lifetime(fresh) - margin };
  if (!hasSession()) beginSession();
  const changed = before && (before.role !== fresh.user.role || before.companyId !== fresh.user.companyId);
  if (changed) readSession().catch((error: unknown) => console.warn('The new role could not be read yet.', error));
}

/** How long the token holds, in milliseconds, by the server's clock alone: that of the browser may be hours off. */
function lifetime({ idToken, expiresAt }: Grant): number {
  try {
    const payload = idToken.split('.')[1] ?? '';
    const { iat, exp }: { iat: number; exp: number } = JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')));
    const seconds = exp - iat;
    if (Number.isFinite(seconds)) return seconds * 1000;
  } catch {
    // Not a token that can be read: its owner says when it ends.
  }
  return Date.parse(expiresAt) - Date.now();
}

function forget(): void {
  grant = null;
  endSession();
  forgetKept();
  leaving.tell();
  current.set({ state: 'signed-out' });
}

tabs.onmessage = ({
  data,
}: MessageEvent<{ type: 'refreshed' | 'signed-in'; grant: Grant } | { type: 'signed-out' }>) => {
  if (data.type === 'signed-out') {
    if (current.value.state !== 'signed-out') forget();
    else forgetKept();
    return;
  }
  // A page that has not asked for the session (a login form) is left alone.
  if (!starting) return;
  const other = current.value.state === 'signed-in' && current.value.session.user.uid !== data.grant.user.uid;
  if (other) {
    leaving.tell();
    forgetKept();
  }
  take(data.grant);
  if (other || current.value.state === 'signed-out') {
    current.set({ state: 'loading' });
    starting = start();
  }
};
