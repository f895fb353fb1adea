import { useSyncExternalStore } from 'react';

let message: string | null = null;
const listeners = new Set<() => void>();

/**
 * Says on the login screen why something was not done: the page it was to be done on is left as soon as the session has
 * ended, and whatever that page would say goes with it.
 */
export function tellAtLogin(text: string): void {
  change(text);
}

/** The login screen has shown it, and the person has gone on. */
export function dismissLoginMessage(): void {
  change(null);
}

/** What the login screen is to say, when a page was left for it. */
export function useLoginMessage(): string | null {
  return useSyncExternalStore(subscribe, () => message);
}

function change(next: string | null): void {
  message = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
