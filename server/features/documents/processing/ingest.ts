import { and, eq, isNull } from '#server/db/drizzle.ts';
import { documents } from '#server/db/schema.ts';
import { chunking, pieces } from '#server/features/ingestion/chunk.ts';
import { placing } from '#server/features/ingestion/place.ts';
import { ParseFailure } from '#server/features/ingestion/reasons.ts';
import { TakesLong } from '#server/features/ingestion/sandbox/worker.ts';
import type { JobData, JobRun } from '#server/jobs/registry.ts';
import { languagesOf } from '#server/lib/language.ts';
import { collected } from '#server/lib/pause.ts';
import { span } from '#server/lib/span.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import { shareSearchTable } from '../locks.ts';
import { createAttachments } from './attachments.ts';
import { plantedIn } from './look-for-orders.ts';
import { createParseVersion, type ParseVersionDeps } from './parse-version.ts';
import { fail, giveWay, isWanted } from './processing-ends.ts';
import { createPublishing, type ParsedVersion, type PublishDeps } from './publish.ts';
import { Superseded } from './wanted.ts';

export interface IngestDeps extends PublishDeps {
  files: FileStore;
  sandbox: ParseVersionDeps['sandbox'];
  temp: ParseVersionDeps['temp'];
}

const ourFault = 'Something went wrong on our side while reading it. Please try again.';

type Job = JobData<'ingest-version'>;

/**
 * Reads a version: parse, place, chunk, index, and make it the one that answers. Every step may be repeated; a
 * half-built version is invisible, because readers ask for current versions only.
 * @throws whatever may go better next time; what never will is written down as the version's end state.
 */
export function createIngestion(deps: IngestDeps) {
  const { db, search } = deps;
  const attachments = createAttachments(deps);
  const parse = createParseVersion(deps);
  const { store, mendSearchTable, makeCurrent } = createPublishing({ ...deps, attachments });

  return {
    ingest: (job: Job, run: JobRun) => ingest(job, run, false),
    /** For a version that takes minutes: in turns with those of other companies, beside those that do not. */
    ingestLong: (job: Job, run: JobRun) => ingest(job, run, true),
  };

  async function ingest(job: Job, { signal, isLastAttempt }: JobRun, mayTakeLong: boolean): Promise<void> {
    const stopped = new AbortController();
    const look = async () => {
      if (!(await isWanted(db, job))) stopped.abort();
    };
    const heard = ({ documentId }: Record<string, unknown>) => {
      if (documentId === job.documentId) void look();
    };
    const stopListening = await db.listen('files', heard, () => void look());
    try {
      const ended = AbortSignal.any([signal, stopped.signal]);
      const read = await span('parse', () => parse(job, mayTakeLong, ended));
      // An earlier run of this job may have ended between its last steps.
      if (!read) return await tidy(job);
      await index(job, read);
      await tidy(job);
    } catch (error) {
      if (error instanceof Superseded || stopped.signal.aborted) return await tidy(job);
      if (error instanceof ParseFailure) return fail(deps, job, error.reason);
      if (error instanceof TakesLong) return giveWay(deps, job);
      // Nobody comes after this attempt to write an end.
      if (isLastAttempt) {
        await fail(deps, job, ourFault);
        await tidy(job);
      }
      throw error;
    } finally {
      stopListening();
    }
  }

  async function index(job: Job, read: ParsedVersion): Promise<void> {
    const placed = await collected(placing(read.parsed.blocks));
    const cut = await collected(chunking(await collected(pieces(placed))));
    const languages = await collected(languagesOf(cut.map(({ text }) => text)));
    const made = cut.map((chunk, i) => ({ ...chunk, language: languages[i] ?? null }));
    const planted = await plantedIn(placed);
    await span('store', () => store(job, placed, made));
    await span('index', () => mendSearchTable(job));
    await span('publish', () => makeCurrent(job, read, { chunkCount: made.length, planted }));
  }

  /**
   * After the end: versions that no longer answer would only crowd out others, and bytes that no version names stay for
   * ever.
   */
  async function tidy(job: Job): Promise<void> {
    const { companyId, documentId } = job;
    await attachments.dropUnnamed(companyId, { job });
    await db.asCompany(companyId, async (tx) => {
      const [document] = await tx
        .select({ currentVersion: documents.currentVersion })
        .from(documents)
        .where(and(eq(documents.id, documentId), isNull(documents.deletedAt)));
      if (!document?.currentVersion || document.currentVersion === 1) return;
      await shareSearchTable(tx, companyId);
      await search.remove(companyId, documentId, { before: document.currentVersion });
    });
  }
}
