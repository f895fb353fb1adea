import type { CallOutput } from '#contract/calls.ts';
import { createResource } from '#web/lib/resource.ts';
import { useStore } from '#web/lib/store.ts';
import { withRetry } from './retry.ts';
import { send } from './wire.ts';

/** The brand, whether payment and sign-up are on, and whether this browser has a session. */
export type Settings = CallOutput<'getSettings'>;

let reading: Promise<Settings> | null = null;
const settings = createResource(readSettings);

/** The brand, and whether payment and sign-up are on; null until known. */
export function useSettings(): Settings | null {
  const now = useStore(settings);
  return now.state === 'ready' ? now.data : null;
}

/** Read once for a page. @throws AppError when the server can't be reached */
export function readSettings(): Promise<Settings> {
  reading ??= withRetry(() => send('getSettings', null, { bearer: null })).catch((error: unknown) => {
    reading = null;
    throw error;
  });
  return reading;
}
