import type { PlantedPassage } from '#contract/calls/documents.ts';
import type { Database } from '#server/db/db.ts';
import { and, eq, isNotNull, isNull, lt, sql } from '#server/db/drizzle.ts';
import { blocks, chunks, documents, versions } from '#server/db/schema.ts';
import type { Chunk, PlacedBlock } from '#server/features/ingestion/document.ts';
import type { ParsedDocument } from '#server/features/ingestion/sandbox/collector.ts';
import { tell } from '#server/features/webhooks/outbox.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobData } from '#server/jobs/registry.ts';
import { uuidOf } from '#server/lib/uuid-of.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { collectionOf, tellSearch } from '../collections/moving.ts';
import { ownNames, shareSearchTable } from '../locks.ts';
import { holdTrees } from '../trees.ts';
import type { Storage } from '../upload/storage.ts';
import type { createAttachments } from './attachments.ts';
import { insertBlocks, insertChunks } from './insert-text.ts';
import { forgetRecognised } from './recognised.ts';
import { searchChunks } from './search-chunks.ts';
import type { StoredAttachments } from './store-attachments.ts';
import { unreadableReason } from './unreadable.ts';
import { isNewest, ofJob, requireWanted } from './wanted.ts';

type Job = JobData<'ingest-version'>;

/** What parsing a version gave, its attachments already stored. */
export interface ParsedVersion {
  parsed: ParsedDocument;
  attached: StoredAttachments;
}

export interface PublishDeps {
  db: Database;
  jobs: Jobs;
  search: SearchStore;
  storage: Storage;
  /** Folding rows in costs a search table most of a second: done once for many, so many seconds after the first. */
  optimizeAfterSeconds: number;
  /** Whether passages get vectors. */
  embeds: boolean;
}

/** Puts what was read of a version where it is searched, and makes it the version that answers. */
export function createPublishing({
  db,
  jobs,
  search,
  storage,
  optimizeAfterSeconds,
  embeds,
  attachments,
}: PublishDeps & { attachments: ReturnType<typeof createAttachments> }) {
  return { store, mendSearchTable, makeCurrent };

  /** Writes its text down, invisible as yet. */
  async function store(job: Job, placed: PlacedBlock[], made: Chunk[]): Promise<void> {
    const { companyId, documentId, version } = job;
    await db.asCompany(companyId, async (tx) => {
      // The version is held, not the document: a deletion need not wait until all is stored.
      await requireWanted(tx, job, versions);
      await tx.delete(blocks).where(and(eq(blocks.documentId, documentId), eq(blocks.version, version)));
      await tx.delete(chunks).where(and(eq(chunks.documentId, documentId), eq(chunks.version, version)));
      await insertBlocks(tx, job, placed);
      await insertChunks(
        tx,
        job,
        made.map((chunk) => ({ ...chunk, id: chunkId(job, chunk.index) })),
      );
    });
  }

  /**
   * A lost table would be made anew by the next addition, without what was in it: that it is to be rebuilt comes first.
   */
  async function mendSearchTable({ companyId }: Job): Promise<void> {
    if (await search.has(companyId)) return;
    await db.asCompany(companyId, async (tx) => {
      const isSearched = and(isNotNull(documents.currentVersion), isNull(documents.deletedAt));
      const lost = await tx.select({ id: documents.id }).from(documents).where(isSearched).limit(1);
      if (lost.length > 0) await jobs.enqueue(tx, 'erase-search', { companyId }, { singletonKey: companyId });
    });
  }

  /**
   * Indexes the version and swaps it in. If the transaction can't commit, what was added to the search store is only a
   * candidate that PostgreSQL will not confirm.
   */
  async function makeCurrent(
    job: Job,
    { parsed, attached }: ParsedVersion,
    { chunkCount, planted }: { chunkCount: number; planted: PlantedPassage[] },
  ): Promise<void> {
    const { companyId, documentId, version } = job;
    await db.asCompany(companyId, async (tx) => {
      await shareSearchTable(tx, companyId);
      // Read first: the search table is told once more where it may have been moved since.
      const indexedIn = await collectionOf(tx, documentId);
      if (isNewest(job, await requireWanted(tx, job)) && chunkCount > 0)
        await search.add(companyId, await searchChunks(tx, companyId, { documentId, version }));
      // Held only from here on: a deletion does not wait for the search store. What is added after one is erased with
      // the rest, since erasing waits for this transaction.
      const mail = attached.files.length > 0 || (await attachments.hasAny(tx, job));
      if (mail) {
        await ownNames(tx, companyId);
        await holdTrees(tx, companyId, [documentId]);
      }
      const newest = isNewest(job, await requireWanted(tx, job, documents));
      if ((await collectionOf(tx, documentId)) !== indexedIn) await tellSearch(tx, jobs, companyId, [documentId]);
      const { leftOut, gone } =
        mail && newest
          ? await attachments.place(tx, job, attached, await storage.roomIn(tx, companyId))
          : { leftOut: attached.leftOut, gone: [] };
      const reason = unreadableReason({ unreadable: [...parsed.unreadable, ...leftOut] });
      await tx
        .update(versions)
        .set({
          state: reason === null ? 'ready' : 'partial',
          reason,
          pages: parsed.pages ?? null,
          planted,
          finishedAt: sql`now()`,
        })
        .where(ofJob(job));
      await forgetRecognised(tx, job);
      if (newest) await tx.update(documents).set({ currentVersion: version }).where(eq(documents.id, documentId));
      await tx
        .delete(chunks)
        .where(
          and(eq(chunks.documentId, documentId), newest ? lt(chunks.version, version) : eq(chunks.version, version)),
        );
      const upkeep = { singletonKey: companyId, startAfterSeconds: optimizeAfterSeconds };
      await jobs.enqueue(tx, 'optimize-search', { companyId }, upkeep);
      if (newest) await tell(tx, jobs, companyId, [...gone, { type: 'document.ready', documentId, version }]);
      if (embeds && newest) await jobs.enqueue(tx, 'embed-version', { companyId, documentId, version });
      await db.notify(tx, 'files', { companyId, documentId });
    });
  }
}

/** The same chunk of a version has the same id at every attempt, so that indexing it again replaces it. */
function chunkId({ companyId, documentId, version }: Job, index: number): string {
  return uuidOf(`${companyId}/${documentId}/${version}/${index}`);
}
