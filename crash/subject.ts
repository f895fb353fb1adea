import type { Place } from '#server/testing/server-process.ts';
import type { Storm } from './storm.ts';

/** What is killed: the product in one process or in several, with what it works on. */
export interface Subject {
  /** Where people reach it at the moment. */
  readonly url: string;
  /** Of its processes that answer or work at the moment. */
  readonly pids: readonly number[];
  readonly place: Place;
  /** As what commands beside it find its database. */
  readonly env: Record<string, string>;
  /** What was done to it so far, by name. */
  readonly kills: Record<string, number>;
  /** Asks its database. */
  query(statement: string): Promise<Record<string, unknown>[]>;
  /** Kills something. */
  strike(): Promise<Strike>;
  /** Stops it in order and starts it again. */
  restart(): Promise<void>;
  /** Stops it for good. @returns what it has left */
  stop(): Promise<string[]>;
  /** Ends whatever is left, and removes it. */
  clear(): Promise<void>;
}

export interface Strike {
  victim: string;
  /** Whether everything under way has to come to its end soon; else it is looked at another time. */
  isStrict: boolean;
  /**
   * Stops the storm where it can't go on, and resolves when people are served again.
   * @throws Error where they are not
   */
  recover(storm: Storm): Promise<void>;
  /** Resolves when nothing of it is away any more; some of it may be while people are served. */
  whole(): Promise<void>;
}

const backMs = 120_000;

/** @throws Error when it takes longer than anything may that comes back by itself */
export async function withinBack(work: Promise<void>, otherwise: string): Promise<void> {
  const timer = new AbortController();
  const late = new Promise<never>((_, reject) => {
    const timeout = setTimeout(() => reject(new Error(otherwise)), backMs);
    timer.signal.addEventListener('abort', () => clearTimeout(timeout));
  });
  await Promise.race([work, late]).finally(() => timer.abort());
}
