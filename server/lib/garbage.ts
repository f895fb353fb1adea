import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/** What garbage may take, in percent of what is in use, before all of it is collected. */
const garbagePercent = 50;

/**
 * Bounds what garbage takes while the process works. Left to itself the engine lets the heap of a large machine grow to
 * up to four times what is in use, and gives little of it back: under load memory rises for an hour (decision 0069). An
 * engine that does not know the setting goes on without it. It counts from the next collection of all on, so there is
 * one at once: the start has left a limit of several times what it needed.
 */
export function boundGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${garbagePercent}`);
  collectGarbage();
}

/** Collects all garbage of this process at once. It holds everything for about a millisecond for each MB in use. */
export function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}

/**
 * Gives memory back when there is nothing to do: after the start, and after each time of work. The engine collects when
 * it runs out of room; a server that rests would keep for days what its start has left behind (100 of 300 MB).
 * @param everyMs how often it is looked whether there is anything to do
 * @param restful the part of that time for which a process at rest may have used a processor
 * @param worthwhileMs less work than this leaves too little behind for the 0.1 s that a collection takes
 * @returns the way to stop it
 */
export function collectGarbageAtRest({ everyMs = 10_000, restful = 0.03, worthwhileMs = 5000 } = {}): () => void {
  let before = process.cpuUsage();
  let workedMs = Number.POSITIVE_INFINITY;
  const look = () => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    const taken = (user + system) / 1000;
    workedMs += taken;
    if (taken > everyMs * restful || workedMs < worthwhileMs) return;
    workedMs = 0;
    collectGarbage();
  };
  const timer = setInterval(look, everyMs).unref();
  return () => clearInterval(timer);
}
