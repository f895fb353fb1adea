import type { Faults } from '../faults.ts';
import type { Clock } from './clock.ts';
import type { Store } from './store.ts';

/** Everything that the simulator's parts share. */
export interface World {
  store: Store;
  clock: Clock;
  faults: Faults;
  /** Where its own pages are reached, without a slash at the end. */
  baseUrl(): string;
  settings: Settings;
  /** The API request that is being answered: events name it. */
  request: { id: string | null; key: string | null };
  /** Called when an event was made, so that it is sent. */
  onEvent(id: string): void;
}

export interface Settings {
  /** Days between a failed attempt and the next one; their number is the number of retries. */
  retryDays: number[];
  /** What becomes of a subscription when the last retry has failed. */
  afterRetries: 'canceled' | 'unpaid' | 'past_due';
  /** Milliseconds before the n-th redelivery of an event (0: the first). */
  redeliveryMs: (attempt: number) => number;
}

export const defaultSettings: Settings = {
  retryDays: [3, 5, 7],
  afterRetries: 'unpaid',
  // Grows to once an hour; given up after three days, see `webhooks.ts`.
  redeliveryMs: (attempt) => Math.min(1000 * 2 ** attempt, 3_600_000),
};
