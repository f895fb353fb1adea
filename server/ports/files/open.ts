import { join } from 'node:path';
import { diskFiles } from './disk.ts';
import type { FileStore } from './port.ts';
import type { S3Place } from './s3/place.ts';
import type { S3Options } from './s3.ts';

/** Where originals lie: below the data folder, or where `FILES_URL` says. */
export interface FilesPlace {
  dataDir: string;
  files?: S3Place | undefined;
}

/** A store, and what ends it. */
export type OpenFiles = FileStore & { close?(): void };

/**
 * Opens where originals lie. The client of S3 is loaded by those alone who use it.
 * @param options `isChecked` false: as it is, for a command that only reads
 * @throws CannotStart where it can't keep them
 */
export async function openFiles(
  { dataDir, files }: FilesPlace,
  { isChecked = true, log }: { isChecked?: boolean; log?: S3Options['log'] } = {},
): Promise<OpenFiles> {
  if (!files) return diskFiles({ root: join(dataDir, 'files') });
  const { s3Files } = await import('./s3.ts');
  const store = s3Files(files, { log });
  try {
    if (isChecked) await store.check();
    return store;
  } catch (error) {
    store.close();
    throw error;
  }
}
