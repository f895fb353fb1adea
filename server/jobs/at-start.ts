import type { Database } from '#server/db/db.ts';
import type { Jobs } from './jobs.ts';

/** What can't wait for the next time of the schedule. */
export async function enqueueAtStart({
  db,
  jobs,
  embeds,
}: {
  db: Database;
  jobs: Jobs;
  embeds: boolean;
}): Promise<void> {
  await db.asSystem(async (tx) => {
    // What a killed process has left is brought to its end.
    await jobs.enqueue(tx, 'sweep', {});
    // Documents that were read by a version that did not look for them.
    await jobs.enqueue(tx, 'look-for-orders', {}, { singletonKey: 'all' });
    // The model may be another than before, or the first one.
    if (embeds) await jobs.enqueue(tx, 'embed-left-out', {}, { singletonKey: 'all' });
  });
}
