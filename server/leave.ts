import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '#server/config/config.ts';

/**
 * The first of a stop: `/readyz` says so, and for a while everything is still answered, so that whoever leads requests
 * here has time to lead them elsewhere. Nobody is led to a worker.
 */
export async function leave(
  leaving: AbortController,
  { role, drainSeconds }: Pick<Config, 'role' | 'drainSeconds'>,
): Promise<void> {
  leaving.abort();
  if (role !== 'worker') await wait(drainSeconds * 1000);
}
