import type { Logger } from 'pino';
import { ProviderFailure } from './provider-failure.ts';

/** Asks a service that the product can do without. */
export interface OptionalService {
  /**
   * What the work gives; null where it fails or takes too long. After a service was out of reach or too slow it is left
   * alone for a while, so that not everybody who asks waits for it.
   * @param signal of whoever waits
   * @throws the signal's reason where it was aborted, and nothing else
   */
  ask<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T | null>;
}

/** Failures that the next question would most likely meet, too, after a wait. */
const restMs = 10_000;

/**
 * @param timeoutMs how long it is waited for in all
 * @param log told once that the service fails, and once that it answers again
 */
export function optionalService({
  name,
  timeoutMs,
  log,
}: {
  name: string;
  timeoutMs: number;
  log?: Logger | undefined;
}): OptionalService {
  let isDown = false;
  let restsUntil = 0;
  return {
    async ask(signal, work) {
      if (performance.now() < restsUntil) return null;
      const limit = AbortSignal.timeout(timeoutMs);
      try {
        const result = await work(AbortSignal.any([signal, limit]));
        if (isDown) log?.info({ service: name }, 'a service answers again');
        isDown = false;
        return result;
      } catch (error) {
        signal.throwIfAborted();
        const reason = limit.aborted ? `took longer than ${timeoutMs / 1000} s` : reasonOf(error);
        if (!isDown) log?.warn({ service: name, reason }, 'a service fails, answers are made without it');
        isDown = true;
        if (limit.aborted || isAway(error)) restsUntil = performance.now() + restMs;
        return null;
      }
    },
  };
}

/** Not what one question alone has brought about. */
function isAway(error: unknown): boolean {
  return error instanceof ProviderFailure && (error.kind === 'unavailable' || error.kind === 'rate-limited');
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
