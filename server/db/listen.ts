import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';

/**
 * What processes tell each other, and with which payload:
 * - `files`: a file changed, `{companyId, documentId}`; or who sees which did, `{companyId, everybody}`;
 * - `jobs`: a job was enqueued, `{name}`;
 * - `people`: the access that a person has had ends, `{userId}`; with `sessionId` in one session alone, with
 *   `exceptSessionId` in all others, with `keyId` by one API key alone (a company's key has its own id as `userId`);
 * - `addresses`: where a company's people may come from has changed, `{companyId}`;
 * - `search`: a company's search table in a store was made anew or removed, `{place, companyId, name}`.
 */
export type Channel = 'files' | 'jobs' | 'people' | 'addresses' | 'search';
type Heard = (payload: Record<string, unknown>) => void;

const channels: readonly Channel[] = ['files', 'jobs', 'people', 'addresses', 'search'];
const reconnectDelayMs = 1000;

/**
 * One connection that hears notifications for the whole process, opened at the first `listen`. When it breaks it is
 * opened again; what was sent in between is lost, so listeners read the state again now and then.
 * @param mark what it calls itself
 */
export function openListener(connection: pg.PoolConfig, log: Logger, mark?: string) {
  const listeners = new Map<Channel, Set<Heard>>(channels.map((channel) => [channel, new Set()]));
  const missers = new Set<() => void>();
  let current: Promise<pg.Client> | undefined;
  let broke = false;
  let closed = false;

  async function connect(): Promise<pg.Client> {
    // A connection that only waits must notice by itself that the other side is gone.
    const client = new pg.Client({ ...connection, keepAlive: true, keepAliveInitialDelayMillis: 10_000 });
    client.on('error', (error) => log.warn({ error: error.message }, 'the listening database connection broke'));
    client.on('notification', ({ channel, payload }) => tell(channel, payload));
    try {
      await client.connect();
      // Not as a setting of the client: what the address of the database says of it would come first.
      if (mark !== undefined) await client.query(`set application_name = ${pg.escapeLiteral(mark)}`);
      for (const channel of channels) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      current = undefined;
      await client.end().catch(() => {});
      throw error;
    }
    // An error may come more than once for one break; the end comes once.
    client.once('end', () => {
      current = undefined;
      broke = true;
      void reconnect();
    });
    // Not before: what is looked at again while nothing is heard would have to be looked at once more.
    if (broke) for (const missed of [...missers]) missed();
    broke = false;
    return client;
  }

  async function reconnect(): Promise<void> {
    while (!closed) {
      current ??= connect();
      if (await current.then(Boolean, () => false)) return;
      await wait(reconnectDelayMs, undefined, { ref: false });
    }
  }

  function tell(channel: string, payload = ''): void {
    const [, heard] = [...listeners].find(([each]) => each === channel) ?? [];
    const content = parse(payload);
    if (content) for (const each of heard ?? []) each(content);
  }

  return {
    /**
     * @param missed is called when the connection stands again after it broke: what was sent meanwhile is lost
     * @throws where the database can't be reached; nothing is listened to then
     */
    async listen(channel: Channel, heard: Heard, missed?: () => void): Promise<() => void> {
      // Its own entry: the same function may listen twice, and stop once.
      const entry: Heard = (payload) => heard(payload);
      const missedEntry = () => missed?.();
      const stop = () => {
        listeners.get(channel)?.delete(entry);
        missers.delete(missedEntry);
      };
      listeners.get(channel)?.add(entry);
      missers.add(missedEntry);
      try {
        current ??= connect();
        await current;
        return stop;
      } catch (error) {
        stop();
        throw error;
      }
    },

    async close(): Promise<void> {
      closed = true;
      await current?.then((client) => client.end()).catch(() => {});
    },
  };
}

/** Others of the same database may notify, too, whatever they like. */
function parse(payload: string): Record<string, unknown> | null {
  try {
    const content: unknown = JSON.parse(payload);
    return typeof content === 'object' && content !== null ? { ...content } : null;
  } catch {
    return null;
  }
}
