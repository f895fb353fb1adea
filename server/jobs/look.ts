import { setTimeout as wait } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { JobName } from './registry.ts';

/** Who works on jobs of a kind, by the queue's ids. */
type Workers = ReadonlyMap<JobName, readonly string[]>;

/**
 * Looks for jobs that have become due without anybody telling of them, such as another try, and wakes who works on
 * them. One statement asks for all kinds, where each of some sixty workers would ask for itself.
 * @returns ends it
 */
export function lookForDue(
  boss: PgBoss,
  { workers, everySeconds, log }: { workers: Workers; everySeconds: number; log: Logger },
): () => void {
  const stop = new AbortController();
  void (async () => {
    while (await sleeps(everySeconds * 1000, stop.signal)) {
      try {
        const names = await namesDue(boss, [...workers.keys()]);
        for (const worker of names.flatMap((name) => workers.get(name) ?? [])) boss.notifyWorker(worker);
      } catch (error) {
        // As when the database is away: the next look is soon.
        if (!stop.signal.aborted) log.warn({ err: error }, 'jobs that are due were not looked for');
      }
    }
  })();
  return () => stop.abort();
}

/** Kinds of which a job is due: one look at the queue's own index for each, however many are waiting. */
async function namesDue(boss: PgBoss, names: readonly JobName[]): Promise<JobName[]> {
  const { rows } = await boss.getDb().executeSql(
    `select name from unnest($1::text[]) as kinds (name) where exists (
       select 1 from pgboss.job
       where job.name = kinds.name and state < 'active' and not blocked and start_after <= now())`,
    [names],
  );
  return rows.map(({ name }) => name);
}

/** @returns whether the time went by without being asked to end */
function sleeps(ms: number, signal: AbortSignal): Promise<boolean> {
  return wait(ms, true, { signal, ref: false }).catch(() => false);
}
