import { AppError } from '#contract/errors.ts';
import type { Tx } from './db.ts';
import { inArray } from './drizzle.ts';
import { collections } from './schema.ts';

/**
 * The collections within which a key or a webhook is kept, each once, held until the transaction ends. Without the
 * company's own, which is no row: every one sees what is in it.
 * @throws AppError `collection-not-found`
 */
export async function chosenCollections(tx: Tx, companyId: string, ids: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))].filter((id) => id !== companyId);
  if (wanted.length === 0) return [];
  const found = await tx
    .select({ id: collections.id })
    .from(collections)
    .where(inArray(collections.id, wanted))
    .for('key share');
  if (found.length < wanted.length) throw new AppError('collection-not-found');
  return wanted;
}
