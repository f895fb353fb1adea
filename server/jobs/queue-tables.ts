import type pg from 'pg';
import { getConstructionPlans, getMigrationPlans } from 'pg-boss';

/** The queue's own tables, which pg-boss makes and changes by numbers of its own. */
const schema = 'pgboss';

/** @returns null where there is no queue */
export async function queueVersion(client: pg.Client): Promise<number | null> {
  const { rows: there } = await client.query<{ there: boolean }>(
    `select to_regclass('${schema}.version') is not null as there`,
  );
  if (!there[0]?.there) return null;
  const { rows } = await client.query<{ version: number }>(`select version from ${schema}.version`);
  return rows[0]?.version ?? null;
}

/** Makes them as the newest are, without a queue. */
export async function createQueueTables(client: pg.Client): Promise<void> {
  await client.query(getConstructionPlans(schema));
}

/** Brings them to the newest. @param version that they have */
export async function migrateQueueTables(client: pg.Client, version: number): Promise<void> {
  await client.query(getMigrationPlans(schema, version));
}
