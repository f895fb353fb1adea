import { and, eq, isNull } from 'drizzle-orm';
import type { Database, Tx } from '#server/db/db.ts';
import { documents } from '#server/db/schema.ts';
import type { JobData, JobRun } from '#server/jobs/registry.ts';
import type { Embeddings } from '#server/ports/embeddings/port.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { shareSearchTable } from './locks.ts';
import { searchChunks } from './search-chunks.ts';

/** Passages between two looks at whether they are still wanted. */
const batch = 64;

/**
 * Gives vectors to the passages of a version that answers. Its words are found without them, and go on being found while
 * the service is down: the job is then tried again, and goes on where it stopped.
 */
export function createEmbedding({
  db,
  search,
  embeddings,
}: {
  db: Database;
  search: SearchStore;
  embeddings: Embeddings | undefined;
}) {
  return async function embedVersion(job: JobData<'embed-version'>, { signal }: JobRun): Promise<void> {
    const { companyId, documentId, version } = job;
    if (!embeddings) return;
    const chunks = await db.asCompany(companyId, (tx) => searchChunks(tx, companyId, { documentId, version }));
    const lacking = new Set(
      await search.withoutVectors(
        companyId,
        chunks.map(({ id }) => id),
      ),
    );
    const left = chunks.filter(({ id }) => lacking.has(id));
    for (let i = 0; i < left.length; i += batch) {
      if (!(await db.asCompany(companyId, (tx) => isCurrent(tx, job)))) return;
      const some = left.slice(i, i + batch);
      const texts = some.map(({ title, heading, body }) => [title, heading, body].filter(Boolean).join('\n'));
      // No transaction is open while the service thinks.
      const vectors = await embeddings.embed(texts, 'passage', signal);
      await db.asCompany(companyId, async (tx) => {
        // What is added after a deletion is erased with the rest, since erasing waits for this transaction.
        await shareSearchTable(tx, companyId);
        if (!(await isCurrent(tx, job))) return;
        await search.addVectors(
          companyId,
          some.flatMap(({ id }, at) => {
            const vector = vectors[at];
            return vector ? [{ id, documentId, version, vector }] : [];
          }),
        );
      });
    }
  };
}

async function isCurrent(tx: Tx, { documentId, version }: JobData<'embed-version'>): Promise<boolean> {
  const [row] = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.id, documentId), eq(documents.currentVersion, version), isNull(documents.deletedAt)));
  return row !== undefined;
}
