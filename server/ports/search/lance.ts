import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, Session } from '@lancedb/lancedb';
import type { Logger } from 'pino';
import { addCollectionColumn } from './lance-rows.ts';
import { lanceSearch, prepare } from './lance-search.ts';
import { LanceTables } from './lance-tables.ts';
import type { SearchStore } from './port.ts';
import { vectorFolder } from './vectors.ts';

const usuallyOpen = 200;
/** What is kept in memory of all tables together. */
const usualMemoryBytes = 512 << 20;
/** Of that memory; the rest is for indexes. */
const shareOfMetadata = 1 / 4;
/** Another name where what is put into the tables has changed: those of before are built anew. */
export const termsFolder = 'terms-5';
const earlierFolders = ['terms', 'terms-2', 'terms-3', 'terms-4'];

/**
 * LanceDB in this process, one table per company below `root`: of terms, and of vectors.
 * Another process's changes are seen at once (`readConsistencyInterval: 0`), or it would go on finding what is deleted.
 */
export async function openLanceSearch({
  root,
  log,
  openTables = usuallyOpen,
  session = boundedSession(),
  vectorModel,
}: {
  root: string;
  log: Logger;
  /** Tables kept open; the one not used for longest makes room. */
  openTables?: number;
  /** What the engine keeps in memory of all tables together. */
  session?: Session;
  /** Whose vectors are kept, as the embeddings port names it; absent: none. */
  vectorModel?: string | undefined;
}): Promise<SearchStore> {
  const folder = join(root, termsFolder);
  await mkdir(folder, { recursive: true });
  await removeEarlierTables(root);
  const open = (path: string) => connect(path, { readConsistencyInterval: 0, session });
  const connection = await open(folder);
  const terms = new LanceTables(connection, { root: folder, limit: openTables, prepare });
  const place = await vectorPlace(join(root, 'vectors'), vectorModel);
  const ofVectors = place === null ? null : await open(place);
  const vectors =
    place !== null && ofVectors !== null
      ? new LanceTables(ofVectors, { root: place, limit: openTables, prepare: addCollectionColumn })
      : null;

  return {
    ...lanceSearch({ terms, vectors, log }),
    name: 'LanceDB',
    async close() {
      ofVectors?.close();
      connection.close();
    },
  };
}

/**
 * What the engine keeps in memory of all tables together: 7 GB where nobody says. It goes into the options of
 * `connect`: a session beside them, as its types have it, is left aside without a word.
 */
export function boundedSession(bytes = usualMemoryBytes): Session {
  const metadata = Math.floor(bytes * shareOfMetadata);
  return new Session(BigInt(bytes - metadata), BigInt(metadata));
}

/**
 * The folder of one model's vectors, named for it. Those of other models are removed; it throws nothing away that can't
 * be made again.
 */
async function vectorPlace(root: string, model: string | undefined): Promise<string | null> {
  const name = model === undefined ? null : vectorFolder(model);
  for (const folder of await readdir(root).catch(() => []))
    if (folder !== name) await rm(join(root, folder), { recursive: true, force: true });
  if (name === null) return null;
  await mkdir(join(root, name), { recursive: true });
  return join(root, name);
}

/** Of a version that kept tables elsewhere; they hold text, and are built anew like any that is missing. */
async function removeEarlierTables(root: string): Promise<void> {
  for (const name of await readdir(root))
    if (name.endsWith('.lance') || earlierFolders.includes(name))
      await rm(join(root, name), { recursive: true, force: true });
}
