import { createStore, useStore } from '#web/lib/store.ts';

/** `offline`: this device has no network. `down`: it has one, and the server does not answer. */
export type Connection = 'up' | 'offline' | 'down';

/** Milliseconds between two looks while the server does not answer, and after which a look has failed. */
const intervalMs = 2000;
const timeoutMs = 5000;

/** The window tells of its network; a program that makes calls has none. */
const network: EventTarget = typeof window === 'undefined' ? new EventTarget() : window;
const current = createStore<Connection>('up');
let looking: Promise<void> | null = null;

/** Whether the server can be reached, as it is now and as it changes. */
export function useConnection(): Connection {
  return useStore(current);
}

export function connectionNow(): Connection {
  return current.value;
}

/**
 * A request has failed without an answer: looks whether the server is gone, until it is there again. One request may
 * fail alone (a proxy that ends an idle stream), so it is never taken for the whole connection.
 */
export function noteFailure(): void {
  void whenReachable();
}

/** Resolves when the server answers: at once where it does, else as soon as it is there again. */
export function whenReachable(): Promise<void> {
  looking ??= look().finally(() => {
    looking = null;
  });
  return looking;
}

/** Calls `listener` each time that the server is there again. Returns the way to stop. */
export function onReconnect(listener: () => void): () => void {
  let before = current.value;
  return current.subscribe(() => {
    const now = current.value;
    if (before !== 'up' && now === 'up') listener();
    before = now;
  });
}

async function look(): Promise<void> {
  while (!(await isReachable())) {
    change(navigator.onLine ? 'down' : 'offline');
    await networkOr(intervalMs);
  }
  change('up');
}

async function isReachable(): Promise<boolean> {
  try {
    const { ok } = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) });
    return ok;
  } catch {
    // Whatever it is that hinders a request, the next look is what counts.
    return false;
  }
}

function change(next: Connection): void {
  if (next !== current.value) current.set(next);
}

/** Waits so long, less when the network comes or goes meanwhile. */
function networkOr(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      network.removeEventListener('online', go);
      network.removeEventListener('offline', go);
      resolve();
    };
    const timer = setTimeout(go, milliseconds);
    network.addEventListener('online', go);
    network.addEventListener('offline', go);
  });
}

network.addEventListener('offline', noteFailure);
