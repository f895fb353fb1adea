import { createStore, useStore } from './store.ts';

const message = createStore<string | null>(null);

/**
 * Says on the login screen why something was not done: the page it was to be done on is left as soon as the session has
 * ended, and whatever that page would say goes with it.
 */
export function tellAtLogin(text: string): void {
  message.set(text);
}

/** The login screen has shown it, and the person has gone on. */
export function dismissLoginMessage(): void {
  message.set(null);
}

/** What the login screen is to say, when a page was left for it. */
export function useLoginMessage(): string | null {
  return useStore(message);
}
