import { Readable } from 'node:stream';
import type { Database, Tx } from '#server/db/db.ts';
import { and, asc, gt, isNotNull, sql } from '#server/db/drizzle.ts';
import { exportEntries, exports } from '#server/db/schema.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import { directoryKey, type ExportKey, type ExportRow, isExport, lockedExport } from './exports.ts';
import { isEntryOf } from './plan.ts';
import { directoryRecord, endRecords, localHeader } from './zip.ts';

const atOnce = 1000;
/** Below every one that an entry can have. */
const minIndex = -(2 ** 31);
/** How long a finished export can be downloaded. */
export const exportLifeMs = 24 * 3_600_000;

type Entry = typeof exportEntries.$inferSelect & { crc32: number };

/**
 * Gives every entry its place, writes the directory, and opens the export to be downloaded.
 * @returns false where a deletion came in between: what was made holds too much
 */
export async function finishExport(
  key: ExportKey,
  {
    db,
    store,
    generation,
    tellReady,
  }: {
    db: Database;
    store: FileStore;
    generation: number;
    tellReady: (tx: Tx, row: ExportRow, expiresAt: Date) => Promise<void>;
  },
): Promise<boolean> {
  const placed = { offset: 0, entries: 0, directory: 0 };
  await store.put(directoryKey(key, generation), Readable.from(directory(db, key, placed)));
  const size = placed.offset + placed.directory;
  return db.asCompany(key.companyId, async (tx) => {
    // A deletion that is under way holds the row, or waits for this transaction and then takes the export back.
    const row = await lockedExport(tx, key);
    if (row?.state !== 'running') return true;
    if (row.generation !== generation) return false;
    const readyAt = new Date();
    const expiresAt = new Date(readyAt.getTime() + exportLifeMs);
    const ready = { state: 'ready', directoryOffset: placed.offset, size, readyAt, expiresAt, isMailed: true } as const;
    await tx.update(exports).set(ready).where(isExport(key));
    if (!row.isMailed) await tellReady(tx, row, expiresAt);
    return true;
  });
}

/** The directory's bytes, while the entries get their places. */
async function* directory(
  db: Database,
  key: ExportKey,
  placed: { offset: number; entries: number; directory: number },
): AsyncGenerator<Buffer> {
  let last = minIndex;
  for (;;) {
    const next = await entriesAfter(db, key, last);
    const offsets: { index: number; at: number }[] = [];
    const records: Buffer[] = [];
    for (const entry of next) {
      offsets.push({ index: entry.index, at: placed.offset });
      records.push(directoryRecord(entry, placed.offset));
      placed.offset += localHeader(entry).length + entry.storedSize;
      last = entry.index;
    }
    await writeOffsets(db, key, offsets);
    const bytes = Buffer.concat(records);
    placed.entries += next.length;
    placed.directory += bytes.length;
    if (bytes.length > 0) yield bytes;
    if (next.length < atOnce) break;
  }
  const end = endRecords({ entries: placed.entries, offset: placed.offset, size: placed.directory });
  placed.directory += end.length;
  yield end;
}

async function entriesAfter(db: Database, key: ExportKey, last: number): Promise<Entry[]> {
  const isReadable = and(isEntryOf(key), isNotNull(exportEntries.crc32), gt(exportEntries.index, last));
  const rows = await db.asCompany(key.companyId, (tx) =>
    tx.select().from(exportEntries).where(isReadable).orderBy(asc(exportEntries.index)).limit(atOnce),
  );
  return rows.flatMap(({ crc32, ...entry }) => (crc32 === null ? [] : [{ ...entry, crc32 }]));
}

async function writeOffsets(db: Database, key: ExportKey, offsets: { index: number; at: number }[]): Promise<void> {
  if (offsets.length === 0) return;
  await db.asCompany(key.companyId, (tx) =>
    tx.execute(sql`
      update ${exportEntries} set "offset" = placed.at
      from jsonb_to_recordset(${JSON.stringify(offsets)}::jsonb) as placed (index int, at bigint)
      where ${isEntryOf(key)} and ${exportEntries.index} = placed.index`),
  );
}
