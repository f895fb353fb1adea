import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { documents, versions } from '#server/db/schema.ts';
import { chunking, pieces } from '#server/features/ingestion/chunk.ts';
import { detectFile } from '#server/features/ingestion/detect.ts';
import { formats } from '#server/features/ingestion/document.ts';
import { placing } from '#server/features/ingestion/place.ts';
import { ParseFailure } from '#server/features/ingestion/reasons.ts';
import type { Sandbox } from '#server/features/ingestion/sandbox/sandbox.ts';
import { TakesLong } from '#server/features/ingestion/sandbox/worker.ts';
import type { JobData, JobRun } from '#server/jobs/registry.ts';
import { languagesOf } from '#server/lib/language.ts';
import { collected } from '#server/lib/pause.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import { createAttachments } from './attachments.ts';
import { plantedIn } from './look-for-orders.ts';
import { createPublishing, type PublishDeps, type Read } from './publish.ts';
import { enqueueLongReading } from './reading-queue.ts';
import { forgetRecognised, keepRecognised, readRecognised } from './recognised.ts';
import { ofJob, requireWanted, Superseded } from './wanted.ts';

export interface IngestDeps extends PublishDeps {
  files: FileStore;
  sandbox: Sandbox;
  /** Folder for the copies that parsers read. */
  temp: string;
}

const progressEveryMs = 500;

const ourFault = 'Something went wrong on our side while reading it. Please try again.';

type Job = JobData<'ingest-version'>;

/**
 * Reads a version: parse, place, chunk, index, and make it the one that answers. Every step may be repeated; a
 * half-built version is invisible, because readers ask for current versions only.
 * @throws whatever may go better next time; what never will is written down as the version's end state.
 */
export function createIngestion(deps: IngestDeps) {
  const { db, jobs, files, search, sandbox, temp } = deps;
  const attachments = createAttachments(deps);
  const { store, mendSearchTable, makeCurrent } = createPublishing({ ...deps, attachments });

  return {
    ingest: (job: Job, run: JobRun) => ingest(job, run, false),
    /** For a version that takes minutes: in turns with those of other companies, beside those that do not. */
    ingestLong: (job: Job, run: JobRun) => ingest(job, run, true),
  };

  async function ingest(job: Job, { signal, isLastAttempt }: JobRun, mayTakeLong: boolean): Promise<void> {
    const stopped = new AbortController();
    const stopListening = await db.listen('files', async (payload) => {
      if (payload.documentId === job.documentId && !(await isWanted(job))) stopped.abort();
    });
    try {
      const read = await parse(job, mayTakeLong, AbortSignal.any([signal, stopped.signal]));
      // An earlier run of this job may have ended between its last steps.
      if (!read) return await tidy(job);
      const placed = await collected(placing(read.parsed.blocks));
      const cut = await collected(chunking(await collected(pieces(placed))));
      const languages = await collected(languagesOf(cut.map(({ text }) => text)));
      const made = cut.map((chunk, i) => ({ ...chunk, language: languages[i] ?? null }));
      const planted = await plantedIn(placed);
      await store(job, placed, made);
      await mendSearchTable(job);
      await makeCurrent(job, read, { chunkCount: made.length, planted });
      await tidy(job);
    } catch (error) {
      if (error instanceof Superseded || stopped.signal.aborted) return await tidy(job);
      if (error instanceof ParseFailure) return fail(job, error.reason);
      if (error instanceof TakesLong) return giveWay(job);
      // Nobody comes after this attempt to write an end.
      if (isLastAttempt) {
        await fail(job, ourFault);
        await tidy(job);
      }
      throw error;
    } finally {
      stopListening();
    }
  }

  async function parse(job: Job, mayTakeLong: boolean, signal: AbortSignal): Promise<Read | null> {
    const version = await db.asCompany(job.companyId, async (tx) => {
      const [row] = await tx
        .update(versions)
        .set({ state: 'processing', reason: null })
        .where(and(ofJob(job), isNull(versions.finishedAt)))
        .returning({ objectKey: versions.objectKey });
      const [document] = await tx
        .select({ name: documents.name })
        .from(documents)
        .where(and(eq(documents.id, job.documentId), isNull(documents.deletedAt)));
      if (!row || !document) return null;
      await db.notify(tx, 'files', { companyId: job.companyId, documentId: job.documentId });
      return { ...row, ...document };
    });
    if (!version) return null;

    const folder = join(temp, randomUUID());
    await mkdir(folder, { recursive: true, mode: 0o755 });
    try {
      const path = join(folder, 'input');
      await pipeline(await files.get(version.objectKey), createWriteStream(path));
      const detected = await detectFile(path, version.name);
      if ('refused' in detected) throw new ParseFailure(detected.refused);
      if ('broken' in detected) throw new ParseFailure(detected.broken);
      const { format } = detected;
      await db.asCompany(job.companyId, (tx) =>
        tx.update(versions).set({ mediaType: formats[format].mediaType }).where(ofJob(job)),
      );
      let told = 0;
      const parsed = await sandbox.parse({
        path,
        format,
        mayTakeLong,
        attachmentsTo: join(folder, 'attachments'),
        known: mayTakeLong ? await readRecognised(db, job) : [],
        onRecognised: (page) => void keepRecognised(db, job, page),
        signal,
        onProgress: (done, total) => {
          if (Date.now() - told < progressEveryMs) return;
          told = Date.now();
          // A lost report of progress loses nothing.
          tellProgress(job, done, total).catch(() => {});
        },
      });
      return { parsed, attached: await attachments.store(job, version, parsed.attachments) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** What waits for its turn among those that take long must not keep the place of one that does not. */
  async function giveWay(job: Job): Promise<void> {
    await db.asCompany(job.companyId, (tx) => enqueueLongReading(tx, jobs, job));
  }

  async function tellProgress(job: Job, done: number, total: number): Promise<void> {
    await db.asCompany(job.companyId, async (tx) => {
      await tx.update(versions).set({ progressDone: done, progressTotal: total }).where(ofJob(job));
      await db.notify(tx, 'files', { companyId: job.companyId, documentId: job.documentId });
    });
  }

  /** After the end: versions that no longer answer would only crowd out others, and bytes that no version names stay for ever. */
  async function tidy(job: Job): Promise<void> {
    const { companyId, documentId } = job;
    await attachments.dropUnnamed(companyId, { job });
    const [document] = await db.asCompany(companyId, (tx) =>
      tx
        .select({ currentVersion: documents.currentVersion })
        .from(documents)
        .where(and(eq(documents.id, documentId), isNull(documents.deletedAt))),
    );
    if (document?.currentVersion && document.currentVersion > 1)
      await search.remove(companyId, documentId, { before: document.currentVersion });
  }

  /** Writes down an end state that trying again would not change; one that is there already stays. */
  async function fail(job: Job, reason: string): Promise<void> {
    await db.asCompany(job.companyId, async (tx) => {
      await tx
        .update(versions)
        .set({ state: 'failed', reason, finishedAt: sql`now()` })
        .where(and(ofJob(job), isNull(versions.finishedAt)));
      await forgetRecognised(tx, job);
      await db.notify(tx, 'files', { companyId: job.companyId, documentId: job.documentId });
    });
  }

  async function isWanted(job: Job): Promise<boolean> {
    return db
      .asCompany(job.companyId, (tx) => requireWanted(tx, job))
      .then(
        () => true,
        (error) => !(error instanceof Superseded),
      );
  }
}
