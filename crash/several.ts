import { randomUUID } from 'node:crypto';
import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startOutsidePostgres } from '#server/testing/outside-postgres.ts';
import { type ReverseProxy, startProxy } from '#server/testing/proxy.ts';
import { allEnded, databaseIn, makePlace, type Place, processesIn } from '#server/testing/server-process.ts';
import { haveEnded, isAnother } from './alone.ts';
import { createMembers, isReady, type Member, type Members, type Role } from './members.ts';
import type { Random } from './random.ts';
import { databaseProcesses, type Helper, strike } from './strike.ts';
import { type Strike, type Subject, withinBack } from './subject.ts';

const weights = { web: 5, worker: 4, parser: 2, database: 1, connection: 1 };
/** For how long the others may be alone, in milliseconds. */
const maxAwayMs = 1500;
const database = ({ path }: Place) => join(path, 'database');

interface Running {
  place: Place;
  members: readonly Member[];
  all: Members;
  proxy: ReverseProxy;
  random: Random;
  note: (what: string) => void;
}

/**
 * Web processes and a worker on a database that none of them starts, behind a proxy; while one is killed or stopped and
 * started again, the rest serve.
 * @param processes how many of them, the worker included
 * @param settings of each of them; the address under which people reach them is added, and told
 */
export async function startSeveral(
  random: Random,
  processes: number,
  settings: Record<string, string>,
  tell: (url: string) => void,
): Promise<Subject> {
  const place = await makePlace();
  await mkdir(database(place), { mode: 0o755 });
  const postgres = await startOutsidePostgres(database(place));
  const roles = Array.from({ length: processes }, (_, i) => (i === 0 ? 'worker' : 'web'));
  const members = roles.map((role): Member => ({ role, server: null }));
  const proxy = await startProxy(() =>
    members.flatMap(({ role, server }) => (role === 'web' && server ? server.url : [])),
  );
  tell(proxy.url);
  const env = { DATA_DIR: place.dataDir, DATABASE_URL: postgres.url, SECRET_KEY: randomUUID() };
  const known = { PUBLIC_URL: proxy.url, TRUST_PROXY: 'loopback', DRAIN_SECONDS: '1' };
  const kills: Record<string, number> = {};
  const note = (what: string) => {
    kills[what] = (kills[what] ?? 0) + 1;
  };
  const all = createMembers({ members, place, settings: () => ({ ...env, ...settings, ...known }), random, note });
  const running = { place, members, all, proxy, random, note };
  await all.startAll();
  await all.allReady(proxy);

  return {
    url: proxy.url,
    get pids() {
      return all.pids();
    },
    place,
    env,
    kills,
    query: postgres.query,

    async strike() {
      const wanted = random.weighted(weights);
      if (wanted === 'web' || wanted === 'worker') return strikeMember(running, wanted);
      return (await strikeHelper(running, wanted)) ?? strikeMember(running, 'worker');
    },

    async restart() {
      await all.stopAll();
      await ageFolders(place);
      await all.startAll();
      await all.allReady(proxy);
    },

    async stop() {
      await all.stopAll();
      await postgres.stop();
      await withinBack(allEnded(place), 'not everything ended with the processes');
      return [];
    },

    async clear() {
      await proxy.close();
      await postgres.stop();
      for (const { pid } of await processesIn(place)) process.kill(pid, 'SIGKILL');
      await allEnded(place);
      await place.remove();
    },
  };
}

/** Kills one process; now and then one of the other kind is replaced at the same moment, as in an update. */
async function strikeMember({ members, all, proxy, random, note }: Running, role: Role): Promise<Strike> {
  const pick = (wanted: Role) => random.pick(members.filter((each) => each.role === wanted));
  const member = pick(role);
  await all.kill(member);
  note(role);
  const other = random.next() < 0.15 ? pick(role === 'web' ? 'worker' : 'web') : undefined;
  const awayMs = random.between(0, maxAwayMs);
  let whole: Promise<unknown> = Promise.resolve();
  return {
    victim: other ? `${role}, and a ${other.role} stopped` : role,
    isStrict: false,
    async recover() {
      const stopping = other && all.stopAndStart(other);
      const back = wait(awayMs).then(() => all.startAgain(member, other === undefined));
      whole = Promise.all([stopping, back]);
      // Said by whoever waits for it.
      whole.catch(() => {});
      await withinBack(isReady(proxy.url), 'the others did not answer');
    },
    async whole() {
      await whole;
      await withinBack(all.allReady(proxy), 'not all were ready again');
    },
  };
}

/** Kills what the processes work with. @returns null where there is none at the moment */
async function strikeHelper({ place, all, proxy, random, note }: Running, victim: Helper): Promise<Strike | null> {
  const first = () => databaseIn(database(place));
  const { pid } = await first();
  const before = await databaseProcesses(place);
  if (!(await strike(place, victim, first, random))) return null;
  note(victim);
  return {
    victim,
    isStrict: false,
    async recover() {
      if (victim === 'database') await withinBack(isAnother(first, pid), 'the database did not come back');
      if (victim === 'connection')
        await withinBack(haveEnded(place, before), 'the database went on without one of its own');
      await withinBack(all.allReady(proxy), 'not all were ready again');
    },
    whole: async () => {},
  };
}

/** Makes the folders of processes that are gone look as if they had been so for a day. */
async function ageFolders({ dataDir }: Place): Promise<void> {
  const then = new Date(Date.now() - 86_400_000);
  const temp = join(dataDir, 'temp');
  for (const name of await readdir(temp).catch(() => [])) await utimes(join(temp, name), then, then);
}
