import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { conflict, inChunks, type UnfinishedDatabase, unfinishedContract } from './contract-unfinished.ts';
import type { UnfinishedKey } from './port.ts';
import type { S3Place } from './s3/place.ts';
import { tidy } from './s3/tidy.ts';
import { unfinishedRows } from './s3/unfinished-rows.ts';
import { s3Files } from './s3.ts';

const mib = 1024 * 1024;

/**
 * What holds of unfinished uploads on every server that we say we run on: the promise of the port, and that nothing is
 * left there, whatever happened.
 */
export function unfinishedS3Contract(
  name: string,
  database: UnfinishedDatabase,
  at: () => { client: S3Client; placeOf: () => S3Place },
): void {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footnote-s3-unfinished-'));
    return () => rm(folder, { recursive: true });
  });

  const filesAt = (place: S3Place) => {
    const files = s3Files(place, { tries: 2 });
    onTestFinished(() => files.close());
    return files;
  };

  unfinishedContract(name, database, async (db) => {
    const place = at().placeOf();
    return { process: () => filesAt(place).unfinished({ db, folder }), files: filesAt(place) };
  });

  describe(`${name}: unfinished uploads in the store`, () => {
    const begin = async (size: number) => {
      const place = at().placeOf();
      const process = () => filesAt(place).unfinished({ db: database.db(), folder });
      const key = await database.newKey();
      await process().create(key, size);
      return { place, process, key, here: process(), files: filesAt(place) };
    };

    test('leave nothing but the file when they are stored, and nothing when they are removed', async () => {
      const { place, here, key } = await begin(20 * mib);
      await here.append(key, 0, inChunks(Buffer.alloc(9 * mib)));
      expect((await leftAt(place)).map((each) => each.replace(/[^/]*$/, ''))).toEqual([
        `.unfinished/${key.companyId}/${key.uploadId}/`,
        `parts of ${key.companyId}/`,
      ]);
      await here.append(key, 9 * mib, inChunks(Buffer.alloc(11 * mib)));
      await here.store(key, fileKeyOf(key));
      expect(await leftAt(place)).toEqual([fileKeyOf(key)]);

      const other = await database.newKey();
      await here.create(other, 20 * mib);
      await here.append(other, 0, inChunks(Buffer.alloc(9 * mib)));
      await here.remove(other);
      expect(await leftAt(place)).toEqual([fileKeyOf(key)]);
      expect(await readdir(folder)).toEqual([]);
    });

    test('are those of their company alone', async () => {
      const { process, key } = await begin(10);
      const { companyId } = await database.newKey();
      const foreign = { companyId, uploadId: key.uploadId };
      expect(await process().size(foreign)).toBeNull();
      const sizes = await database.db().asCompany(companyId, (tx) => process().sizes(tx, [key.uploadId]));
      expect(sizes.size).toBe(0);
      await process().remove(foreign);
      expect(await process().size(key)).toBe(0);
    });

    test('a writer that comes too late is refused, and what the other has written stays', async () => {
      const { place, process, here, key, files } = await begin(20 * mib);
      const late = heldPiece(Buffer.alloc(9 * mib, 'late'));
      const tooLate = process().append(key, 0, late.piece);
      tooLate.catch(() => {});
      await late.isRead;
      await here.append(key, 0, inChunks(Buffer.alloc(20 * mib, 'here')));
      late.end();
      await expect(tooLate).rejects.toThrow(conflict);
      expect(await here.size(key)).toBe(20 * mib);
      await here.store(key, fileKeyOf(key));
      expect(await files.size(fileKeyOf(key))).toBe(20 * mib);
      expect((await leftAt(place)).filter((each) => each.startsWith('parts of'))).toEqual([]);
    });

    test('of which the store has lost parts are sent again from the beginning', async () => {
      const { place, here, key } = await begin(30 * mib);
      await here.append(key, 0, inChunks(Buffer.alloc(8 * mib)));
      await abortAll(place);
      await expect(here.append(key, 8 * mib, inChunks(Buffer.alloc(8 * mib)))).rejects.toThrow(conflict);
      expect(await here.size(key)).toBe(0);
      await here.append(key, 0, inChunks(Buffer.alloc(30 * mib)));
      await abortAll(place);
      await expect(here.store(key, fileKeyOf(key))).rejects.toThrow(conflict);
      expect(await here.size(key)).toBe(0);
    });

    test('of which the store has lost the last bytes are sent again from the last part', async () => {
      const { place, here, key } = await begin(30 * mib);
      await here.append(key, 0, inChunks(Buffer.alloc(9 * mib)));
      const { client } = at();
      for (const each of (await leftAt(place)).filter((left) => left.startsWith('.unfinished/')))
        await client.send(new DeleteObjectCommand({ Bucket: place.bucket, Key: place.prefix + each }));
      await expect(here.append(key, 9 * mib, inChunks(Buffer.alloc(mib)))).rejects.toThrow(conflict);
      expect(await here.size(key)).toBe(8 * mib);
    });

    test('are spared by what removes the leftovers of killed processes, as long as a row names them', async () => {
      const { place, here, key } = await begin(30 * mib);
      await here.append(key, 0, inChunks(Buffer.alloc(9 * mib)));
      const rows = unfinishedRows(database.db());
      const later = { now: Date.now() + 25 * 3_600_000, inUse: rows.named };
      await tidy(at().client, place, later);
      expect(await leftAt(place)).toHaveLength(2);
      await rows.remove(key);
      await tidy(at().client, place, later);
      expect(await leftAt(place)).toEqual([]);
    });
  });

  const fileKeyOf = ({ companyId, uploadId }: UnfinishedKey) => `${companyId}/${uploadId}`;

  /** Every object below the prefix, and every upload in parts. */
  async function leftAt({ bucket: Bucket, prefix: Prefix }: S3Place): Promise<string[]> {
    const { client } = at();
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }));
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }));
    const without = ({ Key = '' }: { Key?: string | undefined }) => Key.slice(Prefix.length);
    return [...Contents.map(without), ...Uploads.map((each) => `parts of ${without(each)}`)].sort();
  }

  async function abortAll({ bucket: Bucket, prefix: Prefix }: S3Place): Promise<void> {
    const { client } = at();
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }));
    for (const { Key, UploadId } of Uploads)
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  }
}

/** A piece of which nothing more comes until it is told to end. */
function heldPiece(bytes: Buffer): { piece: Readable; isRead: Promise<void>; end: () => void } {
  const read = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const piece = Readable.from(
    (async function* () {
      read.resolve();
      await ended.promise;
      yield bytes;
    })(),
  );
  return { piece, isRead: read.promise, end: () => ended.resolve() };
}
