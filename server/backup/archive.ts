import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { checkedKey } from '#server/ports/files/port.ts';
import type { Entry } from './manifest.ts';
import { type SealingKey, seal, unseal } from './sealed-file.ts';

/**
 * A backup as a folder: each entry is a file, packed with gzip where that pays, and sealed in the age format
 * (https://age-encryption.org/v1), so that `age -d` opens it without us. All files are sealed for a key of the backup's
 * own, and that key with the passphrase, since deriving a key from a passphrase takes a second each time.
 */
const keyFile = 'key.age';

export interface ArchiveWriter {
  /** Writes an entry, and says what a reader must find. */
  write(name: string, content: Readable, options?: { packed?: boolean }): Promise<Entry>;
  /** Where it is until it has its name. */
  readonly unfinished: string;
  /** Gives the finished backup its name: before that there is none. */
  finish(): Promise<void>;
  /** Removes what there is of it. */
  giveUp(): Promise<void>;
}

export interface ArchiveReader {
  /**
   * An entry's content; its end is an error where the content is not the one that was written.
   * @throws CannotStart where it is absent or can't be opened
   */
  read(entry: Entry, options?: { packed?: boolean }): Promise<Readable>;
  /**
   * A small entry of which nothing is known beforehand.
   * @throws CannotStart where it is absent or can't be opened
   */
  text(name: string): Promise<string>;
}

/**
 * Begins a backup beside the folder that it will be, `<folder>.unfinished`, anew over what a killed one has left there.
 * That nobody is writing there is the caller's to see to.
 * @param passphrase null: it lies open
 * @throws CannotStart where the folder is there already
 */
export async function createArchive(folder: string, passphrase: string | null): Promise<ArchiveWriter> {
  if (await exists(folder)) throw new CannotStart(`${folder} is there already. Name a folder that is not.`);
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const sealing = passphrase === null ? null : await newSealing(unfinished, passphrase);
  return {
    async write(name, content, { packed = false } = {}) {
      const path = join(unfinished, pathOf(name, { packed, sealed: sealing !== null }));
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const digest = digesting();
      const packing = packed ? [createGzip({ level: 6 })] : [];
      const packedContent = pipe(content, digest.transform, ...packing);
      const written = sealing ? await seal(packedContent, sealing) : packedContent;
      // Brought to the disk before the backup says that it has it.
      await pipeline(written, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
      return { name, ...digest.result() };
    },
    unfinished,
    finish: () => rename(unfinished, folder),
    giveUp: () => rm(unfinished, { recursive: true, force: true }),
  };
}

/**
 * Opens a finished backup.
 * @throws CannotStart where it is none, or the passphrase is not its own
 */
export async function openArchive(folder: string, passphrase: string | null): Promise<ArchiveReader> {
  if (!(await exists(folder))) throw new CannotStart(`There is no backup in ${folder}.`);
  const key = await readFile(join(folder, keyFile)).catch(() => null);
  if (key && passphrase === null)
    throw new CannotStart('This backup is sealed. Set BACKUP_PASSPHRASE to the passphrase that it was made with.');
  const identity = key && passphrase !== null ? await identityIn(key, passphrase) : null;

  async function open(name: string, packed: boolean): Promise<Readable> {
    const path = join(folder, pathOf(name, { packed, sealed: identity !== null }));
    const stored = createReadStream(path);
    await once(stored, 'open').catch((cause) => {
      throw new CannotStart(`The backup lacks ${path}.`, { cause });
    });
    const opened = identity === null ? stored : await unsealOf(stored, identity, path);
    return packed ? pipe(opened, createGunzip()) : opened;
  }

  return {
    async read(entry, { packed = false } = {}) {
      return Readable.from(checked(await open(entry.name, packed), entry), { objectMode: false });
    },
    async text(name) {
      const content = await open(name, false);
      return text(content).catch((cause) => {
        throw new CannotStart(`${name} in the backup can't be read.`, { cause });
      });
    },
  };
}

/** An entry's name is ours, and goes through the same check as the key of an original. */
function pathOf(name: string, { packed, sealed }: { packed: boolean; sealed: boolean }): string {
  return join(...checkedKey(name).split('/')) + (packed ? '.gz' : '') + (sealed ? '.age' : '');
}

async function newSealing(folder: string, passphrase: string): Promise<SealingKey> {
  const identity = await generateX25519Identity();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  const sealed = await encrypter.encrypt(identity);
  await writeFile(join(folder, keyFile), sealed, { flag: 'wx', mode: 0o600, flush: true });
  return { identity, recipient: await identityToRecipient(identity) };
}

async function identityIn(key: Buffer, passphrase: string): Promise<string> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return await decrypter.decrypt(key, 'text');
  } catch (cause) {
    throw new CannotStart('This is not the passphrase that the backup was made with.', { cause });
  }
}

async function unsealOf(content: Readable, identity: string, path: string): Promise<Readable> {
  return unseal(content, identity).catch((cause) => {
    throw new CannotStart(`${path} can't be opened with this passphrase, or is damaged.`, { cause });
  });
}

/** The last of a chain; what fails anywhere in it fails there. */
function pipe(first: Readable, ...rest: Transform[]): Readable {
  const last = rest.at(-1);
  if (!last) return first;
  // Its failure is the last one's, which whoever reads it hears of.
  pipeline([first, ...rest]).catch((error) => last.destroy(error));
  return last;
}

/** The content as it comes, whose end is an error where it was another one. */
async function* checked(content: Readable, entry: Entry): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const piece of content) {
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
  } catch (cause) {
    throw new CannotStart(`${entry.name} in the backup can't be read.`, { cause });
  }
  if (hash.digest('hex') !== entry.sha256 || bytes !== entry.bytes)
    throw new CannotStart(`${entry.name} in the backup is not what was written.`);
}

/** Counts what passes and takes its digest. */
function digesting() {
  const hash = createHash('sha256');
  let bytes = 0;
  let found: { bytes: number; sha256: string } | undefined;
  const transform = new Transform({
    transform(piece: Buffer, _, done) {
      bytes += piece.length;
      hash.update(piece);
      done(null, piece);
    },
    flush(done) {
      found = { bytes, sha256: hash.digest('hex') };
      done();
    },
  });
  return {
    transform,
    result() {
      if (!found) throw new Error('asked before the end');
      return found;
    },
  };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
