import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import { unlessAborted } from '#server/lib/unless-aborted.ts';

/** Locks by name that one process has at a time, of all that share the database. They end with their process. */
export interface SessionLocks {
  /**
   * Waits for the lock, and asks whoever holds it to let go. In one process only one may ask for a name at a time.
   * @param asked is called when another process wants it, again and again as long as it does, and when it is lost
   * @param signal ends the waiting
   * @returns what gives it back
   * @throws the signal's reason, or why the database can't be reached
   */
  acquire(name: string, asked: () => void, signal: AbortSignal): Promise<() => Promise<void>>;
  /** The same without waiting; null where another has it. */
  tryAcquire(name: string, asked: () => void): Promise<(() => Promise<void>) | null>;
  close(): Promise<void>;
}

const channel = 'session_locks';
/** A process that was killed tells nobody that its locks are free. */
const tryAgainMs = 500;

const told = z.object({ name: z.string(), from: z.string(), is: z.enum(['wanted', 'free']) });

/**
 * Advisory locks on one connection for the whole process, opened at the first lock. When it breaks, all locks on it are
 * lost, and their holders are told.
 */
export function openSessionLocks(connection: pg.PoolConfig, log: Logger): SessionLocks {
  const me = randomUUID();
  const held = new Map<string, { client: pg.Client; asked: () => void; isWanted: boolean }>();
  const waiting = new Map<string, () => void>();
  let current: Promise<pg.Client> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** One statement after the other, as the driver wants it. */
  function run(client: pg.Client, text: string, values?: unknown[]): Promise<pg.QueryResult<{ got?: boolean }>> {
    const result = last.then(() => client.query(text, values));
    last = result.catch(() => {});
    return result;
  }

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...connection, keepAlive: true, keepAliveInitialDelayMillis: 10_000 });
    client.on('error', (error) => log.warn({ error: error.message }, 'the database connection of locks broke'));
    client.on('notification', ({ payload }) => hear(payload));
    client.once('end', () => lose(client));
    return begin(client).catch((error) => {
      current = undefined;
      throw error;
    });
  }

  function lose(client: pg.Client): void {
    current = undefined;
    for (const [name, holder] of held) {
      if (holder.client !== client) continue;
      held.delete(name);
      holder.asked();
    }
  }

  function hear(payload = ''): void {
    const { data } = told.safeParse(parse(payload));
    // One's own wish may be heard after it was granted.
    if (!data || data.from === me) return;
    if (data.is === 'free') waiting.get(data.name)?.();
    const holder = held.get(data.name);
    if (data.is === 'free' || !holder) return;
    holder.isWanted = true;
    holder.asked();
  }

  async function tell(client: pg.Client, name: string, is: 'wanted' | 'free'): Promise<void> {
    await run(client, 'select pg_notify($1, $2)', [channel, JSON.stringify({ name, from: me, is })]);
  }

  async function tryAcquire(name: string, asked: () => void): Promise<(() => Promise<void>) | null> {
    current ??= connect();
    const client = await current;
    const holder = { client, asked, isWanted: false };
    const { rows } = await run(client, 'select pg_try_advisory_lock(hashtextextended($1, 0)) as got', [name]);
    if (!rows[0]?.got) return null;
    held.set(name, holder);
    return async () => {
      // Lost before, and perhaps another's by now.
      if (held.get(name) !== holder) return;
      held.delete(name);
      await run(client, 'select pg_advisory_unlock(hashtextextended($1, 0))', [name]);
      if (holder.isWanted) await tell(client, name, 'free');
    };
  }

  return {
    tryAcquire,

    async acquire(name, asked, signal) {
      for (;;) {
        signal.throwIfAborted();
        const got = await tryAcquire(name, asked);
        if (got) return got;
        const again = Promise.withResolvers<void>();
        const timer = setTimeout(again.resolve, tryAgainMs);
        waiting.set(name, again.resolve);
        try {
          const client = await current;
          if (client) await tell(client, name, 'wanted');
          await unlessAborted(again.promise, signal);
        } finally {
          clearTimeout(timer);
          waiting.delete(name);
        }
      }
    },

    async close() {
      await current?.then((client) => client.end()).catch(() => {});
    },
  };
}

async function begin(client: pg.Client): Promise<pg.Client> {
  try {
    await client.connect();
    // Where the machine of a process is gone without a word, its locks are free after some twenty seconds, not hours.
    await client.query('set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3');
    await client.query(`listen ${channel}`);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Others of the same database may notify, too, whatever they like. */
function parse(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return null;
  }
}
