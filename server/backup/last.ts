import type { Tx } from '#server/db/db.ts';
import { gte, sql } from '#server/db/drizzle.ts';
import { lastBackups } from '#server/db/schema.ts';

/** The newest backup that was read again and found right. */
export interface LastBackup {
  /** As of when it has the rows. */
  madeAt: Date;
  /** On the machine or in the container that made it. */
  folder: string;
}

/** Writes down that one was made, for whoever looks after the service, whichever process or machine asks. */
export async function noteBackup(tx: Tx, made: LastBackup): Promise<void> {
  // A database that is backed up before an update has no place for it yet.
  if (!(await isNoted(tx))) return;
  await tx
    .insert(lastBackups)
    .values(made)
    .onConflictDoUpdate({
      target: lastBackups.id,
      set: made,
      // Of two that were made at once, the one that has less may be ready last.
      setWhere: gte(sql`excluded.made_at`, lastBackups.madeAt),
    });
}

/** @returns null where none is known of, as in a database that was restored and not backed up since */
export async function lastBackup(tx: Tx): Promise<LastBackup | null> {
  const [last] = await tx.select({ madeAt: lastBackups.madeAt, folder: lastBackups.folder }).from(lastBackups);
  return last ?? null;
}

/** Whether the database is of a version that keeps it. */
export async function isNoted(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute<{ made: boolean }>(sql`select to_regclass('last_backup') is not null as made`);
  return rows[0]?.made === true;
}
