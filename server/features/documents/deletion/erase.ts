import type { Database } from '#server/db/db.ts';
import { and, eq, isNotNull, isNull, sql } from '#server/db/drizzle.ts';
import { documents, versions } from '#server/db/schema.ts';
import { forgetSent } from '#server/features/webhooks/forget.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobData } from '#server/jobs/registry.ts';
import type { ErasureLedger } from '#server/lib/erasure-ledger.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import type { SearchChunk, SearchStore } from '#server/ports/search/port.ts';
import { ownSearchTable, shareSearchTable } from '../locks.ts';
import { createAttachments } from '../processing/attachments.ts';
import { searchChunks } from '../processing/search-chunks.ts';
import type { SearchUpkeep } from '../processing/search-upkeep.ts';

export interface EraseDeps extends SearchUpkeep {
  db: Database;
  jobs: Jobs;
  files: FileStore;
  search: SearchStore;
  ledger: ErasureLedger;
}

/** What a deletion leaves to be done afterwards. Nobody can see the document any more when these run. */
export function createErasure({ db, jobs, files, search, ledger, eraseAfterSeconds, optimizeAfterSeconds }: EraseDeps) {
  const attachments = createAttachments({ db, jobs, files });

  /** Removes search rows, bytes and rows of a deleted document. */
  async function eraseDocument({ companyId, documentId }: JobData<'erase-document'>): Promise<void> {
    const gone = await db.asCompany(companyId, (tx) =>
      tx
        .select({ objectKey: versions.objectKey })
        .from(versions)
        .innerJoin(documents, and(eq(documents.companyId, versions.companyId), eq(documents.id, versions.documentId)))
        .where(and(eq(documents.id, documentId), isNotNull(documents.deletedAt))),
    );
    if (gone.length === 0) return;
    await ledger.note([documentId]);
    await db.asCompany(companyId, async (tx) => {
      await shareSearchTable(tx, companyId);
      await search.remove(companyId, documentId);
    });
    for (const { objectKey } of gone) await files.delete(objectKey);
    await attachments.dropUnnamed(companyId, { documentId });
    await db.asCompany(companyId, async (tx) => {
      await forgetSent(tx, documentId);
      await tx.delete(documents).where(and(eq(documents.id, documentId), isNotNull(documents.deletedAt)));
      await jobs.enqueue(
        tx,
        'erase-search',
        { companyId },
        { singletonKey: companyId, startAfterSeconds: eraseAfterSeconds },
      );
    });
  }

  async function eraseSearch({ companyId }: JobData<'erase-search'>): Promise<void> {
    await rewriteSearchTable({ db, search }, companyId);
    // Vectors that are written anew have no graph until then.
    const upkeep = { singletonKey: companyId, startAfterSeconds: optimizeAfterSeconds };
    await db.asCompany(companyId, (tx) => jobs.enqueue(tx, 'optimize-search', { companyId }, upkeep));
  }

  /** Folds added rows into the company's search index. */
  function optimizeSearch({ companyId }: JobData<'optimize-search'>): Promise<void> {
    return optimizeSearchTable({ db, search }, companyId);
  }

  /** Removes the originals and the search table of a company that has ended; its rows are gone. */
  async function eraseCompany(companyId: string): Promise<void> {
    await ledger.note([companyId]);
    for (const key of await files.list(`${companyId}/`)) await files.delete(key);
    // No reading of its files may write to it meanwhile: it would make the table anew.
    await db.asCompany(companyId, async (tx) => {
      await ownSearchTable(tx, companyId);
      await search.drop(companyId);
    });
  }

  return { eraseCompany, eraseDocument, eraseSearch, optimizeSearch };
}

/**
 * Rewrites the company's search table with live rows alone: removed rows stay in its older files until then. Where
 * there is no table, it makes one.
 */
export async function rewriteSearchTable(
  { db, search }: { db: Database; search: SearchStore },
  companyId: string,
): Promise<void> {
  await db.asCompany(companyId, async (tx) => {
    await ownSearchTable(tx, companyId);
    const live = await tx
      .select({ documentId: documents.id, version: sql<number>`${documents.currentVersion}` })
      .from(documents)
      .where(and(isNull(documents.deletedAt), isNotNull(documents.currentVersion)));
    async function* batches(): AsyncGenerator<SearchChunk[]> {
      for (const document of live) yield await searchChunks(tx, companyId, document);
    }
    await search.erase(companyId, batches());
  });
}

/** Folds what was added since into the index of the company's search table, and makes one where there is none. */
export async function optimizeSearchTable(
  { db, search }: { db: Database; search: SearchStore },
  companyId: string,
): Promise<void> {
  await db.asCompany(companyId, async (tx) => {
    await shareSearchTable(tx, companyId);
    await search.optimize(companyId);
  });
}
