import type { Database, Tx } from '#server/db/db.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { renewExports } from '../deletion/renew-exports.ts';

/**
 * To be called in every transaction that changes who sees what, or where many documents are: streams that are open look
 * again, and what people have taken out of their own data is taken back, since it may hold what they see no more.
 * @param everybody everyone's list of files has changed, that of admins too
 */
export async function accessChanged(
  tx: Tx,
  { db, jobs }: { db: Pick<Database, 'notify'>; jobs: Jobs },
  companyId: string,
  { everybody = false } = {},
): Promise<void> {
  await db.notify(tx, 'files', { companyId, everybody });
  await renewExports(tx, jobs, companyId, { ofPeopleAlone: true });
}
