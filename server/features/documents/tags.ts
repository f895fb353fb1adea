import { maxTags } from '#contract/calls/documents.ts';
import { AppError } from '#contract/errors.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, arrayContains, eq, isNull } from '#server/db/drizzle.ts';
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
  function setTags(by: AuditActor, documentId: string, tags: string[]): Promise<string[]> {
    return db.asCompany(by.companyId, (tx) => write(tx, by, documentId, byKeys(tags)));
  }

  /**
   * Gives a file tags beside its own, and takes others from it; one that is both added and removed is added.
   * @throws AppError `file-not-found`; `invalid-input` where there would be too many
   */
  async function changeTags(
    by: AuditActor,
    documentId: string,
    { add, remove }: { add: readonly string[]; remove: readonly string[] },
  ): Promise<void> {
    await db.asCompany(by.companyId, async (tx) => {
      const [document] = await tx
        .select({ tags: documents.tags })
        .from(documents)
        .where(and(eq(documents.id, documentId), isNull(documents.deletedAt)))
        // Of two who change them at once neither takes back what the other has done.
        .for('update');
      if (!document) throw new AppError('file-not-found');
      const removed = new Set(remove.map(tagKey));
      const kept = byKeys([...document.tags.filter((tag) => !removed.has(tagKey(tag))), ...add]);
      if (kept.size > maxTags) throw new AppError('invalid-input', { message: tooMany });
      await write(tx, by, documentId, kept);
    });
  }

  async function write(
    tx: Tx,
    by: AuditActor,
    documentId: string,
    byKey: ReadonlyMap<string, string>,
  ): Promise<string[]> {
    const kept = { tags: [...byKey.values()], tagKeys: [...byKey.keys()] };
    const [tagged] = await tx
      .update(documents)
      .set(kept)
      .where(and(eq(documents.id, documentId), isNull(documents.deletedAt)))
      .returning({ name: documents.name });
    if (!tagged) throw new AppError('file-not-found');
    await audit(tx, { action: 'file-tagged', by, target: tagged.name, details: { tags: kept.tags } });
    await db.notify(tx, 'files', { companyId: by.companyId, documentId });
    return kept.tags;
  }

  return { setTags, changeTags };
}

const tooMany = `A file can have ${maxTags} tags at most.`;

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

/** Of tags that compare equal the first. */
function byKeys(tags: readonly string[]): Map<string, string> {
  const byKey = new Map<string, string>();
  for (const tag of tags) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tag);
  return byKey;
}

function tagKey(tag: string): string {
  return tag.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
