import type { Database, Tx } from '#server/db/db.ts';
import { and, count, eq, isNull } from '#server/db/drizzle.ts';
import { chunks, documents } from '#server/db/schema.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { noJobFor } from '#server/jobs/pending.ts';
import type { JobData, JobRun } from '#server/jobs/registry.ts';
import type { Embeddings } from '#server/ports/embeddings/port.ts';
import { type SearchChunk, type SearchStore, versionKey } from '#server/ports/search/port.ts';
import { collectionOf, tellSearch } from '../collections/moving.ts';
import { shareSearchTable } from '../locks.ts';
import { companiesWithText, searchChunks } from './search-chunks.ts';

export interface EmbedDeps {
  db: Database;
  jobs: Jobs;
  search: SearchStore;
  embeddings: Embeddings | undefined;
  /** Folding rows in costs a search table seconds: done once for many, so many seconds after the first. */
  optimizeAfterSeconds: number;
}

/** Passages between two looks at whether they are still wanted. */
const batch = 64;
/** Jobs enqueued in one transaction. */
const enqueuedAtOnce = 100;

/**
 * Gives vectors to passages. Their words are found without them, and go on being found while the service is down: a job
 * is then tried again, and goes on where it stopped.
 */
export function createEmbedding({ db, jobs, search, embeddings, optimizeAfterSeconds }: EmbedDeps) {
  /** Of a version that answers. */
  async function embedVersion(job: JobData<'embed-version'>, { signal }: JobRun): Promise<void> {
    const { companyId, documentId, version } = job;
    if (!embeddings) return;
    const all = await db.asCompany(companyId, (tx) => searchChunks(tx, companyId, { documentId, version }));
    const lacking = new Set(
      await search.withoutVectors(
        companyId,
        all.map(({ id }) => id),
      ),
    );
    const left = all.filter(({ id }) => lacking.has(id));
    for (let i = 0; i < left.length; i += batch) {
      if (!(await db.asCompany(companyId, (tx) => isCurrent(tx, job)))) return;
      const some = left.slice(i, i + batch);
      const texts = some.map(embeddedText);
      // No transaction is open while the service thinks.
      const vectors = await embeddings.embed(texts, 'passage', signal);
      await db.asCompany(companyId, async (tx) => {
        // What is added after a deletion is erased with the rest, since erasing waits for this transaction.
        await shareSearchTable(tx, companyId);
        if (!(await isCurrent(tx, job))) return;
        const addedIn = some[0]?.collectionId ?? null;
        await search.addVectors(
          companyId,
          some.flatMap(({ id, collectionId }, at) => {
            const vector = vectors[at];
            return vector ? [{ id, documentId, version, vector, collectionId }] : [];
          }),
        );
        if ((await collectionOf(tx, documentId)) !== addedIn) await tellSearch(tx, jobs, companyId, [documentId]);
        const upkeep = { singletonKey: companyId, startAfterSeconds: optimizeAfterSeconds };
        await jobs.enqueue(tx, 'optimize-search', { companyId }, upkeep);
      });
    }
  }

  /**
   * Of all that was read while another model or none was configured, or that was given up after days without the
   * service. What is uploaded meanwhile goes before it.
   */
  async function embedLeftOut(_: JobData<'embed-left-out'>, { signal }: JobRun): Promise<void> {
    if (!embeddings) return;
    for (const { companyId } of await db.asSystem(companiesWithText)) {
      signal.throwIfAborted();
      const there = await search.vectorCounts(companyId);
      const answering = await db.asSystem((tx) => withoutJob(tx, companyId));
      const left = answering.filter((each) => (there.get(versionKey(each)) ?? 0) < each.chunks);
      for (let i = 0; i < left.length; i += enqueuedAtOnce) {
        await db.asSystem(async (tx) => {
          for (const { documentId, version } of left.slice(i, i + enqueuedAtOnce))
            await jobs.enqueue(tx, 'embed-version', { companyId, documentId, version }, { behind: 1 });
        });
      }
    }
  }

  return { embedVersion, embedLeftOut };
}

/** What of a passage is made into a vector. */
export function embeddedText({ title, heading, body }: Pick<SearchChunk, 'title' | 'heading' | 'body'>): string {
  return [title, heading, body].filter(Boolean).join('\n');
}

async function isCurrent(tx: Tx, { documentId, version }: JobData<'embed-version'>): Promise<boolean> {
  const [row] = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.id, documentId), eq(documents.currentVersion, version), isNull(documents.deletedAt)));
  return row !== undefined;
}

/** The versions that answer, for which no job is waiting, with the number of their chunks. */
function withoutJob(tx: Tx, companyId: string) {
  return tx
    .select({ documentId: chunks.documentId, version: chunks.version, chunks: count() })
    .from(chunks)
    .innerJoin(
      documents,
      and(
        eq(documents.companyId, chunks.companyId),
        eq(documents.id, chunks.documentId),
        eq(documents.currentVersion, chunks.version),
      ),
    )
    .where(
      and(
        eq(chunks.companyId, companyId),
        isNull(documents.deletedAt),
        noJobFor(['embed-version'], { documentId: chunks.documentId, version: chunks.version }),
      ),
    )
    .groupBy(chunks.documentId, chunks.version);
}
