import type { Config } from '#server/config/config.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { openFiles } from '#server/ports/files/open.ts';
import { nameOf, type S3Place } from '#server/ports/files/s3/place.ts';
import { checkSearch } from '#server/ports/search/open.ts';
import { type Finding, inWords } from './finding.ts';

/**
 * Where originals, unfinished uploads and search tables lie, when that is a store: whether it takes, gives back and
 * removes what a start tries. It writes a few bytes there for that, and removes them.
 */
export async function examineFiles(config: Pick<Config, 'dataDir' | 'files' | 'searchPlace'>): Promise<Finding[]> {
  const { files, searchPlace } = config;
  const openAndClose = async () => (await openFiles(config)).close?.();
  return [
    ...(files ? [await examined('File store', files, openAndClose)] : []),
    ...(searchPlace ? [await examined('Search store', searchPlace, () => checkSearch(searchPlace))] : []),
  ];
}

async function examined(about: string, place: S3Place, start: () => Promise<void>): Promise<Finding> {
  try {
    await start();
    return { about, state: 'right', says: `${nameOf(place)} takes, gives back and removes what a start tries.` };
  } catch (error) {
    // The sentence says what to set; what it comes from does not.
    const says = error instanceof CannotStart ? error.message : inWords(error);
    const chapter = place.setting === 'SEARCH_URL' ? 'Search on S3' : 'Originals on S3';
    return { about, state: 'wrong', says, todo: `docs/operations.md, “${chapter}”.` };
  }
}
