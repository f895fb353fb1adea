import { and, arrayContains, eq, isNull } from 'drizzle-orm';
import { AppError } from '#contract/errors.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { documents } from '#server/db/schema.ts';
import { type AuditActor, audit } from '#server/features/audit/audit.ts';

/** What admins sort files by. A tag is kept as it was written, and compared without regard to case and width. */
export function createTags({ db }: { db: Database }) {
  /**
   * Gives a file exactly these tags; of two that compare equal the first.
   * @param tags without blanks around them, as the contract makes them
   * @returns the tags that it has now
   * @throws AppError `file-not-found`
   */
  async function setTags(by: AuditActor, documentId: string, tags: string[]): Promise<string[]> {
    const byKey = new Map<string, string>();
    for (const tag of tags) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tag);
    const kept = { tags: [...byKey.values()], tagKeys: [...byKey.keys()] };
    await db.asCompany(by.companyId, async (tx) => {
      const [tagged] = await tx
        .update(documents)
        .set(kept)
        .where(and(eq(documents.id, documentId), isNull(documents.deletedAt)))
        .returning({ name: documents.name });
      if (!tagged) throw new AppError('file-not-found');
      await audit(tx, { action: 'file-tagged', by, target: tagged.name, details: { tags: kept.tags } });
      await db.notify(tx, 'files', { companyId: by.companyId, documentId });
    });
    return kept.tags;
  }

  return { setTags };
}

export type Tags = ReturnType<typeof createTags>;

/** The live documents of the transaction's company that have all of the tags; for no tags, all documents. */
export async function documentsWithTags(tx: Tx, tags: readonly string[]): Promise<string[]> {
  const hasAll = tags.length === 0 ? undefined : arrayContains(documents.tagKeys, tags.map(tagKey));
  const found = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(isNull(documents.deletedAt), hasAll));
  return found.map(({ id }) => id);
}

function tagKey(tag: string): string {
  return tag.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
