import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Database, Tx } from '#server/db/db.ts';
import { blocks, chunks, documents, versions } from '#server/db/schema.ts';
import { chunkBlocks } from '#server/features/ingestion/chunk.ts';
import { detectFile } from '#server/features/ingestion/detect.ts';
import { type Chunk, formats, type PlacedBlock } from '#server/features/ingestion/document.ts';
import { placeBlocks } from '#server/features/ingestion/place.ts';
import { ParseFailure } from '#server/features/ingestion/reasons.ts';
import type { ParsedDocument, Sandbox } from '#server/features/ingestion/sandbox/sandbox.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobData, JobRun } from '#server/jobs/registry.ts';
import { uuidOf } from '#server/lib/uuid-of.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import type { SearchChunk, SearchStore } from '#server/ports/search/port.ts';
import { shareSearchTable } from './search-lock.ts';

export interface IngestDeps {
  db: Database;
  jobs: Jobs;
  files: FileStore;
  search: SearchStore;
  sandbox: Sandbox;
  /** Folder for the copies that parsers read. */
  temp: string;
}

/** PostgreSQL takes 65,535 parameters a statement; a block has 13. */
const rowsPerInsert = 1000;
const progressEveryMs = 500;

const ourFault = 'Something went wrong on our side while reading it. Please try again.';

/** The version is not there any more, or a later attempt has taken over: stop, and write nothing. */
class Superseded extends Error {}

/**
 * Reads a version: parse, place, chunk, index, and make it the one that answers. Every step may be repeated; a
 * half-built version is invisible, because readers ask for current versions only.
 * @throws whatever may go better next time; what never will is written down as the version's end state.
 */
export function createIngestion({ db, jobs, files, search, sandbox, temp }: IngestDeps) {
  return async function ingest(job: JobData<'ingest-version'>, { signal, isLastAttempt }: JobRun): Promise<void> {
    const stopped = new AbortController();
    const stopListening = await db.listen('files', async (payload) => {
      if (payload.documentId === job.documentId && !(await isWanted(job))) stopped.abort();
    });
    try {
      const parsed = await parse(job, AbortSignal.any([signal, stopped.signal]));
      if (!parsed) return;
      const placed = placeBlocks(parsed.blocks);
      const made = chunkBlocks(placed);
      await store(job, placed, made);
      await makeCurrent(job, parsed, made.length);
    } catch (error) {
      if (error instanceof Superseded || stopped.signal.aborted) return;
      if (error instanceof ParseFailure) return fail(job, error.reason);
      // Nobody comes after this attempt to write an end.
      if (isLastAttempt) await fail(job, ourFault);
      throw error;
    } finally {
      stopListening();
    }
  };

  async function parse(job: JobData<'ingest-version'>, signal: AbortSignal): Promise<ParsedDocument | null> {
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
      const { format } = detected;
      await db.asCompany(job.companyId, (tx) =>
        tx.update(versions).set({ mediaType: formats[format].mediaType }).where(ofJob(job)),
      );
      let told = 0;
      return await sandbox.parse({
        path,
        format,
        name: version.name,
        signal,
        onProgress: (done, total) => {
          if (Date.now() - told < progressEveryMs) return;
          told = Date.now();
          // A lost report of progress loses nothing.
          tellProgress(job, done, total).catch(() => {});
        },
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async function tellProgress(job: JobData<'ingest-version'>, done: number, total: number): Promise<void> {
    await db.asCompany(job.companyId, async (tx) => {
      await tx.update(versions).set({ progressDone: done, progressTotal: total }).where(ofJob(job));
      await db.notify(tx, 'files', { companyId: job.companyId, documentId: job.documentId });
    });
  }

  async function store(job: JobData<'ingest-version'>, placed: PlacedBlock[], made: Chunk[]): Promise<void> {
    const { companyId, documentId, version } = job;
    await db.asCompany(companyId, async (tx) => {
      await requireWanted(tx, job);
      await tx.delete(blocks).where(and(eq(blocks.documentId, documentId), eq(blocks.version, version)));
      await tx.delete(chunks).where(and(eq(chunks.documentId, documentId), eq(chunks.version, version)));
      for (const run of runs(placed)) {
        await tx.insert(blocks).values(run.map((block) => ({ companyId, documentId, version, ...block })));
      }
      for (const run of runs(made)) {
        await tx
          .insert(chunks)
          .values(run.map((chunk) => ({ companyId, id: chunkId(job, chunk.index), documentId, version, ...chunk })));
      }
    });
  }

  /**
   * Indexes the version and swaps it in, in one transaction: if it can't commit, what was added to the search store is
   * only a candidate that PostgreSQL will not confirm.
   */
  async function makeCurrent(
    job: JobData<'ingest-version'>,
    parsed: ParsedDocument,
    chunkCount: number,
  ): Promise<void> {
    const { companyId, documentId, version } = job;
    const superseded = await db.asCompany(companyId, async (tx) => {
      await shareSearchTable(tx, companyId);
      const document = await requireWanted(tx, job);
      const isNewest = document.currentVersion === null || document.currentVersion <= version;
      if (isNewest && chunkCount > 0)
        await search.add(companyId, await searchChunks(tx, companyId, { documentId, version }));
      const reason = unreadableReason(parsed);
      await tx
        .update(versions)
        .set({
          state: reason === null ? 'ready' : 'partial',
          reason,
          pages: parsed.pages ?? null,
          finishedAt: sql`now()`,
        })
        .where(ofJob(job));
      if (isNewest) await tx.update(documents).set({ currentVersion: version }).where(eq(documents.id, documentId));
      await tx
        .delete(chunks)
        .where(
          and(eq(chunks.documentId, documentId), isNewest ? lt(chunks.version, version) : eq(chunks.version, version)),
        );
      // Later and once for many: folding rows in costs a search table most of a second.
      await jobs.enqueue(tx, 'optimize-search', { companyId }, { singletonKey: companyId, startAfterSeconds: 10 });
      await db.notify(tx, 'files', { companyId, documentId });
      return isNewest ? document.currentVersion : null;
    });
    if (superseded !== null && superseded < version) await search.remove(companyId, documentId, superseded);
  }

  /** Writes down an end state that trying again would not change. */
  async function fail(job: JobData<'ingest-version'>, reason: string): Promise<void> {
    await db.asCompany(job.companyId, async (tx) => {
      await tx.update(versions).set({ state: 'failed', reason, finishedAt: sql`now()` }).where(ofJob(job));
      await db.notify(tx, 'files', { companyId: job.companyId, documentId: job.documentId });
    });
  }

  async function isWanted(job: JobData<'ingest-version'>): Promise<boolean> {
    return db
      .asCompany(job.companyId, (tx) => requireWanted(tx, job))
      .then(
        () => true,
        (error) => !(error instanceof Superseded),
      );
  }
}

/** Holds the document's row until the transaction ends, so that a deletion comes before or after, never in between. */
async function requireWanted(tx: Tx, job: JobData<'ingest-version'>) {
  const [document] = await tx
    .select({ currentVersion: documents.currentVersion })
    .from(documents)
    .innerJoin(versions, and(eq(versions.companyId, documents.companyId), eq(versions.documentId, documents.id)))
    .where(and(ofJob(job), isNull(documents.deletedAt)))
    .for('update', { of: documents });
  if (!document) throw new Superseded();
  return document;
}

function ofJob({ documentId, version, attempt }: JobData<'ingest-version'>) {
  return and(eq(versions.documentId, documentId), eq(versions.version, version), eq(versions.attempt, attempt));
}

/** The same chunk of a version has the same id at every attempt, so that indexing it again replaces it. */
function chunkId({ companyId, documentId, version }: JobData<'ingest-version'>, index: number): string {
  return uuidOf(`${companyId}/${documentId}/${version}/${index}`);
}

/** The chunks of a version as the search store takes them. */
export async function searchChunks(
  tx: Tx,
  companyId: string,
  of: { documentId: string; version: number },
): Promise<SearchChunk[]> {
  const rows = await tx
    .select({ id: chunks.id, headingPath: chunks.headingPath, text: chunks.text, name: documents.name })
    .from(chunks)
    .innerJoin(documents, and(eq(documents.companyId, chunks.companyId), eq(documents.id, chunks.documentId)))
    .where(and(eq(chunks.companyId, companyId), eq(chunks.documentId, of.documentId), eq(chunks.version, of.version)));
  return rows.map((row) => ({
    id: row.id,
    ...of,
    title: row.name,
    heading: row.headingPath.join(' › '),
    body: row.text,
  }));
}

/** Which pages could not be read and why, in one sentence; null when all could. */
function unreadableReason({ unreadable }: ParsedDocument): string | null {
  if (unreadable.length === 0) return null;
  const byReason = Map.groupBy(unreadable, (part) => part.why);
  return [...byReason]
    .map(([why, parts]) => {
      const pages = parts.flatMap((part) => (part.page === undefined ? [] : [part.page]));
      return pages.length === 0 ? why : `${pages.length === 1 ? 'Page' : 'Pages'} ${ranges(pages)}: ${why}`;
    })
    .join(' ');
}

/** 3, 4, 5, 9 → "3–5, 9" */
function ranges(pages: number[]): string {
  const spans: [number, number][] = [];
  for (const page of pages.toSorted((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last && page <= last[1] + 1) last[1] = page;
    else spans.push([page, page]);
  }
  return spans.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}

function* runs<T>(items: T[]): Generator<T[]> {
  for (let i = 0; i < items.length; i += rowsPerInsert) yield items.slice(i, i + rowsPerInsert);
}
