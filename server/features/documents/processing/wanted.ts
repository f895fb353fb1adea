import type { Tx } from '#server/db/db.ts';
import { and, eq, isNull } from '#server/db/drizzle.ts';
import { documents, versions } from '#server/db/schema.ts';
import type { JobData } from '#server/jobs/registry.ts';

type Job = JobData<'ingest-version'>;

/** The version is not there any more, or a later attempt has taken over: stop, and write nothing. */
export class Superseded extends Error {}

/**
 * The document, while the job is still wanted for it.
 * @param held rows that stay as they are until the transaction ends; the document's make a deletion come before or
 * after it, never in between
 * @throws Superseded
 */
export async function requireWanted(tx: Tx, job: Job, held?: typeof documents | typeof versions) {
  const wanted = tx
    .select({ currentVersion: documents.currentVersion })
    .from(documents)
    .innerJoin(versions, and(eq(versions.companyId, documents.companyId), eq(versions.documentId, documents.id)))
    .where(and(ofJob(job), isNull(versions.finishedAt), isNull(documents.deletedAt)));
  const [document] = await (held ? wanted.for('update', { of: held }) : wanted);
  if (!document) throw new Superseded();
  return document;
}

/** Whether no newer version than the job's answers already. */
export function isNewest({ version }: Job, document: { currentVersion: number | null }): boolean {
  return document.currentVersion === null || document.currentVersion <= version;
}

/** Of rows of versions: the one that the job is about, in its attempt. */
export function ofJob({ documentId, version, attempt }: Job) {
  return and(eq(versions.documentId, documentId), eq(versions.version, version), eq(versions.attempt, attempt));
}
