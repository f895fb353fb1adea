import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { PlantedPassage } from '#contract/calls/documents.ts';
import type { Database } from '#server/db/db.ts';
import { blocks, chunks, documents, versions } from '#server/db/schema.ts';
import { chunking, pieces } from '#server/features/ingestion/chunk.ts';
import { detectFile } from '#server/features/ingestion/detect.ts';
import { type Chunk, formats, type PlacedBlock } from '#server/features/ingestion/document.ts';
import { placing } from '#server/features/ingestion/place.ts';
import { ParseFailure } from '#server/features/ingestion/reasons.ts';
import type { ParsedDocument } from '#server/features/ingestion/sandbox/collector.ts';
import type { Sandbox } from '#server/features/ingestion/sandbox/sandbox.ts';
import { TakesLong } from '#server/features/ingestion/sandbox/worker.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobData, JobRun } from '#server/jobs/registry.ts';
import { languagesOf } from '#server/lib/language.ts';
import { collected } from '#server/lib/pause.ts';
import { uuidOf } from '#server/lib/uuid-of.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { ownNames, shareSearchTable } from '../locks.ts';
import type { Storage } from '../upload/storage.ts';
import { createAttachments, type StoredAttachments } from './attachments.ts';
import { insertBlocks, insertChunks } from './insert-text.ts';
import { plantedIn } from './look-for-orders.ts';
import { enqueueLongReading } from './reading-queue.ts';
import { forgetRecognised, keepRecognised, readRecognised } from './recognised.ts';
import { searchChunks } from './search-chunks.ts';
import { unreadableReason } from './unreadable.ts';
import { isNewest, ofJob, requireWanted, Superseded } from './wanted.ts';

export interface IngestDeps {
  db: Database;
  jobs: Jobs;
  files: FileStore;
  search: SearchStore;
  storage: Storage;
  sandbox: Sandbox;
  /** Folder for the copies that parsers read. */
  temp: string;
  /** Folding rows in costs a search table most of a second: done once for many, so many seconds after the first. */
  optimizeAfterSeconds: number;
  /** Whether passages get vectors. */
  embeds: boolean;
}

const progressEveryMs = 500;

const ourFault = 'Something went wrong on our side while reading it. Please try again.';

type Job = JobData<'ingest-version'>;

interface Read {
  parsed: ParsedDocument;
  attached: StoredAttachments;
}

/**
 * Reads a version: parse, place, chunk, index, and make it the one that answers. Every step may be repeated; a
 * half-built version is invisible, because readers ask for current versions only.
 * @throws whatever may go better next time; what never will is written down as the version's end state.
 */
export function createIngestion(deps: IngestDeps) {
  const { db, jobs, files, search, storage, sandbox, temp, optimizeAfterSeconds, embeds } = deps;
  const attachments = createAttachments(deps);

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

  /** A lost table would be made anew by the next addition, without what was in it: that it is to be rebuilt comes first. */
  async function mendSearchTable({ companyId }: Job): Promise<void> {
    if ((await search.companies()).has(companyId)) return;
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
    { parsed, attached }: Read,
    { chunkCount, planted }: { chunkCount: number; planted: PlantedPassage[] },
  ): Promise<void> {
    const { companyId, documentId, version } = job;
    await db.asCompany(companyId, async (tx) => {
      await shareSearchTable(tx, companyId);
      if (isNewest(job, await requireWanted(tx, job)) && chunkCount > 0)
        await search.add(companyId, await searchChunks(tx, companyId, { documentId, version }));
      // Held only from here on: a deletion does not wait for the search store. What is added after one is erased with
      // the rest, since erasing waits for this transaction.
      const mail = attached.files.length > 0 || (await attachments.hasAny(tx, job));
      if (mail) await ownNames(tx, companyId);
      const newest = isNewest(job, await requireWanted(tx, job, documents));
      const leftOut =
        mail && newest
          ? await attachments.place(tx, job, attached, await storage.roomIn(tx, companyId))
          : attached.leftOut;
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
      if (embeds && newest) await jobs.enqueue(tx, 'embed-version', { companyId, documentId, version });
      await db.notify(tx, 'files', { companyId, documentId });
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

/** The same chunk of a version has the same id at every attempt, so that indexing it again replaces it. */
function chunkId({ companyId, documentId, version }: Job, index: number): string {
  return uuidOf(`${companyId}/${documentId}/${version}/${index}`);
}
