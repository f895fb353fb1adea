import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import type { Database } from '#server/db/db.ts';
import { documents, uploads, versions } from '#server/db/schema.ts';
import type { Jobs } from '#server/jobs/jobs.ts';

export interface SweepDeps {
  db: Database;
  jobs: Jobs;
  /** Folder with the bytes of unfinished uploads. */
  uploadsRoot: string;
}

/** An upload that nobody has gone on with for this long is given up. */
const uploadLifeMs = 24 * 3_600_000;
/** A version without an end after this long is looked at: is a job still at work on it? */
const patience = sql`interval '30 minutes'`;

const interrupted = 'Reading it was interrupted. Please try again.';

/** The net below the jobs: whatever happened, every file reaches an end state and nothing is left lying about. */
export function createSweep({ db, jobs, uploadsRoot }: SweepDeps) {
  return async function sweep(): Promise<void> {
    await endStuckVersions();
    await eraseLeftBehind();
    await giveUpOldUploads();
  };

  async function endStuckVersions(): Promise<void> {
    await db.asSystem(async (tx) => {
      const ended = await tx
        .update(versions)
        .set({ state: 'failed', reason: interrupted, finishedAt: sql`now()` })
        .where(
          and(
            inArray(versions.state, ['queued', 'processing']),
            lt(versions.uploadedAt, sql`now() - ${patience}`),
            sql`not exists (
              select 1 from pgboss.job
              where name = 'ingest-version' and state < 'completed'
                and data->>'documentId' = ${versions.documentId}::text
                and (data->>'version')::int = ${versions.version})`,
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
        .where(
          and(
            isNotNull(documents.deletedAt),
            lt(documents.deletedAt, sql`now() - ${patience}`),
            sql`not exists (
              select 1 from pgboss.job
              where name = 'erase-document' and state < 'completed' and data->>'documentId' = ${documents.id}::text)`,
          ),
        );
      for (const data of left) await jobs.enqueue(tx, 'erase-document', data);
    });
  }

  async function giveUpOldUploads(): Promise<void> {
    const names = await readdir(uploadsRoot).catch(() => []);
    for (const id of names) {
      const path = join(uploadsRoot, id);
      const last = await stat(path).catch(() => null);
      if (!last || Date.now() - last.mtimeMs < uploadLifeMs) continue;
      await db.asSystem((tx) => tx.delete(uploads).where(eq(uploads.id, id)));
      await rm(path, { force: true });
    }
  }
}
