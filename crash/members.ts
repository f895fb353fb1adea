import { setTimeout as wait } from 'node:timers/promises';
import type { ReverseProxy } from '#server/testing/proxy.ts';
import { type Place, type ServerProcess, startServerProcess } from '#server/testing/server-process.ts';
import type { Random } from './random.ts';
import { killed, strikeAtStart } from './strike.ts';
import { Violation } from './violation.ts';

export type Role = 'web' | 'worker';

/** One of several processes. */
export interface Member {
  role: Role;
  /** Null while it is away. */
  server: ServerProcess | null;
}

export type Members = ReturnType<typeof createMembers>;

/** Within which one that is asked to stop has to end. */
const stopMs = 60_000;

/**
 * Starts, stops and kills them.
 * @param note is told of kills and stops by their names
 */
export function createMembers({
  members,
  place,
  settings,
  random,
  note,
}: {
  members: readonly Member[];
  place: Place;
  settings: () => Record<string, string>;
  random: Random;
  note: (what: string) => void;
}) {
  const pids = () => members.flatMap(({ server }) => (server ? server.pid : []));

  async function start(member: Member): Promise<void> {
    member.server = await startServerProcess(place, { ...settings(), ROLE: member.role });
  }

  async function kill(member: Member): Promise<void> {
    const { server } = member;
    member.server = null;
    if (server) killed(server.pid);
    await server?.ended;
  }

  return {
    pids,
    kill,
    startAll: () => Promise.all(members.map(start)),

    /** Starts one again, sometimes only after it was killed once more while it started: where it alone is starting. */
    async startAgain(member: Member, isAlone: boolean): Promise<void> {
      if (random.next() < 0.2 && isAlone) {
        const others = pids();
        const starting = start(member).catch(() => {});
        await strikeAtStart(place, random.between(50, 1500), others);
        await starting;
        // It may have been quicker.
        await kill(member);
        note('start');
      }
      await start(member);
    },

    /** Asks one to stop, waits until it has ended, and starts it again. @throws Violation where it does not end */
    async stopAndStart(member: Member): Promise<void> {
      const { role, server } = member;
      if (!server) return;
      const ended = server.stop().then(() => true);
      const isInTime = await Promise.race([ended, wait(stopMs, false, { ref: false })]);
      member.server = null;
      if (!isInTime) throw new Violation(`a ${role} that was asked to stop had not ended after ${stopMs / 1000} s`);
      note('stopped');
      await start(member);
    },

    async stopAll(): Promise<void> {
      await Promise.all(members.map(({ server }) => server?.stop()));
      for (const member of members) member.server = null;
    },

    /** Resolves when all say that they are ready, and the proxy knows it. */
    async allReady(proxy: ReverseProxy): Promise<void> {
      await proxy.allReady();
      for (const { role, server } of members) if (role === 'worker' && server) await isReady(server.url);
    },
  };
}

/** Resolves when who is there says to be ready. */
export async function isReady(url: string): Promise<void> {
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await wait(50);
}
