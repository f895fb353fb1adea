import { readdirSync, readFileSync } from 'node:fs';

/** What a process has done since the last look, in milliseconds. */
export interface Effort {
  /** Since it was started. */
  usedMs: number;
  /** Since it last said something. */
  silentMs: number;
}

/** Of the kernel's clock that `/proc` counts in: 100 a second on every Linux (USER_HZ, proc(5)). */
const tickMs = 10;

/**
 * Counts the time that a process takes of its own: on a busy machine it gets little, and that is not its fault. What
 * counts is processor time, of all its threads, and time in which none of them wanted any: a standstill. Where the
 * system does not tell (no `/proc`), all time counts.
 */
export class EffortClock {
  readonly #pid: number | undefined;
  readonly #intervalMs: number;
  #cpuMs: number | undefined;
  #lookedAt = performance.now();
  #usedMs = 0;
  #silentMs = 0;
  #heard = false;

  /** @param intervalMs how often it is looked at */
  constructor(pid: number | undefined, intervalMs: number) {
    this.#pid = pid;
    this.#intervalMs = intervalMs;
    this.#cpuMs = processorMs(pid);
  }

  /** It has said something. */
  hear(): void {
    this.#heard = true;
  }

  look(): Effort {
    const spent = this.#spentMs();
    this.#usedMs += spent;
    this.#silentMs = this.#heard ? 0 : this.#silentMs + spent;
    this.#heard = false;
    return { usedMs: this.#usedMs, silentMs: this.#silentMs };
  }

  #spentMs(): number {
    const before = this.#lookedAt;
    this.#lookedAt = performance.now();
    const cpuMs = processorMs(this.#pid);
    if (cpuMs === undefined || this.#cpuMs === undefined) return this.#lookedAt - before;
    const computed = cpuMs - this.#cpuMs;
    this.#cpuMs = cpuMs;
    if (this.#heard || wantsProcessor(this.#pid)) return computed;
    // When this process is held up itself, it looks late, and the other may be waiting for it.
    return Math.max(computed, Math.min(this.#lookedAt - before, this.#intervalMs));
  }
}

/** undefined where the system does not tell */
function processorMs(pid: number | undefined): number | undefined {
  try {
    const fields = afterName(readFileSync(`/proc/${pid}/stat`, 'latin1'));
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return undefined;
  }
}

/** Whether a thread of it runs, waits for its turn on a processor, or for a disk. */
function wantsProcessor(pid: number | undefined): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).some((thread) => {
      const [state = ''] = afterName(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1'));
      return state === 'R' || state === 'D';
    });
  } catch {
    return false;
  }
}

/** The fields after the process's name, which may hold spaces and parentheses; the first is its state. */
function afterName(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
