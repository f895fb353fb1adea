import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { lastBackup } from '#server/backup/last.ts';
import type { Config } from '#server/config/config.ts';
import { foldersOfUploads, freeBytesAt } from '#server/lib/disk.ts';
import { servesThisMachineAlone } from '#server/lib/this-machine.ts';
import type { Finding } from './finding.ts';

const day = 86_400_000;
/** Nightly ones, of which one may have failed. */
const usualDays = 2;
/** Times the floor below which nothing more is taken: then there are days to act. */
const comfort = 5;

type Places = Pick<Config, 'dataDir' | 'minFreeDiskBytes' | 'erasureLedger' | 'host' | 'publicUrl'>;

/** The disk that everything lies on, and what of it is elsewhere for the day on which it is lost. */
export async function examinePlaces(config: Places, now = new Date()): Promise<Finding[]> {
  const isTrial = servesThisMachineAlone(config);
  return [await examineRoom(config), await examineBackup(config, isTrial, now), await examineLedger(config, isTrial)];
}

async function examineRoom({ dataDir, minFreeDiskBytes }: Places): Promise<Finding> {
  const about = 'Disk';
  const free = Math.min(...(await Promise.all([dataDir, ...foldersOfUploads(dataDir)].map(freeBytesAt))));
  const says = `${(free / 1e9).toFixed(1)} GB are free in ${dataDir}.`;
  if (free < minFreeDiskBytes)
    return {
      about,
      state: 'wrong',
      says: `${says} Uploads are refused.`,
      todo: 'Make room: docs/operations.md, “Room”.',
    };
  if (free < comfort * minFreeDiskBytes)
    return { about, state: 'notice', says, todo: `Below ${minFreeDiskBytes / 1e9} GB uploads are refused.` };
  return { about, state: 'right', says };
}

async function examineBackup({ dataDir }: Places, isTrial: boolean, now: Date): Promise<Finding> {
  const about = 'Backup';
  const todo = '`npm run backup -- <folder>` each night, and a restore tried once.';
  const last = await lastBackup(dataDir);
  if (last === null) return { about, state: isTrial ? 'unknown' : 'wrong', says: 'None was ever made.', todo };
  const days = (now.getTime() - Date.parse(last.at)) / day;
  const says = `The last one was made ${days < 1 ? 'within a day' : `${Math.floor(days)} days ago`}, in ${last.folder}.`;
  return days <= usualDays ? { about, state: 'right', says } : { about, state: 'notice', says, todo };
}

async function examineLedger({ dataDir, erasureLedger }: Places, isTrial: boolean): Promise<Finding> {
  const about = 'Ledger';
  const onOne = (await deviceOf(dataDir)) === (await deviceOf(dirname(erasureLedger)));
  if (!onOne) return { about, state: 'right', says: 'What was deleted is written down on another disk.' };
  const todo = 'Set ERASURE_LEDGER to a file on another disk, or copy it often.';
  const says = 'What was deleted is written down on the disk that a restore would replace.';
  return { about, state: isTrial ? 'unknown' : 'notice', says, todo };
}

/** Of the folder, or where it is not there yet, of the one that it will be in. */
async function deviceOf(folder: string): Promise<number> {
  const found = await stat(folder).catch(() => null);
  return found?.dev ?? deviceOf(dirname(folder));
}
