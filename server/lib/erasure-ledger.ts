import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isUuid } from './is-uuid.ts';

/**
 * The ids of documents and companies that were deleted, one a line, in a file outside of the database: a backup that
 * was made before a deletion has them still, and whoever restores it must not bring them back. No name stands in it.
 */
export interface ErasureLedger {
  /** Writes down that they are gone; on the disk when it resolves. Idempotent. */
  note(ids: readonly string[]): Promise<void>;
}

/** @param path its folder is made */
export function erasureLedger(path: string): ErasureLedger {
  return {
    async note(ids) {
      if (ids.length === 0) return;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // Appended in one write, so that of several processes none writes into another's line.
      const file = await open(path, 'a', 0o600);
      try {
        await file.write(ids.map((id) => `${id}\n`).join(''));
        await file.datasync();
      } finally {
        await file.close();
      }
    },
  };
}

/** The ids in a ledger, each once; a line that a power cut has cut short is left out. */
export async function readErasureLedger(path: string): Promise<string[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return [...new Set(lines.filter(isUuid))];
}
