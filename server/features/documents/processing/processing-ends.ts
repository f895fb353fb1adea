import type { Database } from '#server/db/db.ts';
import { and, isNull, sql } from '#server/db/drizzle.ts';
import { versions } from '#server/db/schema.ts';
import { tell } from '#server/features/webhooks/outbox.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobData } from '#server/jobs/registry.ts';
import { enqueueLongProcessing } from './processing-queue.ts';
import { forgetRecognised } from './recognised.ts';
import { ofJob, requireWanted, Superseded } from './wanted.ts';

type Job = JobData<'ingest-version'>;

/** Writes down an end state that trying again would not change; one that is there already stays. */
export async function fail({ db, jobs }: { db: Database; jobs: Jobs }, job: Job, reason: string): Promise<void> {
  const { companyId, documentId, version } = job;
  await db.asCompany(companyId, async (tx) => {
    const ended = await tx
      .update(versions)
      .set({ state: 'failed', reason, finishedAt: sql`now()` })
      .where(and(ofJob(job), isNull(versions.finishedAt)))
      .returning({ version: versions.version });
    await forgetRecognised(tx, job);
    await db.notify(tx, 'files', { companyId, documentId });
    if (ended.length > 0) await tell(tx, jobs, companyId, [{ type: 'document.failed', documentId, version }]);
  });
}

/** What waits for its turn among those that take long must not keep the place of one that does not. */
export async function giveWay({ db, jobs }: { db: Database; jobs: Jobs }, job: Job): Promise<void> {
  await db.asCompany(job.companyId, (tx) => enqueueLongProcessing(tx, jobs, job));
}

/** Whether anybody still wants the version read; also where that can't be found out. */
export async function isWanted(db: Database, job: Job): Promise<boolean> {
  return db
    .asCompany(job.companyId, (tx) => requireWanted(tx, job))
    .then(
      () => true,
      (error) => !(error instanceof Superseded),
    );
}
