import { setTimeout as wait } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import type { JobName } from './registry.ts';

/** Who works on jobs of a kind, by the queue's ids. */
export type Workers = ReadonlyMap<JobName, readonly string[]>;

/**
 * Looks for jobs that have become due without anybody telling of them, such as another try, and wakes who works on them.
 * One statement asks for all kinds, where each of some sixty workers would ask for itself.
 * @returns ends it, and resolves when nothing is asked any more
 */
export function lookForDue(boss: PgBoss, workers: Workers, everySeconds: number): () => Promise<void> {
  const stop = new AbortController();
  const ended = (async () => {
    while (await sleeps(everySeconds * 1000, stop.signal)) {
      // While the database is away the workers say so, each when it asks next.
      const names = await namesDue(boss, [...workers.keys()]).catch(() => []);
      for (const worker of names.flatMap((name) => workers.get(name) ?? [])) boss.notifyWorker(worker);
    }
  })();
  return () => {
    stop.abort();
    return ended;
  };
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
