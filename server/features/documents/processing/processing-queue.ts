import type { Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { versions } from '#server/db/schema.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobData } from '#server/jobs/registry.ts';

/**
 * Enqueues the processing of a version whose row is there, fairly: the more files of the company wait, the further
 * behind it stands, so that one company's 500 files and another's one take turns.
 */
export async function enqueueProcessing(tx: Tx, jobs: Jobs, job: JobData<'ingest-version'>): Promise<void> {
  const waiting = await tx.$count(versions, eq(versions.state, 'queued'));
  await jobs.enqueue(tx, 'ingest-version', job, { behind: Math.max(0, waiting - 1) });
}

/** Enqueues the processing anew of one that has turned out to take minutes: those of all companies take turns. */
export async function enqueueLongProcessing(tx: Tx, jobs: Jobs, job: JobData<'ingest-long-version'>): Promise<void> {
  const processing = await tx.$count(versions, eq(versions.state, 'processing'));
  const singletonKey = `${job.documentId}/${job.version}/${job.attempt}`;
  await jobs.enqueue(tx, 'ingest-long-version', job, { singletonKey, behind: Math.max(0, processing - 1) });
}
