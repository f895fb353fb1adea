import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '#server/config/config.ts';
import { foldersOfUploads, freeBytesAt } from '#server/lib/disk.ts';
import { servesThisMachineAlone } from '#server/lib/this-machine.ts';
import type { Finding } from './finding.ts';

/** Times the floor below which nothing more is taken: then there are days to act. */
const comfort = 5;

type Places = Pick<Config, 'dataDir' | 'minFreeDiskBytes' | 'erasureLedger' | 'host' | 'publicUrl'>;

/** The disk that everything lies on, and what of it is elsewhere for the day on which it is lost. */
export async function examinePlaces(config: Places): Promise<Finding[]> {
  return [await examineRoom(config), await examineLedger(config, servesThisMachineAlone(config))];
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
