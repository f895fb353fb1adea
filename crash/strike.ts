import { setTimeout as wait } from 'node:timers/promises';
import { databaseIn, type Place, processesIn } from '#server/testing/server-process.ts';
import type { Random } from './random.ts';

export type Victim = 'server' | 'parser' | 'database' | 'connection';

const weights: Record<Victim, number> = { server: 5, parser: 2, database: 2, connection: 1 };

const databaseProcess = /^postgres: /;

/** Kills (`kill -9`) the server, a parser, the database, or one of the database's processes. @returns which */
export async function strike(place: Place, serverPid: number, random: Random): Promise<Victim> {
  const victim = random.weighted(weights);
  const pid = await pidOf(victim, place, random);
  if (pid !== undefined && killed(pid)) return victim;
  process.kill(serverPid, 'SIGKILL');
  return 'server';
}

/** False where it has ended by itself since it was seen: a parser may at any moment. */
function killed(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** undefined where there is none at the moment */
async function pidOf(victim: Victim, place: Place, random: Random): Promise<number | undefined> {
  if (victim === 'server') return undefined;
  if (victim === 'database') return (await databaseIn(place).catch(() => undefined))?.pid;
  const sought = victim === 'parser' ? /sandbox\/child\.ts/ : databaseProcess;
  const found = (await processesIn(place)).filter(({ command }) => sought.test(command));
  return found.length === 0 ? undefined : random.pick(found).pid;
}

/** The database's processes but for the first. When one of them is killed, that one ends all others and begins anew. */
export async function databaseProcesses(place: Place): Promise<number[]> {
  return (await processesIn(place)).filter(({ command }) => databaseProcess.test(command)).map(({ pid }) => pid);
}

/** Kills a server that has only begun to start. */
export async function strikeAtStart(place: Place, afterMs: number): Promise<void> {
  await wait(afterMs);
  for (const { pid, command } of await processesIn(place)) {
    if (command.includes('server/main.ts')) killed(pid);
  }
}
