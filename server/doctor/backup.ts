import { isNoted, lastBackup } from '#server/backup/last.ts';
import type { Tx } from '#server/db/db.ts';
import type { Finding } from './finding.ts';

const day = 86_400_000;
/** Nightly ones, of which one may have failed. */
const usualDays = 2;

/** How old the last good backup is, whichever process or machine has made it. */
export async function examineBackup(tx: Tx, isTrial: boolean, now: Date): Promise<Finding> {
  const about = 'Backup';
  const todo = '`npm run backup -- <folder>` each night, and a restore tried once.';
  if (!(await isNoted(tx))) {
    const says = 'Not known yet: the database is of an older version, and is brought up to date by the next start.';
    return { about, state: 'unknown', says };
  }
  const last = await lastBackup(tx);
  if (last === null) {
    const says = 'None is known of since this database was made or restored.';
    return { about, state: isTrial ? 'unknown' : 'wrong', says, todo };
  }
  const days = (now.getTime() - last.madeAt.getTime()) / day;
  const says = `The last one was made ${days < 1 ? 'within a day' : `${Math.floor(days)} days ago`}, in ${last.folder}.`;
  return days <= usualDays ? { about, state: 'right', says } : { about, state: 'notice', says, todo };
}
