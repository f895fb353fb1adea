import type { Tx } from '#server/db/db.ts';
import { and, eq, isNull, type SQL } from '#server/db/drizzle.ts';
import { companies, exports } from '#server/db/schema.ts';
import type { FileStore } from '#server/ports/files/port.ts';

export type ExportRow = typeof exports.$inferSelect;

/** Which export: the rows of another company can't be seen by it. */
export interface ExportKey {
  companyId: string;
  exportId: string;
}

export function isExport({ companyId, exportId }: ExportKey): SQL | undefined {
  return and(eq(exports.companyId, companyId), eq(exports.id, exportId));
}

/** A condition: of this person's own data; of the company's, where it is null. */
export function isOf(companyId: string, personId: string | null): SQL | undefined {
  const ofPerson = personId === null ? isNull(exports.personId) : eq(exports.personId, personId);
  return and(eq(exports.companyId, companyId), ofPerson);
}

/** The export, which nobody changes until the transaction ends. */
export async function lockedExport(tx: Tx, key: ExportKey): Promise<ExportRow | null> {
  const [row] = await tx.select().from(exports).where(isExport(key)).for('update');
  return row ?? null;
}

/** Where what is made for an export lies in its store: its lists and its directory. */
export function folderOf({ companyId, exportId }: ExportKey): string {
  return `${companyId}/${exportId}/`;
}

export function directoryKey(key: ExportKey, generation: number): string {
  return `${folderOf(key)}${generation}-directory`;
}

/** Removes what was made for an export, but for what a generation has. */
export async function eraseMade(store: FileStore, key: ExportKey, keep?: number): Promise<void> {
  const folder = folderOf(key);
  for (const each of await store.list(folder))
    if (keep === undefined || !each.startsWith(`${folder}${keep}-`)) await store.delete(each);
}

/** What of the company stands in every export. */
export async function companyOf(tx: Tx, companyId: string) {
  const [company] = await tx.select().from(companies).where(eq(companies.id, companyId));
  if (!company) throw new Error('a company without its row');
  return company;
}
