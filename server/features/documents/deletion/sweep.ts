import { and, eq, inArray, isNotNull, sql } from '#server/db/drizzle.ts';
import { documents, versions } from '#server/db/schema.ts';
import { removeLeftFolders } from '#server/features/ingestion/sandbox/folders.ts';
import { tell } from '#server/features/webhooks/outbox.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { companiesGivenUp, noJobFor } from '#server/jobs/pending.ts';
import type { OwnFolder } from '#server/lib/own-folder.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { companiesWithText } from '../processing/search-chunks.ts';
import { createUploadSweep, type UploadSweepDeps } from './sweep-uploads.ts';

export interface SweepDeps extends UploadSweepDeps {
  jobs: Jobs;
  search: Pick<SearchStore, 'companies'>;
  /** Where parsers read, of this process and, in folders beside it, of others. */
  temp: Pick<OwnFolder, 'removeLeft'>;
}

const interrupted = 'Reading it was interrupted. Please try again.';

const isStuck = and(
  inArray(versions.state, ['queued', 'processing']),
  noJobFor(['ingest-version', 'ingest-long-version'], {
    documentId: versions.documentId,
    version: versions.version,
    attempt: versions.attempt,
  }),
);

/** The net below the jobs: whatever happened, every file reaches an end state and nothing is left lying about. */
export function createSweep({ db, jobs, files, bytes, locks, search, temp }: SweepDeps) {
  const sweepUploads = createUploadSweep({ db, files, bytes, locks });
  return async function sweep(): Promise<void> {
    await endStuckVersions();
    await eraseLeftBehind();
    await rewriteLeftBehind();
    await rebuildLost();
    await sweepUploads();
    await temp.removeLeft();
    removeLeftFolders();
  };

  /** A version and its job are written in one transaction, so one without the other has lost it. */
  async function endStuckVersions(): Promise<void> {
    const rows = await db.asSystem((tx) =>
      tx.selectDistinct({ companyId: versions.companyId }).from(versions).where(isStuck),
    );
    // One by one: who tells the webhooks of several companies in one transaction waits for others who do.
    for (const { companyId } of rows) await endStuckOf(companyId);
  }

  async function endStuckOf(companyId: string): Promise<void> {
    await db.asSystem(async (tx) => {
      const { documentId, version } = versions;
      const stuck = await tx
        .select({ documentId, version })
        .from(versions)
        .where(and(eq(versions.companyId, companyId), isStuck))
        .orderBy(documentId, version)
        .for('no key update');
      for (const each of stuck) {
        const isIt = and(eq(documentId, each.documentId), eq(version, each.version));
        await tx
          .update(versions)
          .set({ state: 'failed', reason: interrupted, finishedAt: sql`now()` })
          .where(and(eq(versions.companyId, companyId), isIt));
        await db.notify(tx, 'files', { companyId, documentId: each.documentId });
      }
      const events = stuck.map((each) => ({ type: 'document.failed' as const, ...each }));
      await tell(tx, jobs, companyId, events);
    });
  }

  /** A deletion whose erasing has failed for good is tried again. */
  async function eraseLeftBehind(): Promise<void> {
    await db.asSystem(async (tx) => {
      const left = await tx
        .select({ companyId: documents.companyId, documentId: documents.id })
        .from(documents)
        .where(and(isNotNull(documents.deletedAt), noJobFor(['erase-document'], { documentId: documents.id })));
      for (const data of left) await jobs.enqueue(tx, 'erase-document', data);
    });
  }

  /** The same for the search table. */
  async function rewriteLeftBehind(): Promise<void> {
    await db.asSystem(async (tx) => {
      for (const companyId of await companiesGivenUp(tx, 'erase-search'))
        await jobs.enqueue(tx, 'erase-search', { companyId }, { singletonKey: companyId });
    });
  }

  /** A company whose search table is gone (its folder was thrown away, or lost) gets it from its stored text. */
  async function rebuildLost(): Promise<void> {
    const there = await search.companies();
    await db.asSystem(async (tx) => {
      for (const { companyId } of await companiesWithText(tx)) {
        if (there.has(companyId)) continue;
        await jobs.enqueue(tx, 'erase-search', { companyId }, { singletonKey: companyId });
      }
    });
  }
}
