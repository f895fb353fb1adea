import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '#contract/errors.ts';

export interface DiskState {
  /** That this process may still use, of the fullest of the disks. */
  freeBytes: number;
  minFreeBytes: number;
  /** Nothing more is taken: what is left is for the database, the search tables and what is being read. */
  isLow: boolean;
}

/** Watches the room on the disks that data lies on. */
export interface Disk {
  look(): Promise<DiskState>;
  /** Counts a refusal. @returns what to throw */
  refuse(): AppError;
  readonly refused: number;
}

/**
 * @param folders that data is written to; they need not exist yet
 * @param minFreeBytes the floor; 0: none
 * @param free how much room there is at a path, in bytes
 */
export function createDisk({
  folders,
  minFreeBytes,
  log,
  free = freeBytesAt,
}: {
  folders: readonly string[];
  minFreeBytes: number;
  log: Record<'warn' | 'info', (details: object, message: string) => void>;
  free?: ((path: string) => Promise<number>) | undefined;
}): Disk {
  let wasLow = false;
  let refused = 0;
  return {
    async look() {
      const freeBytes = Math.min(...(await Promise.all(folders.map(free))));
      const isLow = freeBytes < minFreeBytes;
      // Once each time, not with every upload.
      if (isLow && !wasLow) log.warn({ freeBytes, minFreeBytes }, 'the disk is nearly full: uploads are refused');
      if (!isLow && wasLow) log.info({ freeBytes, minFreeBytes }, 'the disk has room again: uploads are taken');
      wasLow = isLow;
      return { freeBytes, minFreeBytes, isLow };
    },
    refuse() {
      refused += 1;
      return new AppError('storage-full');
    },
    get refused() {
      return refused;
    },
  };
}

/** Where the bytes of uploads are written, which may be links to other disks than that of the folder. */
export function foldersOfUploads(dataDir: string): string[] {
  return ['uploads', 'files'].map((name) => join(dataDir, name));
}

/** How much this process may still use at a path, which need not be there yet. */
export async function freeBytesAt(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    // Not there yet: where it will be made.
    if (dirname(path) === path) throw error;
    return freeBytesAt(dirname(path));
  }
}
