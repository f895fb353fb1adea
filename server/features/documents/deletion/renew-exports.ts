import type { Tx } from '#server/db/db.ts';
import { and, eq, isNotNull, sql } from '#server/db/drizzle.ts';
import { exports } from '#server/db/schema.ts';
import type { Jobs } from '#server/jobs/jobs.ts';

/**
 * Takes back every export of the company, since it may hold what was just deleted: nobody can download it from the
 * commit on, and it is made anew without that.
 * @param ofPeopleAlone those of people's own data: of what is no longer for their eyes
 */
export async function renewExports(
  tx: Tx,
  jobs: Jobs,
  companyId: string,
  { ofPeopleAlone = false } = {},
): Promise<void> {
  const isMeant = and(eq(exports.companyId, companyId), ofPeopleAlone ? isNotNull(exports.personId) : undefined);
  // In one order, or two who take them back at once would wait for each other.
  await tx.select({ id: exports.id }).from(exports).where(isMeant).orderBy(exports.id).for('no key update');
  const taken = await tx
    .update(exports)
    .set({
      state: sql`case when ${exports.state} = 'failed' then 'failed' else 'running' end`,
      generation: sql`${exports.generation} + 1`,
      readyAt: null,
      expiresAt: null,
      size: null,
    })
    .where(isMeant)
    .returning({ exportId: exports.id, state: exports.state });
  for (const { exportId, state } of taken)
    if (state === 'running') await jobs.enqueue(tx, 'make-export', { companyId, exportId }, { singletonKey: exportId });
}
