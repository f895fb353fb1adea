import { fromDrizzle, type PgBoss } from 'pg-boss';
import { asOwner, type Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { type JobData, type JobName, jobs, policies } from './registry.ts';
import { fromHere } from './trace.ts';

interface EnqueueOptions {
  /**
   * With a policy of one per key: enqueued again under the key while one waits, it stays one, which then waits for
   * this.
   */
  singletonKey?: string;
  startAfterSeconds?: number;
  /** How many of the company's own are to go before it: those of other companies that stand less far behind do, too. */
  behind?: number;
}

/**
 * Enqueues a job with the transaction: it exists if and only if the transaction commits. Works inside `asCompany`,
 * whose role can neither read nor write the queue.
 */
export type Enqueue = <Name extends JobName>(
  tx: Tx,
  name: Name,
  data: JobData<Name>,
  options?: EnqueueOptions,
) => Promise<void>;

export function createEnqueue(boss: Pick<PgBoss, 'send'>): Enqueue {
  return async (tx, name, data, { singletonKey, startAfterSeconds, behind } = {}) => {
    const { onePerKey } = policies[name];
    if (onePerKey && singletonKey === undefined) throw new Error(`${name} needs a key`);
    const checked = jobs[name].parse(data);
    const options = {
      db: fromDrizzle(tx, sql),
      ...(singletonKey !== undefined && { singletonKey }),
      ...(startAfterSeconds !== undefined && { startAfter: startAfterSeconds }),
      ...groupOf(name, checked),
      ...(behind !== undefined && { priority: -behind }),
    };
    // The role of a company has no right to the queue, or it could read others'.
    await asOwner(tx, async () => {
      // One that waits can begin before this: then another has to wait.
      while ((await boss.send(name, fromHere(checked), options)) === null)
        if (!onePerKey || (await holdWaiting(tx, name, singletonKey))) return;
    });
  };
}

/**
 * Keeps the job that waits for this key from beginning before the transaction ends: it would not see what it is wanted
 * for, and nothing would have it done later. Workers leave out what is locked, and ask again.
 * @returns false: none waits any more
 */
async function holdWaiting(tx: Tx, name: JobName, key: string | undefined): Promise<boolean> {
  // As the index says it that lets only one wait.
  const { rows } = await tx.execute(sql`
    select id from pgboss.job
    where name = ${name} and coalesce(singleton_key, '') = ${key} and state = 'created' and policy = 'short'
    for key share`);
  return rows.length > 0;
}

/** Whose jobs are held to `perCompany`. */
function groupOf(name: JobName, data: JobData<JobName>): { group?: { id: string } } {
  if (name === 'deliver-webhook' && 'webhookId' in data) return { group: { id: data.webhookId } };
  return 'companyId' in data ? { group: { id: data.companyId } } : {};
}
