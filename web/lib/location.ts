import { useSyncExternalStore } from 'react';
import { createChanges } from './store.ts';

/**
 * The pages that anybody sees. They are drawn without the router and the components of the app, to be there at once.
 */
const publicPaths = ['/', '/login', '/signup', '/pricing', '/developers'];

export function isPublicPath(path: string): boolean {
  return publicPaths.includes(path.length > 1 ? path.replace(/\/$/, '') : path);
}

/** Decides on each step of the history before anybody else hears of it; null: nobody does. */
let holder: ((event: PopStateEvent) => void) | null = null;

// Heard in the order in which they came, capturing or not: so this one comes with the page, before any router.
globalThis.window?.addEventListener('popstate', (event) => holder?.(event));

/** Has each step of the history decided on first; who stops the event keeps it from the router. Null: no more. */
export function holdHistory(decide: typeof holder): void {
  holder = decide;
}

const changes = createChanges((tell) => {
  window.addEventListener('popstate', tell);
  return () => window.removeEventListener('popstate', tell);
});

/**
 * Goes to an address of this app without loading the page anew; used by the public pages and to get to and from them.
 * Within the signed-in app its router does this.
 */
export function navigate(to: string, options: { replace?: boolean; state?: { from: string } } = {}): void {
  if (options.replace) history.replaceState(options.state ?? null, '', to);
  else history.pushState(options.state ?? null, '', to);
  window.scrollTo(0, 0);
  changes.tell();
}

/** The part of the address that `read` picks, kept up to date. */
export function useLocation<T extends string | boolean>(read: (location: Location) => T): T {
  return useSyncExternalStore(changes.subscribe, () => read(window.location));
}

/** Where a guard sent the person away from: a path of this very app, whatever stands in the history. */
export function cameFrom(): string {
  const state: unknown = history.state;
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : null;
  return typeof from === 'string' ? sameOriginPath(from) : '/chat';
}

/**
 * Takes what must not stay in the address (a code that sets a password) out of it and of the history, before it can be
 * read over a shoulder, kept by the browser or sent along as the page that a link was followed from. `code` stays with
 * this one entry of the tab's history, so that a reload does not lose it; the entry is replaced when the code has done
 * its work.
 */
export function cleanAddress(to: string, code: string | null): void {
  history.replaceState({ ...Object(history.state), ...(code === null ? {} : { code }) }, '', to);
}

/** The code that was taken out of the address of this page before it was loaded again. */
export function keptCode(): string | null {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'code' in state && typeof state.code === 'string'
    ? state.code
    : null;
}

/**
 * Goes to a page of the payment provider. `back` is where the browser's Back leads from there: not to a form that has
 * done its work. Never resolves: what has led there stays on its way until this page is gone.
 */
export function leaveFor(url: string, back = window.location.pathname): Promise<never> {
  history.replaceState(null, '', back);
  // A browser may bring this page back as it was left: still leaving, and knowing nothing of what was paid meanwhile.
  window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload(), { once: true });
  window.location.assign(url);
  return new Promise(() => {});
}

/** The path if it stays in this app, else `/chat`. */
export function sameOriginPath(path: string): string {
  const origin = 'https://app.invalid';
  if (!path.startsWith('/') || !URL.canParse(path, origin)) return '/chat';
  const url = new URL(path, origin);
  return url.origin === origin && !isPublicPath(url.pathname) ? url.pathname + url.search + url.hash : '/chat';
}
