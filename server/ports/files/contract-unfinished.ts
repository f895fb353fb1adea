import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { type FileStore, headBytes, type UnfinishedFiles, type UnfinishedKey } from './port.ts';

const mib = 1024 * 1024;
export const conflict = new AppError('upload-conflict');

/** A database for unfinished uploads. */
export interface UnfinishedDatabase {
  db(): Database;
  /** An upload of a company of its own. */
  newKey(): Promise<UnfinishedKey>;
}

/**
 * What both implementations of unfinished uploads must do.
 * @param open one on an empty place: a function that gives, each time, what another process has, and the file store
 */
export function unfinishedContract(
  name: string,
  database: UnfinishedDatabase,
  open: (db: Database) => Promise<{ process: () => UnfinishedFiles; files: FileStore }>,
): void {
  describe(`${name}: unfinished uploads`, () => {
    let process: () => UnfinishedFiles;
    let files: FileStore;
    let here: UnfinishedFiles;
    let key: UnfinishedKey;
    let fileKey: string;
    beforeEach(async () => {
      ({ process, files } = await open(database.db()));
      here = process();
      key = await database.newKey();
      fileKey = `${key.companyId}/${key.uploadId}`;
    });

    const stored = async () => buffer(await files.get(fileKey));

    test('one that is begun has nothing, and what was not begun is none', async () => {
      expect(await here.size(key)).toBeNull();
      await here.create(key, 10);
      expect(await here.size(key)).toBe(0);
      expect(await here.head(key)).toHaveLength(0);
      const others = [key.uploadId, randomUUID()];
      const sizes = await database.db().asCompany(key.companyId, (tx) => here.sizes(tx, others));
      expect(sizes).toEqual(new Map([[key.uploadId, 0]]));
    });

    test('pieces of any size become one file, byte for byte, whichever process takes them', async () => {
      const bytes = randomBytes(20 * mib + 7);
      await here.create(key, bytes.length);
      let at = 0;
      for (const length of [1, 5000, 3 * mib, 10 * mib, 100_000, bytes.length]) {
        const piece = bytes.subarray(at, at + length);
        at = await process().append(key, at, inChunks(piece));
        expect(await process().size(key)).toBe(at);
      }
      expect(at).toBe(bytes.length);
      expect(Buffer.from(await process().head(key)).equals(bytes.subarray(0, headBytes))).toBe(true);
      await process().store(key, fileKey);
      expect((await stored()).equals(bytes)).toBe(true);
      expect(await here.size(key)).toBeNull();
      await here.store(key, fileKey);
      expect((await stored()).equals(bytes)).toBe(true);
    });

    test('one of a few bytes becomes one, in one piece or in two', async () => {
      for (const cut of [4, 10]) {
        await here.create(key, 10);
        const at = await here.append(key, 0, inChunks(Buffer.from('0123456789').subarray(0, cut)));
        if (at < 10) await process().append(key, at, inChunks(Buffer.from('456789')));
        await process().store(key, fileKey);
        expect(String(await stored())).toBe('0123456789');
        await files.delete(fileKey);
      }
    });

    test('what arrives before a cut stays, and is gone on with', async () => {
      const bytes = randomBytes(12 * mib);
      await here.create(key, bytes.length);
      const cut = Readable.from(
        (async function* () {
          yield* inChunks(bytes.subarray(0, 9 * mib));
          throw new Error('cut off');
        })(),
      );
      await expect(here.append(key, 0, cut)).rejects.toThrow('cut off');
      expect(await here.size(key)).toBe(9 * mib);
      await process().append(key, 9 * mib, inChunks(bytes.subarray(9 * mib)));
      await here.store(key, fileKey);
      expect((await stored()).equals(bytes)).toBe(true);
    });

    test('a piece that goes elsewhere than at its end is refused, and nothing of it is kept', async () => {
      await here.create(key, 100);
      await here.append(key, 0, inChunks(Buffer.alloc(10)));
      await expect(here.append(key, 5, inChunks(Buffer.alloc(10)))).rejects.toThrow(conflict);
      await expect(here.append(key, 20, inChunks(Buffer.alloc(10)))).rejects.toThrow(conflict);
      expect(await here.size(key)).toBe(10);
    });

    test('begun anew it has nothing, and what an earlier one has stored makes room', async () => {
      await here.create(key, 10);
      await here.append(key, 0, inChunks(Buffer.from('before')));
      await here.create(key, 5);
      expect(await here.size(key)).toBe(0);
      await here.append(key, 0, inChunks(Buffer.from('first')));
      await here.store(key, fileKey);
      await here.create(key, 6);
      await process().append(key, 0, inChunks(Buffer.from('second')));
      await here.store(key, fileKey);
      expect(String(await stored())).toBe('second');
    });

    test('removed, nothing of it is there, and nothing of another is gone', async () => {
      const other = { ...key, uploadId: randomUUID() };
      for (const each of [key, other]) {
        await here.create(each, 30 * mib);
        await here.append(each, 0, inChunks(Buffer.alloc(9 * mib)));
      }
      await process().remove(key);
      await process().remove(key);
      expect(await here.size(key)).toBeNull();
      expect(await here.size(other)).toBe(9 * mib);
      await expect(here.store(key, fileKey)).rejects.toThrow(new AppError('upload-not-found'));
      expect(await files.list('')).toEqual([]);
    });

    test('those that nothing was written to since are told, and no others', async () => {
      await here.create(key, 100);
      await here.append(key, 0, inChunks(Buffer.alloc(10)));
      expect(await here.idle(new Date(Date.now() - 60_000))).toEqual([]);
      const idle = await process().idle(new Date(Date.now() + 60_000));
      const mine = idle.filter(({ uploadId }) => uploadId === key.uploadId);
      expect(mine).toHaveLength(1);
      await mine[0]?.remove();
      expect(await here.size(key)).toBeNull();
    });
  });
}

/** As a connection gives them. */
export function inChunks(bytes: Buffer): Readable {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 65_536) chunks.push(bytes.subarray(at, at + 65_536));
  return Readable.from(chunks);
}
