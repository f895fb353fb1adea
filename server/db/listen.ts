import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Channel } from './db.ts';

type Heard = (payload: Record<string, unknown>) => void;

/**
 * One connection that hears notifications for the whole process, opened at the first `listen`. When it breaks it is
 * opened again; what was sent in between is lost, so listeners read the state again now and then.
 */
export function openListener(connection: pg.PoolConfig, log: Logger) {
  const listeners = new Map<Channel, Set<Heard>>();
  let client: Promise<pg.Client> | undefined;
  let closed = false;

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client(connection);
    fresh.on('error', (error) => {
      log.warn({ error: error.message }, 'the listening database connection broke');
      void reconnect();
    });
    fresh.on('notification', ({ channel, payload }) => {
      const content: Record<string, unknown> = JSON.parse(payload ?? '{}');
      for (const heard of listeners.get(channel as Channel) ?? []) heard(content);
    });
    await fresh.connect();
    for (const channel of listeners.keys()) await fresh.query(`listen ${pg.escapeIdentifier(channel)}`);
    return fresh;
  }

  async function reconnect(): Promise<void> {
    client = undefined;
    while (!closed && listeners.size > 0) {
      try {
        client = connect();
        await client;
        return;
      } catch {
        client = undefined;
        await wait(1000);
      }
    }
  }

  return {
    async listen(channel: Channel, heard: Heard): Promise<() => void> {
      const known = listeners.get(channel);
      const all = known ?? new Set();
      all.add(heard);
      listeners.set(channel, all);
      client ??= connect();
      const connected = await client;
      if (!known) await connected.query(`listen ${pg.escapeIdentifier(channel)}`);
      return () => {
        all.delete(heard);
      };
    },

    async close(): Promise<void> {
      closed = true;
      await client?.then((each) => each.end()).catch(() => {});
    },
  };
}
