import { randomUUID } from 'node:crypto';
import { and, asc, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import type { CompanyFile } from '#contract/calls/documents.ts';
import { AppError } from '#contract/errors.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { documents, versions } from '#server/db/schema.ts';
import { type AuditActor, audit } from '#server/features/audit/audit.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { ErasureLedger } from '#server/lib/erasure-ledger.ts';
import { deleteDocuments } from './deletion/delete-documents.ts';
import { ownNames } from './locks.ts';
import { filePath, nameInPath, nameKey } from './names.ts';
import { enqueueReading } from './processing/reading-queue.ts';
import type { Uploads } from './upload/uploads.ts';

export interface CompanyFilesDeps {
  db: Database;
  jobs: Jobs;
  uploads: Pick<Uploads, 'underWay' | 'endReplacing'>;
  ledger: ErasureLedger;
  /** Name of the bucket, as the specification's `gs://` addresses carry it. */
  bucket: string;
}

/** A company's documents: listing, finding, deleting, retrying. Everything reads live rows only. */
export type CompanyFiles = ReturnType<typeof createCompanyFiles>;

export function createCompanyFiles({ db, jobs, uploads, ledger, bucket }: CompanyFilesDeps) {
  /** All files of the company by name, and before them the uploads under way. */
  function list(companyId: string): Promise<CompanyFile[]> {
    return db.asCompany(companyId, async (tx) => {
      const unfinished = await uploading(tx, companyId);
      const found = await rows(tx);
      // One that was finished between the two reads is listed once.
      const finished = new Set(found.map(({ versions: { uploadId } }) => uploadId));
      return [...unfinished.filter(({ id }) => !finished.has(id)), ...found.map((row) => fileOf(companyId, row))];
    });
  }

  /** One file or upload under way, or null when it is gone. */
  function find(companyId: string, id: string): Promise<CompanyFile | null> {
    return db.asCompany(companyId, async (tx) => {
      const [row] = await rows(tx, id);
      if (row) return fileOf(companyId, row);
      const [unfinished] = await uploading(tx, companyId, id);
      return unfinished ?? null;
    });
  }

  /** Those of the ids that are no live document of the company. */
  async function gone(companyId: string, ids: readonly string[]): Promise<string[]> {
    const live = await db.asCompany(companyId, (tx) =>
      tx
        .select({ id: documents.id })
        .from(documents)
        .where(and(isNull(documents.deletedAt), inArray(documents.id, [...ids]))),
    );
    const known = new Set(live.map(({ id }) => id));
    // The database writes ids in small letters, whoever asks may not.
    return [...new Set(ids)].filter((id) => !known.has(id.toLowerCase()));
  }

  /** Each under its own id, as the version that it will become. */
  async function uploading(tx: Tx, companyId: string, uploadId?: string): Promise<CompanyFile[]> {
    const found = await uploads.underWay(tx, companyId, uploadId);
    if (found.length === 0) return [];
    const keys = found.map(({ name }) => nameKey(name));
    const replaced = await tx
      .select({ key: documents.nameKey, newest: documents.newestVersion })
      .from(documents)
      .where(and(isNull(documents.deletedAt), inArray(documents.nameKey, keys)));
    const newest = new Map(replaced.map((document) => [document.key, document.newest]));
    return found.map(({ id, name, size, ifExists, userId, offset, createdAt }) => ({
      id,
      name,
      path: filePath(companyId, name),
      bucket,
      state: 'uploading',
      progress: { done: offset, total: size },
      version: ifExists === 'replace' ? (newest.get(nameKey(name)) ?? 0) + 1 : 1,
      size,
      uploadedAt: createdAt.toISOString(),
      uploadedBy: userId,
    }));
  }

  function rows(tx: Tx, documentId?: string) {
    return tx
      .select()
      .from(documents)
      .innerJoin(
        versions,
        and(
          eq(versions.companyId, documents.companyId),
          eq(versions.documentId, documents.id),
          eq(versions.version, documents.newestVersion),
        ),
      )
      .where(and(isNull(documents.deletedAt), documentId === undefined ? undefined : eq(documents.id, documentId)))
      .orderBy(asc(documents.nameKey))
      .limit(50_000);
  }

  function fileOf(
    companyId: string,
    { documents: document, versions: version }: Awaited<ReturnType<typeof rows>>[number],
  ): CompanyFile {
    return {
      id: document.id,
      name: document.name,
      path: filePath(companyId, document.name),
      bucket,
      state: version.state,
      ...(version.progressTotal !== null &&
        version.state === 'processing' && {
          progress: { done: version.progressDone ?? 0, total: version.progressTotal },
        }),
      ...(version.reason !== null && { reason: version.reason }),
      ...(document.parentId !== null && { attachedTo: document.parentId }),
      ...(version.pages !== null && { pages: version.pages }),
      version: version.version,
      ...(document.currentVersion !== null && { currentVersion: document.currentVersion }),
      size: version.size,
      uploadedAt: version.uploadedAt.toISOString(),
      uploadedBy: version.uploadedBy,
      tags: document.tags,
      ...(version.planted && version.planted.length > 0 && { planted: version.planted }),
    };
  }

  /**
   * Deletes the file at the path, a mail with its attachments. When this resolves no reader, search or answer can see
   * it any more: they all read live rows, and running jobs stop; uploads under way that would have replaced it are
   * ended. What is left of it is erased by jobs that the same transaction enqueues.
   * @throws AppError `file-not-found`
   */
  function remove(by: AuditActor, path: string): Promise<{ name: string }> {
    return removeWhere(by, eq(documents.nameKey, nameKey(nameInPath(by.companyId, path))));
  }

  /** The same by its id. @throws AppError `file-not-found` */
  function removeById(by: AuditActor, documentId: string): Promise<{ name: string }> {
    return removeWhere(by, eq(documents.id, documentId));
  }

  async function removeWhere(by: AuditActor, isMeant: SQL): Promise<{ name: string }> {
    const { companyId } = by;
    const { name, ids } = await db.asCompany(companyId, async (tx) => {
      await ownNames(tx, companyId);
      const [gone] = await tx
        .select({ id: documents.id, name: documents.name, key: documents.nameKey })
        .from(documents)
        .where(and(isMeant, isNull(documents.deletedAt)));
      if (!gone) throw new AppError('file-not-found');
      const ids = await deleteDocuments(tx, { db, jobs }, companyId, [gone.id]);
      const attachments = ids.length - 1;
      await uploads.endReplacing(tx, companyId, gone.key);
      const details = attachments > 0 ? { attachments } : {};
      await audit(tx, { action: 'file-deleted', by, target: gone.name, details });
      return { name: gone.name, ids };
    });
    // Now, since the disk may be lost before the job runs, which notes it as well and is tried again where this fails.
    await ledger.note(ids).catch(() => {});
    return { name };
  }

  /**
   * Reads a failed or partly readable file once more. What was partly readable answers, and is cited, so it stays as it
   * is: reading it again makes a new version of the same bytes.
   * @throws AppError `file-not-found`, `not-retryable`
   */
  async function retry(by: AuditActor, documentId: string): Promise<void> {
    const { companyId } = by;
    await db.asCompany(companyId, async (tx) => {
      const [document] = await tx
        .select({ name: documents.name, version: documents.newestVersion })
        .from(documents)
        .where(and(eq(documents.id, documentId), isNull(documents.deletedAt)))
        // Of several people who ask at once, the others find it waiting.
        .for('update');
      if (!document) throw new AppError('file-not-found');
      const retried = await readAgain(tx, documentId, document.version);
      await enqueueReading(tx, jobs, { companyId, documentId, ...retried });
      await audit(tx, { action: 'file-retried', by, target: document.name, details: { version: retried.version } });
      await db.notify(tx, 'files', { companyId, documentId });
    });
  }

  async function readAgain(tx: Tx, documentId: string, version: number): Promise<{ version: number; attempt: number }> {
    const isNewest = and(eq(versions.documentId, documentId), eq(versions.version, version));
    const [newest] = await tx.select().from(versions).where(isNewest);
    const fresh = { state: 'queued', reason: null, progressDone: null, progressTotal: null, finishedAt: null } as const;
    if (newest?.state === 'failed') {
      const attempt = newest.attempt + 1;
      await tx
        .update(versions)
        .set({ ...fresh, attempt })
        .where(isNewest);
      return { version, attempt };
    }
    if (newest?.state !== 'partial') throw new AppError('not-retryable');
    const next = { version: version + 1, attempt: 1 };
    await tx
      .insert(versions)
      .values({ ...newest, ...fresh, ...next, pages: null, planted: null, uploadId: randomUUID() });
    await tx.update(documents).set({ newestVersion: next.version }).where(eq(documents.id, documentId));
    return next;
  }

  return { list, find, gone, remove, removeById, retry };
}
