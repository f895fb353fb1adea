import type { Readable } from 'node:stream';
import type { Database } from '#server/db/db.ts';
import { and, asc, desc, eq, gt, isNotNull, lte } from '#server/db/drizzle.ts';
import { exportEntries, exports } from '#server/db/schema.ts';
import type { ByteRange } from '#server/lib/byte-range.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import { directoryKey, isExport } from './exports.ts';
import type { LinkedExport } from './links.ts';
import { isEntryOf } from './plan.ts';
import { localHeader } from './zip.ts';

/** Entries read by one look, after which it is looked again whether the export still holds. */
const atOnce = 20;

interface Deps {
  db: Database;
  /** Where originals lie. */
  files: FileStore;
  /** Where the lists and the directory lie. */
  store: FileStore;
}

/**
 * The bytes of a finished export from `start` to `end`, both inclusive, put together as they are asked for: headers are
 * made, originals come from where they lie. Ends with an error where a document is deleted meanwhile.
 */
export async function* exportBytes(
  { db, files, store }: Deps,
  linked: LinkedExport,
  { start, end }: ByteRange,
): AsyncGenerator<Buffer> {
  let at = start;
  while (at < Math.min(end + 1, linked.directoryOffset)) {
    for (const entry of await entriesFrom(db, linked, at)) {
      const last = Math.min(end, entry.begin + entry.header.length + entry.storedSize - 1);
      const headerLeft = entry.header.subarray(at - entry.begin, last + 1 - entry.begin);
      if (headerLeft.length > 0) {
        yield headerLeft;
        at += headerLeft.length;
      }
      const body = entry.begin + entry.header.length;
      if (at <= last) {
        const from = entry.isOriginal ? files : store;
        yield* piecesOf(await from.get(entry.objectKey, { start: at - body, end: last - body }));
        at = last + 1;
      }
      if (at > end) return;
    }
  }
  if (at > end) return;
  const { directoryOffset, generation } = linked;
  const range = { start: at - directoryOffset, end: end - directoryOffset };
  yield* piecesOf(await store.get(directoryKey(linked, generation), range));
}

async function* piecesOf(content: Readable): AsyncGenerator<Buffer> {
  for await (const piece of content) yield piece;
}

/** The entry that has the byte, and some of those behind it. @throws Error where the export holds no longer */
async function entriesFrom(db: Database, linked: LinkedExport, at: number) {
  const { companyId, generation } = linked;
  const rows = await db.asCompany(companyId, async (tx) => {
    const isSame = and(isExport(linked), eq(exports.state, 'ready'), eq(exports.generation, generation));
    const [still] = await tx.select({ id: exports.id }).from(exports).where(isSame);
    if (!still) throw new Error('the export was taken back while it was downloaded');
    const isReadable = and(isEntryOf(linked), isNotNull(exportEntries.crc32));
    const first = await tx
      .select()
      .from(exportEntries)
      .where(and(isReadable, lte(exportEntries.offset, at)))
      .orderBy(desc(exportEntries.offset))
      .limit(1);
    const next = await tx
      .select()
      .from(exportEntries)
      .where(and(isReadable, gt(exportEntries.offset, at)))
      .orderBy(asc(exportEntries.offset))
      .limit(atOnce - 1);
    return [...first, ...next];
  });
  return rows.map(({ crc32, offset, documentId, objectKey, ...entry }) => {
    if (crc32 === null || offset === null) throw new Error('an entry without its place');
    const isOriginal = documentId !== null;
    const { storedSize } = entry;
    return { begin: offset, header: localHeader({ ...entry, crc32 }), storedSize, objectKey, isOriginal };
  });
}
