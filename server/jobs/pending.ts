import type { Tx } from '#server/db/db.ts';
import { type SQL, type SQLWrapper, sql } from '#server/db/drizzle.ts';
import { type JobData, type JobName, jobs } from './registry.ts';

/**
 * A condition for a statement of `asSystem`: no job of these names waits or runs for the row.
 * @param data what such a job's data would say, by columns of the row
 */
export function noJobFor<Name extends JobName>(
  names: readonly Name[],
  data: Partial<Record<keyof JobData<Name>, SQLWrapper>>,
): SQL {
  const same = Object.entries<SQLWrapper | undefined>(data).map(
    ([key, column]) => sql`data->>${key} = ${column}::text`,
  );
  const named = sql.join(
    names.map((name) => sql`${name}`),
    sql`, `,
  );
  return sql`not exists (
    select 1 from pgboss.job where name in (${named}) and state < 'completed' and ${sql.join(same, sql` and `)})`;
}

/**
 * The companies whose job of this name was given up after its last try, and not enqueued again since. The queue keeps a
 * job that has failed for an hour.
 */
export async function companiesGivenUp(tx: Tx, name: JobName): Promise<string[]> {
  const { rows } = await tx.execute<{ companyId: string }>(sql`
    select distinct data->>'companyId' as "companyId" from pgboss.job as failed
    where name = ${name} and state = 'failed' and not exists (
      select 1 from pgboss.job as later
      where later.name = failed.name and later.data->>'companyId' = failed.data->>'companyId'
        and later.state <= 'completed' and later.created_on > failed.created_on)`);
  return rows.map(({ companyId }) => companyId);
}

/** A job that waits, as it is enqueued again. */
export interface WaitingJob {
  name: JobName;
  data: unknown;
  singletonKey: string | null;
  startAfterSeconds: number;
}

/** Every job that waits or runs, as it would be enqueued again: for a backup, whose restore has no other queue. */
export async function waitingJobs(tx: Pick<Tx, 'execute'>): Promise<WaitingJob[]> {
  const { rows } = await tx.execute<WaitingJob & Record<string, unknown>>(sql`
    select name, data, singleton_key as "singletonKey",
      greatest(0, ceil(extract(epoch from start_after - now())))::int as "startAfterSeconds"
    from pgboss.job where state < 'completed' and name in ${Object.keys(jobs)} order by created_on`);
  return rows;
}
