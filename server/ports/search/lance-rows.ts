import type { Table } from '@lancedb/lancedb';
import { isUuid } from '#server/lib/is-uuid.ts';
import type { Within } from './port.ts';

const attempts = 5;

/** Filters and table names are strings to the engine: only ids get into them. */
export function checkedId(id: string): string {
  const lower = id.toLowerCase();
  if (!isUuid(lower)) throw new Error('not an id');
  return lower;
}

/** Ids as the engine's SQL lists them. @throws for what is no id */
export function idList(ids: readonly string[]): string {
  return ids.map((id) => `'${checkedId(id)}'`).join(', ');
}

/** A chunk with its document in one value: where the one is wanted, so is the other. */
export function keyOf({ id, documentId }: { id: string; documentId: string }): string {
  return `${checkedId(documentId)}/${checkedId(id)}`;
}

/** What `keyOf` has put together. */
export function readKey(key: string): { id: string; documentId: string } {
  const [documentId = '', id = ''] = key.split('/');
  return { id, documentId };
}

/** Keys as the engine's SQL lists them. @throws for what is no id */
export function keyList(chunks: { id: string; documentId: string }[]): string {
  return chunks.map((chunk) => `'${keyOf(chunk)}'`).join(', ');
}

/** What the column has of chunks in no collection. */
const noCollection = '';

/** What the column of collections has for a chunk. */
export function collectionCell(collectionId: string | null | undefined): string {
  return collectionId ? checkedId(collectionId) : noCollection;
}

/** The engine's condition for it; undefined: there is none. */
export function conditionOf({ documentIds, collections }: Within): string | undefined {
  const conditions: string[] = [];
  if (documentIds) conditions.push(`document_id IN (${idList(documentIds)})`);
  if (collections)
    conditions.push(`collection IN (${[`'${noCollection}'`, ...collections.map((id) => idList([id]))].join(', ')})`);
  return conditions.length === 0 ? undefined : conditions.join(' AND ');
}

/** A table that was made before there were collections gets their column; nothing of it was in one. */
export async function addCollectionColumn(table: Table): Promise<void> {
  const isThere = async () => (await table.schema()).fields.some(({ name }) => name === 'collection');
  if (await isThere()) return;
  try {
    await retried(() => table.addColumns([{ name: 'collection', valueSql: `'${noCollection}'` }]));
  } catch (error) {
    // Another process has added it meanwhile.
    await table.checkoutLatest();
    if (!(await isThere())) throw error;
  }
}

/** Two writers at once can meet in a commit; the one that loses tries again on what the other has written. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || !/conflict|concurrent/i.test(String(error))) throw error;
    }
  }
}

const missing = /not found|no such file|does not exist/i;

/** Whether something that a table consists of is not there: the engine tells its errors apart by their words alone. */
export function isMissing(error: unknown): boolean {
  return missing.test(String(error)) && !/NoSuchBucket/.test(String(error));
}

/** Whoever makes a table anew takes the files of before away at once: what was reading them reads the newer ones. */
export async function readAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || !isMissing(error)) throw error;
    }
  }
}
