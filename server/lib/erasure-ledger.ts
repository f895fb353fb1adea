import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
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
      const file = await open(path, 'a+', 0o600);
      try {
        // A line that a power cut or a full disk has cut short must not take the next one with it.
        const begin = (await endsWithLine(file)) ? '' : '\n';
        // Appended in one write, so that of several processes none writes into another's line.
        await file.appendFile(begin + ids.map((id) => `${id}\n`).join(''));
        await file.datasync();
      } finally {
        await file.close();
      }
    },
  };
}

/** Whether whatever is appended begins a line. */
async function endsWithLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read({ buffer: Buffer.alloc(1), position: size - 1 });
  return buffer.toString() === '\n';
}

/** The ids in a ledger, each once; a line that was cut short is left out. */
export async function readErasureLedger(path: string): Promise<string[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return [...new Set(lines.filter(isUuid))];
}
