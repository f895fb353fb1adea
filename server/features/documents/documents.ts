import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { CompanyFile } from '#contract/calls/documents.ts';
import { AppError } from '#contract/errors.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { documents, versions } from '#server/db/schema.ts';
import { type AuditActor, audit } from '#server/features/audit/audit.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { filePath, nameInPath, nameKey } from './names.ts';
import { forgetQuotes } from './stored-quotes.ts';
import type { Uploads } from './uploads.ts';

export interface DocumentsDeps {
  db: Database;
  jobs: Jobs;
  uploads: Pick<Uploads, 'underWay'>;
  /** Name of the bucket, as the specification's `gs://` addresses carry it. */
  bucket: string;
}

/** A company's documents: listing, finding, deleting, retrying. Everything reads live rows only. */
export type Documents = ReturnType<typeof createDocuments>;

export function createDocuments({ db, jobs, uploads, bucket }: DocumentsDeps) {
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
    return found.map(({ id, name, size, offset, createdAt }) => ({
      id,
      name,
      path: filePath(companyId, name),
      bucket,
      state: 'uploading',
      progress: { done: offset, total: size },
      version: (newest.get(nameKey(name)) ?? 0) + 1,
      size,
      uploadedAt: createdAt.toISOString(),
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
      ...(version.pages !== null && { pages: version.pages }),
      version: version.version,
      ...(document.currentVersion !== null && { currentVersion: document.currentVersion }),
      size: version.size,
      uploadedAt: version.uploadedAt.toISOString(),
    };
  }

  /**
   * Deletes the file at the path. When this resolves no reader, search or answer can see it any more: they all read
   * live rows, and running jobs stop. What is left of it is erased by a job that the same transaction enqueues.
   * @throws AppError `file-not-found`
   */
  async function remove(by: AuditActor, path: string): Promise<{ name: string }> {
    const { companyId } = by;
    const key = nameKey(nameInPath(companyId, path));
    return db.asCompany(companyId, async (tx) => {
      const [gone] = await tx
        .update(documents)
        .set({ deletedAt: sql`now()` })
        .where(and(eq(documents.nameKey, key), isNull(documents.deletedAt)))
        .returning({ id: documents.id, name: documents.name });
      if (!gone) throw new AppError('file-not-found');
      await forgetQuotes(tx, gone.id);
      await jobs.enqueue(tx, 'erase-document', { companyId, documentId: gone.id });
      await db.notify(tx, 'files', { companyId, documentId: gone.id });
      await audit(tx, { action: 'file-deleted', by, target: gone.name });
      return { name: gone.name };
    });
  }

  /**
   * Reads a failed or partly readable file once more.
   * @throws AppError `file-not-found`, `not-retryable`
   */
  async function retry(by: AuditActor, documentId: string): Promise<void> {
    const { companyId } = by;
    await db.asCompany(companyId, async (tx) => {
      const [document] = await tx
        .select({ name: documents.name, version: documents.newestVersion })
        .from(documents)
        .where(and(eq(documents.id, documentId), isNull(documents.deletedAt)));
      if (!document) throw new AppError('file-not-found');
      const [retried] = await tx
        .update(versions)
        .set({
          state: 'queued',
          reason: null,
          progressDone: null,
          progressTotal: null,
          finishedAt: null,
          attempt: sql`${versions.attempt} + 1`,
        })
        .where(
          and(
            eq(versions.documentId, documentId),
            eq(versions.version, document.version),
            or(eq(versions.state, 'failed'), eq(versions.state, 'partial')),
          ),
        )
        .returning({ version: versions.version, attempt: versions.attempt });
      if (!retried) throw new AppError('not-retryable');
      await jobs.enqueue(tx, 'ingest-version', { companyId, documentId, ...retried });
      await audit(tx, { action: 'file-retried', by, target: document.name, details: { version: retried.version } });
      await db.notify(tx, 'files', { companyId, documentId });
    });
  }

  return { list, find, remove, retry };
}
