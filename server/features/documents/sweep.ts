import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import type { Database } from '#server/db/db.ts';
import { documents, uploads, versions } from '#server/db/schema.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { FileStore } from '#server/ports/files/port.ts';

export interface SweepDeps {
  db: Database;
  jobs: Jobs;
  files: FileStore;
  /** Folder with the bytes of unfinished uploads. */
  uploadsRoot: string;
}

/** An upload that nobody has gone on with for this long is given up. */
const uploadLifeMs = 24 * 3_600_000;
/** A version without an end after this long is looked at: is a job still at work on it? */
const patience = sql`interval '30 minutes'`;

const interrupted = 'Reading it was interrupted. Please try again.';

/** The net below the jobs: whatever happened, every file reaches an end state and nothing is left lying about. */
export function createSweep({ db, jobs, files, uploadsRoot }: SweepDeps) {
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
      await giveUp(id);
      await rm(path, { force: true });
    }
    // Of those without bytes here some have theirs in the store: the process died between storing them and making them
    // a version, and nobody came back.
    const before = new Date(Date.now() - uploadLifeMs);
    const old = await db.asSystem((tx) =>
      tx.select({ id: uploads.id }).from(uploads).where(lt(uploads.createdAt, before)),
    );
    for (const { id } of old) {
      if (await stat(join(uploadsRoot, id)).catch(() => null)) continue;
      const companyId = await giveUp(id);
      if (companyId !== null) await files.delete(`${companyId}/${id}`);
    }
  }

  /** @returns whose it was; null when it has become a version meanwhile */
  async function giveUp(id: string): Promise<string | null> {
    return db.asSystem(async (tx) => {
      const [gone] = await tx.delete(uploads).where(eq(uploads.id, id)).returning({ companyId: uploads.companyId });
      if (gone) await db.notify(tx, 'files', { companyId: gone.companyId, documentId: id });
      return gone?.companyId ?? null;
    });
  }
}
