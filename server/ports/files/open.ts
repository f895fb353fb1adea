import { join } from 'node:path';
import type { Database } from '#server/db/db.ts';
import { diskFiles } from './disk.ts';
import type { FileStore, UnfinishedFiles } from './port.ts';
import type { S3Place } from './s3/place.ts';
import type { S3Options } from './s3.ts';
import { unfinishedOnDisk } from './unfinished-disk.ts';

/** Where originals lie: below the data folder, or where `FILES_URL` says. */
export interface FilesPlace {
  dataDir: string;
  files?: S3Place | undefined;
}

/** A store, what is on its way there, and what ends it. */
export type OpenFiles = FileStore & {
  /** Unfinished uploads: on the disk of this machine, or in the store, where any process goes on with them. */
  unfinished(db: Database): UnfinishedFiles;
  close?(): void;
};

/**
 * Opens where originals lie. The client of S3 is loaded by those alone who use it.
 * @param options `isChecked` false: as it is, for a command that only reads
 * @throws CannotStart where it can't keep them
 */
export async function openFiles(
  { dataDir, files }: FilesPlace,
  { isChecked = true, log }: { isChecked?: boolean; log?: S3Options['log'] } = {},
): Promise<OpenFiles> {
  const uploads = join(dataDir, 'uploads');
  if (!files) {
    const store = diskFiles({ root: join(dataDir, 'files') });
    return { ...store, unfinished: () => unfinishedOnDisk({ root: uploads, files: store }) };
  }
  const { s3Files } = await import('./s3.ts');
  const store = s3Files(files, { log });
  try {
    if (isChecked) await store.check();
    return { ...store, unfinished: (db) => store.unfinished({ db, folder: uploads }) };
  } catch (error) {
    store.close();
    throw error;
  }
}

/**
 * Opens where what is made for exports lies: where originals do, so that whichever process is asked finds it. There it
 * is below a folder that no key can name.
 */
export async function openExportFiles(
  { dataDir, files }: FilesPlace,
  log?: S3Options['log'],
): Promise<FileStore & { close?(): void }> {
  if (!files) return diskFiles({ root: join(dataDir, 'exports') });
  const { s3Files } = await import('./s3.ts');
  return s3Files({ ...files, prefix: `${files.prefix}.exports/` }, { log });
}
