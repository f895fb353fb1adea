import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { allEnded, databaseIn, makePlace, processesIn, startServerProcess } from '#server/testing/server-process.ts';
import { isReady } from './members.ts';
import type { Random } from './random.ts';
import { databaseProcesses, killed, strike, strikeAtStart } from './strike.ts';
import { type Subject, withinBack } from './subject.ts';

const weights = { server: 5, parser: 2, database: 2, connection: 1 };

/** One process with its own database: what `npm start` gives. */
export async function startAlone(random: Random, settings: Record<string, string>): Promise<Subject> {
  const place = await makePlace();
  const kills: Record<string, number> = {};
  const note = (what: string) => {
    kills[what] = (kills[what] ?? 0) + 1;
  };
  const socketFolders = new Set<string>();
  const database = () => databaseIn(place.dataDir);
  let server = await startServerProcess(place, settings);

  /** Starts it again, sometimes only after it was killed once more while it started. */
  async function start(): Promise<void> {
    await withinBack(allEnded(place), 'not everything ended with the server');
    if (random.next() < 0.2) {
      const starting = startServerProcess(place, settings).then(
        (started) => started.kill(),
        () => {},
      );
      await strikeAtStart(place, random.between(50, 1500));
      await starting;
      note('start');
      await withinBack(allEnded(place), 'not everything ended with the server');
    }
    server = await startServerProcess(place, settings);
  }

  return {
    get url() {
      return server.url;
    },
    get pids() {
      return [server.pid];
    },
    place,
    env: { DATA_DIR: place.dataDir },
    kills,
    query: (statement) => server.query(statement),

    async strike() {
      const { sockets, pid } = await database();
      socketFolders.add(sockets);
      const processes = await databaseProcesses(place);
      const wanted = random.weighted(weights);
      const found = wanted !== 'server' && (await strike(place, wanted, database, random));
      const victim = found ? wanted : 'server';
      if (victim === 'server') killed(server.pid);
      note(victim);
      return {
        victim,
        isStrict: victim === 'server' || victim === 'parser',
        async recover(storm) {
          if (victim === 'server') {
            await server.ended;
            await storm.stop();
            await start();
            return;
          }
          if (victim === 'database') await withinBack(isAnother(database, pid), 'the database did not come back');
          // Until they have ended, the server may well seem ready.
          if (victim === 'connection')
            await withinBack(haveEnded(place, processes), 'the database went on without one of its own');
          await withinBack(isReady(server.url), 'the server was not ready again');
          await storm.stop();
        },
        whole: async () => {},
      };
    },

    async restart() {
      await server.stop();
      await start();
    },

    async stop() {
      await server.stop();
      await withinBack(allEnded(place), 'not everything ended with the server');
      return [...socketFolders].filter((folder) => existsSync(folder)).map((folder) => `${folder} is left`);
    },

    async clear() {
      for (const { pid } of await processesIn(place)) process.kill(pid, 'SIGKILL');
      await allEnded(place);
      await place.remove();
    },
  };
}

/** Resolves when another database server runs than that one. */
export async function isAnother(database: () => Promise<{ pid: number }>, oldPid: number): Promise<void> {
  while (((await database().catch(() => null))?.pid ?? oldPid) === oldPid) await wait(50);
}

/** Resolves when these processes of the database have ended. */
export async function haveEnded(place: Subject['place'], processes: readonly number[]): Promise<void> {
  while ((await databaseProcesses(place)).some((pid) => processes.includes(pid))) await wait(50);
}
