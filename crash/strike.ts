import { setTimeout as wait } from 'node:timers/promises';
import { type Place, processesIn } from '#server/testing/server-process.ts';
import type { Random } from './random.ts';

/** What is killed beside the processes of the product themselves. */
export type Helper = 'parser' | 'database' | 'connection';

const databaseProcess = /^postgres: /;
/** One that is starting, and one that has said what it reads. */
const parser = /sandbox\/child\.ts|^footnote-parser /;
const program = 'server/main.ts';

/**
 * Kills (`kill -9`) a parser, the database, or one of the database's processes.
 * @returns false where there is none at the moment
 */
export async function strike(
  place: Place,
  victim: Helper,
  database: () => Promise<{ pid: number }>,
  random: Random,
): Promise<boolean> {
  if (victim === 'database') {
    const found = await database().catch(() => undefined);
    return found !== undefined && killed(found.pid);
  }
  const sought = victim === 'parser' ? parser : databaseProcess;
  const found = (await processesIn(place)).filter(({ command }) => sought.test(command));
  return found.length > 0 && killed(random.pick(found).pid);
}

/** False where it has ended by itself since it was seen: a parser may at any moment. */
export function killed(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** The database's processes but for the first. When one of them is killed, that one ends all others and begins anew. */
export async function databaseProcesses(place: Place): Promise<number[]> {
  return (await processesIn(place)).filter(({ command }) => databaseProcess.test(command)).map(({ pid }) => pid);
}

/** Kills a server that has only begun to start. @param running those that did so before, and live */
export async function strikeAtStart(place: Place, afterMs: number, running: readonly number[] = []): Promise<void> {
  await wait(afterMs);
  for (const { pid, command } of await processesIn(place)) {
    if (command.includes(program) && !running.includes(pid)) killed(pid);
  }
}
