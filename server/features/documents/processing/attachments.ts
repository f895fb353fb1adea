import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, inArray, sql } from '#server/db/drizzle.ts';
import { versions } from '#server/db/schema.ts';
import type { Unreadable } from '#server/features/ingestion/parsers/parser.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobData } from '#server/jobs/registry.ts';
import { uuidOf } from '#server/lib/uuid-of.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import { collectionOf } from '../collections/moving.ts';
import { type Deleted, takeAway } from '../deletion/delete-documents.ts';
import { attachedTo } from '../trees.ts';
import { placeVersion } from '../upload/place-version.ts';
import { prefixOf, type StoredAttachment, type StoredAttachments, sayOf } from './store-attachments.ts';

/** Of a mail with all that is attached to what is attached to it. */
const maxInAll = 200;

type Job = JobData<'ingest-version'>;

/**
 * Attachments of mails become documents of their own, versions like all others, with the mail's own version or not at
 * all.
 */
export function createAttachments({ db, jobs, files }: { db: Database; jobs: Jobs; files: FileStore }) {
  /**
   * Makes the stored attachments versions of the mail's documents, and takes away those that this version of the mail
   * no longer has.
   * @param tx holds the company's names
   * @param roomBytes that the company may still store
   * @returns what is said of those that could not become documents, and which are gone, to be told
   */
  async function place(
    tx: Tx,
    job: Job,
    stored: StoredAttachments,
    roomBytes: number,
  ): Promise<{ leftOut: Unreadable[]; gone: Deleted[] }> {
    const { companyId, documentId } = job;
    const before = (await attachedTo(tx, companyId, [documentId])).map(({ id }) => id);
    const room = maxInAll - ((await countOfTree(tx, documentId)) - before.length);
    const [mail] = await tx.select({ uploadedBy: versions.uploadedBy }).from(versions).where(isVersionOf(job));
    const collectionId = await collectionOf(tx, documentId);
    const placed = new Set<string>();
    let bytesLeft = roomBytes;
    const noRoom: StoredAttachment[] = [];
    for (const each of stored.files.slice(0, Math.max(0, room))) {
      const { given: _, ...file } = each;
      if (file.size > bytesLeft) {
        noRoom.push(each);
        continue;
      }
      const version = await placeVersion(
        tx,
        jobs,
        companyId,
        { ...file, uploadedBy: mail?.uploadedBy ?? documentId },
        {
          parentId: documentId,
          collectionId,
          mayReplace: ({ id, parentId }) => parentId === documentId && !placed.has(id),
        },
      );
      placed.add(version.documentId);
      await db.notify(tx, 'files', { companyId, documentId: version.documentId });
      // Before the end: afterwards nothing would name these bytes. The version that is there has its own.
      if (version.unchanged) await files.delete(file.objectKey);
      else bytesLeft -= file.size;
    }
    const tooMany = stored.files.slice(Math.max(0, room));
    for (const { objectKey } of [...tooMany, ...noRoom]) await files.delete(objectKey);
    const gone = await takeAway(
      tx,
      { db, jobs },
      companyId,
      before.filter((id) => !placed.has(id)),
    );
    const leftOut = [...stored.leftOut];
    const namesOf = (left: StoredAttachment[]) => left.map(({ given }) => ({ name: given }));
    if (noRoom.length > 0) leftOut.push(sayOf('no-room-attachments', namesOf(noRoom)));
    if (tooMany.length > 0) leftOut.push(sayOf('many-attachments', namesOf(tooMany)));
    return { leftOut, gone };
  }

  /** Whether an earlier version of the document has left attachments. */
  async function hasAny(tx: Tx, { companyId, documentId }: Job): Promise<boolean> {
    return (await attachedTo(tx, companyId, [documentId])).length > 0;
  }

  /**
   * Removes stored bytes that no version names: of an attempt that has ended and can't make any more, or of all
   * versions of a mail that is being erased. What was attached to it and is a document in its own right by now keeps
   * its bytes.
   */
  async function dropUnnamed(companyId: string, of: { job: Job } | { documentId: string }): Promise<void> {
    const keys = await files.list('job' in of ? prefixOf(of.job) : `${companyId}/${of.documentId}/`);
    if (keys.length === 0) return;
    const named = await db.asCompany(companyId, (tx) =>
      tx
        .select({ objectKey: versions.objectKey })
        .from(versions)
        .where(inArray(versions.uploadId, keys.map(uuidOf))),
    );
    const kept = new Set(named.map(({ objectKey }) => objectKey));
    for (const key of keys) if (!kept.has(key)) await files.delete(key);
  }

  return { place, hasAny, dropUnnamed };
}

/** All live documents that came with the uploaded mail in which this one is, itself and the mail left out. */
async function countOfTree(tx: Tx, documentId: string): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(sql`
    with recursive up as (
      select id, parent_id from documents where id = ${documentId}
      union all select above.id, above.parent_id from documents as above join up on above.id = up.parent_id
    ), down as (
      select id from up where parent_id is null
      union all select below.id from documents as below join down on below.parent_id = down.id where below.deleted_at is null
    )
    select count(*)::int - 1 as count from down`);
  return rows[0]?.count ?? 0;
}

function isVersionOf({ documentId, version }: Job) {
  return and(eq(versions.documentId, documentId), eq(versions.version, version));
}
