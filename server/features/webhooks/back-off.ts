import { deliveryDays, failingDays } from '#contract/webhooks.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
export const deliveryMs = deliveryDays * 24 * hourMs;
export const failingMs = failingDays * 24 * hourMs;

/** So many attempts in a row fail, and it is the receiver: nothing else is sent to it for a while. */
export const failuresUntilPause = 5;
const waits = [1 * minuteMs, 5 * minuteMs, 15 * minuteMs, 1 * hourMs, 3 * hourMs, 6 * hourMs, 12 * hourMs];
const maxPauseMs = 30 * minuteMs;

/**
 * How long an event waits after so many attempts, in milliseconds: in all it is tried ten times or so in three days.
 */
export function waitAfter(attempts: number): number {
  return waits[Math.min(attempts, waits.length) - 1] ?? minuteMs;
}

/** How long nothing is sent to a receiver that has failed so often in a row; 0: as before. */
export function pauseAfter(failures: number): number {
  if (failures < failuresUntilPause) return 0;
  return Math.min(minuteMs * 2 ** Math.min(failures - failuresUntilPause, 10), maxPauseMs);
}
