/** What to do with a file whose name is taken: the upload's metadata `ifExists`. */
export type Choice = 'replace' | 'keep-both';

/** What tells an upload from any other of this browser: found again with it, the upload goes on where it stopped. */
export interface UploadMark {
  /** Whose it is: another person's is never gone on with. */
  owner: string;
  name: string;
  choice: Choice;
  /** For which collection it was begun: going on with it must not bring it to where others see it. */
  collection: string | null;
  size: number;
  /** Milliseconds since the epoch. */
  lastModified: number;
}

/** An upload that this browser began and has not ended. */
export interface Unfinished extends UploadMark {
  uploadId: string;
  /** Where it is remembered. */
  key: string;
}

const ours = 'footnote';
const prefix = `tus::${ours}\n`;

/** How an upload is remembered: by the library, with `tus::` before it and a number after. */
export function fingerprintOf({ owner, name, choice, collection, size, lastModified }: UploadMark): string {
  const way = collection === null ? choice : `${choice}@${collection}`;
  return [ours, owner, way, size, lastModified, name].join('\n');
}

/** The person's unfinished uploads in what this browser remembers. */
export function unfinishedOf(owner: string, storage: Pick<Storage, 'length' | 'key' | 'getItem'>): Unfinished[] {
  const keys = Array.from({ length: storage.length }, (_, place) => storage.key(place) ?? '');
  return keys.flatMap((key) => {
    const found = key.startsWith(prefix) ? read(key, storage.getItem(key) ?? '') : null;
    return found?.owner === owner ? [found] : [];
  });
}

function read(key: string, value: string): Unfinished | null {
  const [owner, way, size, lastModified, name] = key.slice(prefix.length, key.lastIndexOf('::')).split('\n');
  const uploadId = /\/v1\/uploads\/([0-9a-f-]{36})"/.exec(value)?.[1];
  if (owner === undefined || name === undefined || uploadId === undefined) return null;
  const [choice, collection = null] = way?.split('@') ?? [];
  if (choice !== 'replace' && choice !== 'keep-both') return null;
  return { key, owner, name, choice, collection, size: Number(size), lastModified: Number(lastModified), uploadId };
}

/** Whether this is the file again. One from a folder may be chosen by itself. */
export function isSameFile(unfinished: UploadMark, file: Pick<File, 'name' | 'size' | 'lastModified'>): boolean {
  const sameName = unfinished.name === file.name || unfinished.name.endsWith(` › ${file.name}`);
  return sameName && unfinished.size === file.size && unfinished.lastModified === file.lastModified;
}
