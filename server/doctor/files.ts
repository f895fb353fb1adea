import type { Config } from '#server/config/config.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { openFiles } from '#server/ports/files/open.ts';
import { type Finding, inWords } from './finding.ts';

/**
 * Where originals and unfinished uploads lie, when that is a store: whether it takes, gives back and removes what a start
 * tries. It writes a few bytes there for that, and removes them.
 */
export async function examineFiles(config: Pick<Config, 'dataDir' | 'files'>): Promise<Finding[]> {
  if (!config.files) return [];
  const about = 'File store';
  try {
    const store = await openFiles(config);
    store.close?.();
    return [
      {
        about,
        state: 'right',
        says: `s3://${config.files.bucket}/${config.files.prefix} takes, gives back and removes what a start tries.`,
      },
    ];
  } catch (error) {
    // The sentence says what to set; what it comes from does not.
    const says = error instanceof CannotStart ? error.message : inWords(error);
    return [{ about, state: 'wrong', says, todo: 'docs/operations.md, “Originals on S3”.' }];
  }
}
