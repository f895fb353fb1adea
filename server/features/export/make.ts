import type { Logger } from 'pino';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { and, asc, eq, isNotNull, isNull, lt, or, sql } from '#server/db/drizzle.ts';
import { exportEntries, exports, users } from '#server/db/schema.ts';
import { noJobFor } from '#server/jobs/pending.ts';
import type { JobData, JobRun } from '#server/jobs/registry.ts';
import { FileAbsent, type FileStore } from '#server/ports/files/port.ts';
import { type ExportKey, type ExportRow, eraseMade, isExport, lockedExport } from './exports.ts';
import { finishExport } from './finish.ts';
import { dropDeleted, isEntryOf, planOriginals } from './plan.ts';
import { measure } from './write-list.ts';
import { writeLists } from './write-lists.ts';

export interface MakeDeps {
  db: Database;
  /** Where originals lie. */
  files: FileStore;
  /** Where the lists of exports are kept until these end. */
  store: FileStore;
  /** Tells whoever started it that it is ready, with the transaction that makes it so. */
  tellReady: Parameters<typeof finishExport>[1]['tellReady'];
  log: Pick<Logger, 'warn'>;
}

const atOnce = 50;
const failed = 'It could not be made. Please try again, and tell whoever runs this service if it fails once more.';

/**
 * The job `make-export`. What the zip has to know of each original (its size and its checksum) is written down as soon
 * as it is known, so that a process that ends is gone on with at the next original. A deletion meanwhile takes what is
 * gone out, and has the lists made anew.
 */
export function createMaking(deps: MakeDeps) {
  const { db, store, log } = deps;

  return async function makeExport(data: JobData<'make-export'>, { signal, isLastAttempt }: JobRun): Promise<void> {
    try {
      for (let isDone = false; !isDone; ) isDone = await attempt(data, signal);
    } catch (error) {
      if (!isLastAttempt || signal.aborted) throw error;
      log.warn({ err: error, exportId: data.exportId }, 'an export has failed');
      await fail(data, error instanceof AppError ? error.message : failed);
    }
  };

  /** @returns whether there is nothing more to do */
  async function attempt(key: ExportKey, signal: AbortSignal): Promise<boolean> {
    const found = await begin(key);
    if (!found) return true;
    const unreadable = await measureOriginals(deps, key, signal);
    // Those of an earlier generation have quotes in them that are gone.
    await eraseMade(store, key, found.generation);
    await writeLists(deps, found, unreadable);
    signal.throwIfAborted();
    return finishExport(key, { ...deps, generation: found.generation });
  }

  /** Plans what has not been planned. @returns null where nothing is to be made (any more) */
  function begin(key: ExportKey): Promise<ExportRow | null> {
    return db.asCompany(key.companyId, async (tx) => {
      const found = await lockedExport(tx, key);
      if (found?.state !== 'running') return null;
      if (found.isPlanned) await dropDeleted(tx, key);
      else if (found.personId === null) await planOriginals(tx, key);
      return found;
    });
  }

  async function fail(key: ExportKey, reason: string): Promise<void> {
    await db.asCompany(key.companyId, async (tx) => {
      const isRunning = and(isExport(key), eq(exports.state, 'running'));
      await tx.update(exports).set({ state: 'failed', reason }).where(isRunning);
    });
    await eraseMade(store, key);
  }
}

/** Reads what has not been read. @returns the paths of what is not there */
async function measureOriginals(
  { db, files }: Pick<MakeDeps, 'db' | 'files'>,
  key: ExportKey,
  signal: AbortSignal,
): Promise<string[]> {
  const unreadable: string[] = [];
  for (let from = -1; ; ) {
    const isNext = and(isEntryOf(key), isNotNull(exportEntries.documentId), isNull(exportEntries.crc32));
    const next = await db.asCompany(key.companyId, (tx) =>
      tx
        .select()
        .from(exportEntries)
        .where(and(isNext, sql`${exportEntries.index} > ${from}`))
        .orderBy(asc(exportEntries.index))
        .limit(atOnce),
    );
    if (next.length === 0) return unreadable;
    for (const { index, objectKey, path, size: told } of next) {
      from = index;
      signal.throwIfAborted();
      const measured = await files.get(objectKey).then(
        (content) => measure(content, signal),
        (error: unknown) => {
          if (error instanceof FileAbsent) return null;
          throw error;
        },
      );
      if (!measured) unreadable.push(path);
      else await writeDown(db, key, index, { ...measured, told });
    }
  }
}

function writeDown(
  db: Database,
  key: ExportKey,
  index: number,
  { size, crc32, told }: { size: number; crc32: number; told: number },
): Promise<void> {
  return db.asCompany(key.companyId, async (tx) => {
    // The export first, as everyone takes it: another run of the job may be about to drop what was deleted.
    await lockedExport(tx, key);
    const isEntry = and(isEntryOf(key), eq(exportEntries.index, index));
    const written = await tx
      .update(exportEntries)
      .set({ size, storedSize: size, crc32 })
      .where(isEntry)
      .returning({ index: exportEntries.index });
    // Taken out meanwhile, since it was deleted.
    if (written.length === 0) return;
    await tx
      .update(exports)
      .set({
        documentsDone: sql`${exports.documentsDone} + 1`,
        bytes: sql`${exports.bytes} + ${size - told}`,
        bytesDone: sql`${exports.bytesDone} + ${size}`,
      })
      .where(isExport(key));
  });
}

/**
 * The job `clear-exports`: what has expired goes, and that of people who are gone, with what was made for it. One whose
 * job is lost has failed.
 */
export async function clearExports({ db, store }: Pick<MakeDeps, 'db' | 'store'>, now = new Date()): Promise<void> {
  await db.asSystem(async (tx) => {
    const isThere = sql`exists (select 1 from ${users} where ${users.companyId} = ${exports.companyId}
      and ${users.id} = ${exports.personId})`;
    const isOver = or(lt(exports.expiresAt, now), and(isNotNull(exports.personId), sql`not ${isThere}`));
    const isLost = and(eq(exports.state, 'running'), noJobFor(['make-export'], { exportId: exports.id }));
    // In the order in which a deletion takes them back.
    await tx.select({ id: exports.id }).from(exports).where(or(isOver, isLost)).orderBy(exports.id).for('update');
    await tx.delete(exports).where(isOver);
    await tx.update(exports).set({ state: 'failed', reason: failed }).where(isLost);
  });
  await eraseForgotten({ db, store });
}

/** What was made for exports that are gone or have failed. */
async function eraseForgotten({ db, store }: Pick<MakeDeps, 'db' | 'store'>): Promise<void> {
  const made = new Set((await store.list('')).map((key) => key.split('/').slice(0, 2).join('/')));
  for (const each of made) {
    const [companyId = '', exportId = ''] = each.split('/');
    const [found] = await db.asSystem((tx) =>
      tx.select({ state: exports.state }).from(exports).where(isExport({ companyId, exportId })),
    );
    if (!found || found.state === 'failed') await eraseMade(store, { companyId, exportId });
  }
}
