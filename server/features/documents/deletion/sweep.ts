import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import type { Database } from '#server/db/db.ts';
import { documents, uploads, versions } from '#server/db/schema.ts';
import { removeLeftFolders } from '#server/features/ingestion/sandbox/folders.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { companiesGivenUp, noJobFor } from '#server/jobs/pending.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { companiesWithText } from '../processing/search-chunks.ts';
import { objectKey } from '../upload/under-way.ts';

export interface SweepDeps {
  db: Database;
  jobs: Jobs;
  files: FileStore;
  search: Pick<SearchStore, 'companies'>;
  /** Folder with the bytes of unfinished uploads. */
  uploadsRoot: string;
}

/** An upload that nobody has gone on with for this long is given up. */
const uploadLifeMs = 24 * 3_600_000;
const interrupted = 'Reading it was interrupted. Please try again.';

/** The net below the jobs: whatever happened, every file reaches an end state and nothing is left lying about. */
export function createSweep({ db, jobs, files, search, uploadsRoot }: SweepDeps) {
  return async function sweep(): Promise<void> {
    await endStuckVersions();
    await eraseLeftBehind();
    await rewriteLeftBehind();
    await rebuildLost();
    await giveUpOldUploads();
    await giveUpCutOffUploads();
    removeLeftFolders();
  };

  /** A version and its job are written in one transaction, so one without the other has lost it. */
  async function endStuckVersions(): Promise<void> {
    await db.asSystem(async (tx) => {
      const ended = await tx
        .update(versions)
        .set({ state: 'failed', reason: interrupted, finishedAt: sql`now()` })
        .where(
          and(
            inArray(versions.state, ['queued', 'processing']),
            noJobFor(['ingest-version', 'ingest-long-version'], {
              documentId: versions.documentId,
              version: versions.version,
              attempt: versions.attempt,
            }),
          ),
        )
        .returning({ companyId: versions.companyId, documentId: versions.documentId });
      for (const payload of ended) await db.notify(tx, 'files', payload);
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

  async function giveUpOldUploads(): Promise<void> {
    const names = await readdir(uploadsRoot).catch(() => []);
    for (const id of names) {
      const path = join(uploadsRoot, id);
      const last = await stat(path).catch(() => null);
      if (!last || Date.now() - last.mtimeMs < uploadLifeMs) continue;
      await giveUp(id);
      await rm(path, { force: true });
    }
  }

  /** Uploads whose bytes were stored when the process died, and that no client has asked for since. */
  async function giveUpCutOffUploads(): Promise<void> {
    const before = new Date(Date.now() - uploadLifeMs);
    const old = await db.asSystem((tx) =>
      tx.select({ id: uploads.id }).from(uploads).where(lt(uploads.createdAt, before)),
    );
    for (const { id } of old) {
      if (await stat(join(uploadsRoot, id)).catch(() => null)) continue;
      // Before the row is gone for good, or a crash would leave bytes that nothing names.
      await giveUp(id, (companyId) => files.delete(objectKey(companyId, id)));
    }
  }

  /** @param erase what else has to go, unless it has become a version meanwhile */
  async function giveUp(id: string, erase?: (companyId: string) => Promise<void>): Promise<void> {
    await db.asSystem(async (tx) => {
      const [gone] = await tx.delete(uploads).where(eq(uploads.id, id)).returning({ companyId: uploads.companyId });
      if (!gone) return;
      await erase?.(gone.companyId);
      await db.notify(tx, 'files', { companyId: gone.companyId, documentId: id });
    });
  }
}
