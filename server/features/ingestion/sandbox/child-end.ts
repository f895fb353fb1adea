import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { ReasonCode } from '../reasons.ts';

/** What started the child ends as it did: with 128 and the number of the signal, where it was one. */
export function endOf(end: { code: number | null; signal: NodeJS.Signals | null }) {
  const [name] = Object.entries(constants.signals).find(([, number]) => number + 128 === end.code) ?? [];
  return name === undefined ? end : { code: null, signal: name };
}

/** Why a child ended that nobody killed: V8 and the allocator abort when memory runs out, the kernel kills. */
export function causeOf({ died, errors }: { died: string | null; errors: string }): ReasonCode {
  if (/heap out of memory|memory allocation|std::bad_alloc|Cannot allocate memory/i.test(errors))
    return 'too-much-memory';
  if (died === 'SIGKILL' || died === 'SIGABRT') return 'too-much-memory';
  if (died === 'SIGXCPU') return 'too-slow';
  return 'damaged';
}

/** Of what a process has said as it failed, where that was: the rest may be a file's own words, or its name. */
export function traceIn(errors: string): string[] {
  return (errors.match(/^\w*Error\b|^ +at .*$/gm) ?? []).slice(-12);
}

/** What a process holds of memory now, in MB; 0 where the system does not tell. */
export function residentMb(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
