import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectGarbage } from '#server/lib/garbage.ts';

/** As exact as the histogram can be asked to be. */
const resolutionMs = 1;

/**
 * The longest time, in milliseconds, for which this process kept its event loop from turning while the work ran. On a
 * busy machine a turn may come late through no fault of the process, so that what a late one counts is the processor
 * time that this thread took in between, where that is less. What others have left behind is collected before.
 */
export async function longestHoldMs(work: () => Promise<unknown>): Promise<number> {
  collectGarbage();
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  let most = 0;
  let before = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    most = Math.max(most, (user + system) / 1000);
  };
  // From the beginning of a turn: what has led up to this call is not the work's.
  await new Promise((resolve) => setTimeout(resolve, 2 * resolutionMs));
  before = process.threadCpuUsage();
  delay.enable();
  const looking = setInterval(look, resolutionMs);
  try {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 2 * resolutionMs));
  } finally {
    clearInterval(looking);
    delay.disable();
  }
  look();
  return Math.min(most, delay.max / 1e6);
}

/**
 * The shortest of the longest holds of up to three tries at the same work: what the machine does beside it only adds,
 * and does not do so each time. One try within the limit is enough.
 * @param undo brings back, outside of the measurement, what a further try starts from
 */
export async function leastHoldMs(
  limitMs: number,
  work: () => Promise<unknown>,
  undo?: () => Promise<unknown>,
): Promise<number> {
  let least = await longestHoldMs(work);
  for (let tries = 1; tries < 3 && least > limitMs; tries++) {
    await undo?.();
    least = Math.min(least, await longestHoldMs(work));
  }
  return least;
}
