import type { Tx } from '#server/db/db.ts';
import { and, eq, isNotNull, sql } from '#server/db/drizzle.ts';
import { exportEntries, exports } from '#server/db/schema.ts';
import { type ExportKey, isExport } from './exports.ts';
import { type Original, planPaths } from './paths.ts';

/** Rows written by one statement. */
const atOnce = 1000;

/** A live version as it is read: sizes and times come as text. */
type Stored = { [Key in keyof Original]: Original[Key] } & { objectKey: string; size: string; uploadedAt: string };

/** What is live now, newest versions and earlier ones: what comes later is not in the export. */
export async function planOriginals(tx: Tx, key: ExportKey): Promise<void> {
  const { companyId, exportId } = key;
  const { rows } = await tx.execute<Stored>(sql`
    select d.id as "documentId", v.version, d.name, p.name as "parentName", v.version = d.newest_version as "isNewest",
      v.object_key as "objectKey", v.size::text as size, v.uploaded_at::text as "uploadedAt"
    from documents d
    join versions v on v.company_id = d.company_id and v.document_id = d.id
    left join documents p on p.company_id = d.company_id and p.id = d.parent_id
    where d.deleted_at is null
    order by d.created_at, d.id, v.version desc`);
  const paths = planPaths(rows);
  for (let i = 0; i < rows.length; i += atOnce) {
    const values = rows.slice(i, i + atOnce).map(({ documentId, version, objectKey, size, uploadedAt }, j) => ({
      companyId,
      exportId,
      index: i + j,
      path: paths[i + j] ?? '',
      documentId,
      version,
      objectKey,
      size: Number(size),
      storedSize: Number(size),
      modifiedAt: new Date(uploadedAt),
    }));
    await tx.insert(exportEntries).values(values);
  }
  await tx.update(exports).set({ isPlanned: true }).where(isExport(key));
  await countOriginals(tx, key);
}

/** Takes out of the export what has been deleted since it was planned. */
export async function dropDeleted(tx: Tx, key: ExportKey): Promise<void> {
  await tx.execute(sql`
    delete from ${exportEntries} where ${isEntryOf(key)} and ${isNotNull(exportEntries.documentId)} and not exists (
      select 1 from documents d where d.company_id = ${exportEntries.companyId} and d.id = ${exportEntries.documentId}
        and d.deleted_at is null)`);
  await countOriginals(tx, key);
}

/** Brings the export's own counts in line with its entries. */
export async function countOriginals(tx: Tx, key: ExportKey): Promise<void> {
  const isOriginal = and(isEntryOf(key), isNotNull(exportEntries.documentId));
  const [counted] = await tx
    .select({
      documents: sql<number>`count(*)::int`,
      documentsDone: sql<number>`count(${exportEntries.crc32})::int`,
      bytes: sql<number>`coalesce(sum(${exportEntries.size}), 0)::float8`,
      bytesDone: sql<number>`coalesce(sum(${exportEntries.size}) filter (where ${exportEntries.crc32} is not null), 0)::float8`,
    })
    .from(exportEntries)
    .where(isOriginal);
  if (counted) await tx.update(exports).set(counted).where(isExport(key));
}

export function isEntryOf({ companyId, exportId }: ExportKey) {
  return and(eq(exportEntries.companyId, companyId), eq(exportEntries.exportId, exportId));
}
