import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { type Content, contentReader } from './content.ts';
import { ParseFailure } from './reasons.ts';

export interface ArchiveLimits {
  entries: number;
  /** Bytes of all entries together, inflated. */
  unpackedBytes: number;
}

/**
 * Names of a zip file's entries, from its central directory.
 * @throws ParseFailure `damaged`, `too-large-unpacked` beyond the limit of entries; what reading the content throws
 */
export async function listEntries(content: Content, limits: Pick<ArchiveLimits, 'entries'>): Promise<string[]> {
  const names: string[] = [];
  const reader = contentReader(content);
  try {
    const open = () => yauzl.fromRandomAccessReaderPromise(reader, content.size, zipOptions);
    await eachEntry(open, limits, async (_zip, entry) => {
      names.push(nameOf(entry));
    });
    return names;
  } catch (error) {
    // That it could not be read says nothing of what it is.
    throw reader.failure ?? error;
  }
}

/** A zip container whose entries have been checked. */
export interface Archive {
  readonly names: readonly string[];
  /** An entry's bytes, inflated; null when there is none of that name. */
  read(name: string): Promise<Buffer | null>;
}

/**
 * Opens a container for as long as `use` runs, after a look at all that is in it.
 * @throws what `checkArchive` throws
 */
export async function withArchive<T>(
  path: string,
  limits: ArchiveLimits,
  use: (archive: Archive) => Promise<T>,
): Promise<T> {
  await checkArchive(path, limits);
  const zip = await openZip(path);
  try {
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(nameOf(entry), entry);
    return await use({
      names: [...entries.keys()],
      async read(name) {
        const entry = entries.get(name);
        if (!entry) return null;
        const pieces: Buffer[] = [];
        for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece);
        return Buffer.concat(pieces);
      },
    });
  } finally {
    zip.close();
  }
}

/**
 * Inflates every entry and throws the bytes away: the declared sizes of a bomb are lies, and what follows reads entries
 * whole. In constant memory.
 * @throws ParseFailure `damaged`, `password`, `too-large-unpacked`
 */
export async function checkArchive(path: string, limits: ArchiveLimits): Promise<void> {
  let declared = 0;
  let actual = 0;
  await eachEntry(
    () => openZip(path),
    limits,
    async (zip, entry) => {
      if (entry.isEncrypted()) throw ParseFailure.of('password');
      declared += entry.uncompressedSize;
      if (declared > limits.unpackedBytes) throw ParseFailure.of('too-large-unpacked');
      if (nameOf(entry).endsWith('/')) return;
      const stream = await zip.openReadStreamPromise(entry);
      for await (const piece of stream) {
        actual += piece.length;
        if (actual > limits.unpackedBytes) {
          stream.destroy();
          throw ParseFailure.of('too-large-unpacked');
        }
      }
    },
  );
}

async function eachEntry(
  open: () => Promise<ZipFile>,
  { entries }: Pick<ArchiveLimits, 'entries'>,
  visit: (zip: ZipFile, entry: Entry) => Promise<void>,
): Promise<void> {
  let zip: ZipFile | undefined;
  try {
    zip = await open();
    if (zip.entryCount > entries) throw ParseFailure.of('too-large-unpacked');
    for await (const entry of zip.eachEntry()) await visit(zip, entry);
  } catch (error) {
    if (error instanceof ParseFailure) throw error;
    throw ParseFailure.of('damaged');
  } finally {
    zip?.close();
  }
}

// Without `decodeStrings: false` a name that climbs out of the archive is an error; nothing is written by these names.
const zipOptions = { autoClose: false, lazyEntries: true, decodeStrings: false };

function openZip(path: string): Promise<ZipFile> {
  return yauzl.openPromise(path, zipOptions);
}

function nameOf(entry: Entry): string {
  return entry.fileNameRaw.toString('utf8');
}
