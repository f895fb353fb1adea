import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { fileStoreContract } from './contract.ts';
import { unfinishedS3Contract } from './contract-s3-unfinished.ts';
import { wireContract } from './contract-s3-wire.ts';
import type { UnfinishedDatabase } from './contract-unfinished.ts';
import type { S3Place } from './s3/place.ts';
import { tidy } from './s3/tidy.ts';
import { partBytes } from './s3/write.ts';
import { s3Files } from './s3.ts';

const nobody = async () => new Set<string>();

/** A server that speaks S3, and a key that may make buckets there. */
export interface S3Server {
  endpoint: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

/**
 * What holds on every server that we say we run on: the promise of the port, what the start finds out, and the answers
 * of the wire on which both rest. The simulator is held to it as Ceph is, so that tests on one speak for the other.
 * @param database where it is written down how far unfinished uploads are
 * @param open the server, which goes on for all of it
 */
export function s3Contract(name: string, database: UnfinishedDatabase, open: () => Promise<S3Server>): void {
  const bucket = `footnote-${randomUUID()}`;
  let server: S3Server;
  let client: S3Client;
  beforeAll(async () => {
    server = await open();
    client = new S3Client({ ...server, forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED' });
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
  });
  afterAll(() => client.destroy());

  const placeOf = (more: Partial<S3Place> = {}): S3Place => ({
    ...server,
    bucket,
    prefix: `${randomUUID()}/`,
    ...more,
  });
  const filesAt = (place: S3Place) => {
    const files = s3Files(place, { tries: 2 });
    onTestFinished(() => files.close());
    return files;
  };
  /** Why a start there is refused; empty where it is not. */
  const refusal = (more: Partial<S3Place>) =>
    filesAt(placeOf(more))
      .check()
      .then(
        () => '',
        (error) => {
          expect(error).toBeInstanceOf(CannotStart);
          return error.message;
        },
      );

  fileStoreContract(name, async () => filesAt(placeOf()));
  unfinishedS3Contract(name, database, () => ({ client, placeOf }));

  describe(`${name}: files of many parts`, () => {
    test('come back byte for byte, from any offset, and as one that is new', async () => {
      const place = placeOf();
      const files = filesAt(place);
      const bytes = Buffer.alloc(partBytes * 2 + 5, 'abcdefghijk');
      await files.put('large', Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]));
      expect((await buffer(await files.get('large'))).equals(bytes)).toBe(true);
      const range = { start: partBytes - 3, end: partBytes + 3 };
      expect(await buffer(await files.get('large', range))).toEqual(bytes.subarray(range.start, range.end + 1));

      const path = join(await temporaryFolder(), 'upload');
      await writeFile(path, bytes.subarray(0, partBytes));
      await files.putFile('exactly-one', path);
      expect(await files.size('exactly-one')).toBe(partBytes);
      expect(await partsLeft(place)).toEqual([]);
    });

    test('leave no parts behind when they break off', async () => {
      const place = placeOf();
      const files = filesAt(place);
      async function* breaking() {
        yield Buffer.alloc(partBytes + 1);
        throw new Error('cut off');
      }
      await expect(files.put('large', Readable.from(breaking()))).rejects.toThrow('cut off');
      expect(await files.list('')).toEqual([]);
      expect(await partsLeft(place)).toEqual([]);
    });

    test('are given up a day after their process was killed, and not before', async () => {
      const place = placeOf();
      const upload = { Bucket: bucket, Key: `${place.prefix}killed` };
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(upload));
      await client.send(new UploadPartCommand({ ...upload, UploadId, PartNumber: 1, Body: 'half' }));
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: `${place.prefix}.start/killed`, Body: 'x' }));
      await filesAt(place).put('a/b', Readable.from(['text']));
      expect(await partsLeft(place)).toEqual([upload.Key]);
      await tidy(client, place, { now: Date.now() + 23 * 3_600_000, inUse: nobody });
      expect(await partsLeft(place)).toEqual([upload.Key]);
      await tidy(client, place, { now: Date.now() + 25 * 3_600_000, inUse: nobody });
      expect(await partsLeft(place)).toEqual([]);
      expect(await keysAt(place)).toEqual(['a/b']);
    });
  });

  describe(`${name}: a local file that is taken over`, () => {
    test('is left as it is where the same bytes are there, and replaces others', async () => {
      const place = placeOf();
      const files = filesAt(place);
      const folder = await temporaryFolder();
      const putText = async (text: string) => {
        await writeFile(join(folder, 'upload'), text);
        await files.putFile('a/b', join(folder, 'upload'));
        return client.send(new GetObjectCommand({ Bucket: bucket, Key: `${place.prefix}a/b` }));
      };
      await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: `${place.prefix}a/b`, Body: 'same', Metadata: { by: 'another' } }),
      );
      const same = await putText('same');
      expect([same.Metadata, String(await buffer(same.Body as Readable))]).toEqual([{ by: 'another' }, 'same']);
      const other = await putText('other');
      expect([other.Metadata, String(await buffer(other.Body as Readable))]).toEqual([{}, 'other']);
    });
  });

  describe(`${name}: the start`, () => {
    test('takes a store that does all of it, and leaves nothing there', async () => {
      const place = placeOf();
      await filesAt(place).check();
      expect(await keysAt(place)).toEqual([]);
      expect(await partsLeft(place)).toEqual([]);
    });

    test('says what to set where the bucket, the keys or the address are wrong', async () => {
      const nobody = { accessKeyId: 'nobody', secretAccessKey: 'x'.repeat(20) };
      const halfRight = { ...server.credentials, secretAccessKey: 'x'.repeat(20) };
      expect(await refusal({ bucket: 'no-such-bucket' })).toMatch(/^There is no bucket no-such-bucket at .* FILES_URL/);
      expect(await refusal({ credentials: nobody })).toMatch(/\(InvalidAccessKeyId\): set AWS_ACCESS_KEY_ID/);
      expect(await refusal({ credentials: halfRight })).toMatch(/\(SignatureDoesNotMatch\): set AWS_ACCESS_KEY_ID/);
      expect(await refusal({ endpoint: 'http://127.0.0.1:1' })).toMatch(
        /can't be reached \(ECONNREFUSED\): set S3_ENDPOINT/,
      );
      expect(await refusal({ endpoint: server.endpoint.replace('http:', 'https:') })).toMatch(/does not speak TLS/);
    });

    test('says what to set where the bucket keeps what is deleted', async () => {
      const kept = `footnote-${randomUUID()}`;
      await client.send(new CreateBucketCommand({ Bucket: kept }));
      const set = (Status: 'Enabled' | 'Suspended') =>
        client.send(new PutBucketVersioningCommand({ Bucket: kept, VersioningConfiguration: { Status } }));
      await set('Enabled');
      expect(await refusal({ bucket: kept })).toMatch(/keeps the versions of what is deleted.* set FILES_URL/);
      await set('Suspended');
      expect(await refusal({ bucket: kept })).toBe('');
    });
  });

  test(`${name}: a bucket that has gone is no file that is absent`, async () => {
    const files = filesAt(placeOf({ bucket: 'no-such-bucket' }));
    await expect(files.get('a')).rejects.toEqual(new AppError('unavailable'));
    await expect(files.size('a')).rejects.toEqual(new AppError('unavailable'));
    await expect(files.list('')).rejects.toEqual(new AppError('unavailable'));
    await expect(files.put('a', Readable.from(['x']))).rejects.toEqual(new AppError('unavailable'));
  });

  wireContract(name, () => ({ client, bucket }));

  async function partsLeft(place: S3Place): Promise<string[]> {
    const { Uploads = [] } = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: place.prefix }),
    );
    return Uploads.map(({ Key = '' }) => Key);
  }

  async function keysAt(place: S3Place): Promise<string[]> {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: place.prefix }));
    return Contents.map(({ Key = '' }) => Key.slice(place.prefix.length));
  }
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-s3-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
