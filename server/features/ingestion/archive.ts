import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { type Content, contentReader, withContent } from './content.ts';
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
  await eachEntry(content, limits, async (_zip, entry) => {
    names.push(nameOf(entry));
  });
  return names;
}

/** A zip container whose entries have been checked. */
export interface Archive {
  readonly names: readonly string[];
  /** An entry's bytes, inflated; null when there is none of that name. */
  read(name: string): Promise<Buffer | null>;
}

/**
 * Opens a container for as long as `use` runs, after a look at all that is in it.
 * @throws ParseFailure `damaged`, `password`, `too-large-unpacked`; what reading the file or `use` throws
 */
export function withArchive<T>(path: string, limits: ArchiveLimits, use: (archive: Archive) => Promise<T>): Promise<T> {
  return withContent(path, async (content) => {
    await checkArchive(content, limits);
    const zip = await openZip(content);
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
  });
}

/**
 * Inflates every entry and throws the bytes away: the declared sizes of a bomb are lies, and what follows reads entries
 * whole. In constant memory.
 */
async function checkArchive(content: Content, limits: ArchiveLimits): Promise<void> {
  let declared = 0;
  let actual = 0;
  await eachEntry(content, limits, async (zip, entry) => {
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
  });
}

async function eachEntry(
  content: Content,
  { entries }: Pick<ArchiveLimits, 'entries'>,
  visit: (zip: ZipFile, entry: Entry) => Promise<void>,
): Promise<void> {
  let failure: unknown;
  const watched: Content = {
    size: content.size,
    async read(start, length) {
      try {
        return await content.read(start, length);
      } catch (error) {
        failure = error;
        throw error;
      }
    },
  };
  try {
    const zip = await openZip(watched);
    if (zip.entryCount > entries) throw ParseFailure.of('too-large-unpacked');
    for await (const entry of zip.eachEntry()) await visit(zip, entry);
  } catch (error) {
    if (error instanceof ParseFailure) throw error;
    // That it could not be read says nothing of what it is.
    throw failure ?? ParseFailure.of('damaged');
  }
}

// Without `decodeStrings: false` a name that climbs out of the archive is an error; nothing is written by these names.
const zipOptions = { autoClose: false, lazyEntries: true, decodeStrings: false };

async function openZip(content: Content): Promise<ZipFile> {
  const open = (size: number) => yauzl.fromRandomAccessReaderPromise(contentReader(content), size, zipOptions);
  try {
    return await open(content.size);
  } catch (error) {
    const size = await endOfZip(content);
    if (size === undefined) throw error;
    return open(size);
  }
}

const endSignature = 'PK\x05\x06';
/** The last record of a zip file, without the comment that may follow it. */
const endBytes = 22;
const maxCommentBytes = 0xffff;

/**
 * Where a zip file ends by what its last record says, if more bytes follow: what sends or stores a file may put a line
 * feed or noughts behind it, and the programs that it is for open it all the same.
 */
async function endOfZip(content: Content): Promise<number | undefined> {
  const from = Math.max(0, content.size - endBytes - maxCommentBytes);
  const tail = await content.read(from, content.size - from);
  const at = tail.subarray(0, endSignature.length - endBytes).lastIndexOf(endSignature, undefined, 'latin1');
  if (at === -1) return undefined;
  const end = at + endBytes + tail.readUInt16LE(at + endBytes - 2);
  return end < tail.length ? from + end : undefined;
}

function nameOf(entry: Entry): string {
  return entry.fileNameRaw.toString('utf8');
}
