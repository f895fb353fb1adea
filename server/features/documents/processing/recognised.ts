import type { Database, Tx } from '#server/db/db.ts';
import { and, asc, eq } from '#server/db/drizzle.ts';
import { recognisedPages } from '#server/db/schema.ts';
import type { RecognisedPage } from '#server/features/ingestion/parsers/parser.ts';
import { recognisedPage } from '#server/features/ingestion/sandbox/protocol.ts';
import type { JobData } from '#server/jobs/registry.ts';

type Job = JobData<'ingest-version'>;

/** Recognised pages as they were written down, in the order in which they were recognised. */
export async function readRecognised(db: Database, job: Job): Promise<RecognisedPage[]> {
  const rows = await db.asCompany(job.companyId, (tx) =>
    tx
      .select({ content: recognisedPages.content })
      .from(recognisedPages)
      .where(and(ofVersion(job), eq(recognisedPages.attempt, job.attempt)))
      .orderBy(asc(recognisedPages.page)),
  );
  const known: RecognisedPage[] = [];
  for (const { content } of rows) {
    const { data } = recognisedPage.safeParse(content);
    // What an older release has written is recognised again.
    if (data) known.push(data);
  }
  return known;
}

/** Writes a page down; where that fails, as for a document that was deleted, it is only not known after a crash. */
export async function keepRecognised(db: Database, { attempt, ...job }: Job, page: RecognisedPage): Promise<void> {
  const row = { ...job, attempt, page: page.number, content: page };
  await db
    .asCompany(job.companyId, (tx) => tx.insert(recognisedPages).values(row).onConflictDoNothing())
    .catch(() => {});
}

/** The version has come to its end. */
export async function forgetRecognised(tx: Tx, job: Job): Promise<void> {
  await tx.delete(recognisedPages).where(ofVersion(job));
}

function ofVersion({ documentId, version }: Job) {
  return and(eq(recognisedPages.documentId, documentId), eq(recognisedPages.version, version));
}
