import { canBeOthers } from '#server/lib/system-users.ts';
import { makeWorkerFolder } from './folders.ts';
import type { Isolation, Kind } from './isolation.ts';
import { takeUser } from './users.ts';
import { Worker } from './worker.ts';

/**
 * Starts a child that is held so, as a user of its own where that is possible.
 * @param folder its own, which is made
 */
export async function startWorker(isolation: Isolation, kind: Kind, folder: string): Promise<Worker> {
  const user = canBeOthers() ? await takeUser() : undefined;
  try {
    return new Worker(isolation, kind, await makeWorkerFolder(folder, user?.uid), user);
  } catch (error) {
    user?.release();
    throw error;
  }
}
