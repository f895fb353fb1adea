import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { cannotStart, statusOf } from './explain.ts';
import { objectOf } from './parts.ts';
import { nameOf, type S3Place, settingOf } from './place.ts';
import { startFolder } from './tidy.ts';

const racers = 20;

/** How often it is raced, since a winner may never hear that it has won. */
const maxRaces = 3;

/**
 * Does once what the service will do with the store, in a folder of its own.
 * @throws CannotStart in one sentence that says what to set
 */
export async function checkStore(client: S3Client, place: S3Place): Promise<void> {
  const Bucket = place.bucket;
  const Key = `${place.prefix}${startFolder}${randomUUID()}`;
  const doing = async <T>(right: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw cannotStart(error, place, right);
    }
  };

  const Prefix = place.prefix + startFolder;
  await doing('s3:ListBucket', async () => {
    const { Name } = await client.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 }));
    // A page of words is a list of nothing to the client.
    if (Name !== Bucket) throw new Error('the answer is no list');
  });
  const written = await doing('s3:PutObject', () => race(client, place, Key));
  await doing('s3:GetObject', async () => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: written.key, Range: 'bytes=0-8' }));
    const read = Body && String(await buffer(Body as AsyncIterable<Buffer>));
    if (read !== written.content.slice(0, 9))
      throw new CannotStart(`${nameOf(place)} does not give back what was written: set S3_ENDPOINT to another store.`);
  });
  await doing('s3:PutObject, s3:AbortMultipartUpload', async () => {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(objectOf({ place, key: Key })));
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  });
  await doing('s3:ListBucketMultipartUploads', () =>
    client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, MaxUploads: 1 })),
  );
  await doing('s3:DeleteObject', () => client.send(new DeleteObjectCommand({ Bucket, Key: written.key })));
}

/**
 * Twenty write to one key that is to be new: with a store that keeps its word exactly one does. Where none has, the
 * winner's reply may have been lost, and it is raced again.
 */
async function race(client: S3Client, place: S3Place, key: string): Promise<{ key: string; content: string }> {
  for (let turn = 1; ; turn++) {
    const name = `${key}.${turn}`;
    const contents = Array.from({ length: racers }, (_, number) => `${String(number).padStart(2, '0')} of ${racers}`);
    const outcomes = await Promise.all(contents.map((content) => putNew(client, place, name, content)));
    const winners = outcomes.flatMap((versionId, number) => (versionId === null ? [] : [{ number, versionId }]));
    const [winner] = winners;
    if (winner === undefined && turn < maxRaces) continue;
    const versions = winners.map(({ versionId }) => versionId).filter((id) => id !== '');
    const written = { Bucket: place.bucket, Key: name };
    // Before they are counted: Ceph lets all of them win where it keeps versions.
    if (versions.length > 0) {
      for (const VersionId of versions)
        await client.send(new DeleteObjectCommand({ ...written, VersionId })).catch(() => {});
      throw new CannotStart(
        `The bucket ${place.bucket} keeps the versions of what is deleted, so nothing could be erased: set ${settingOf(place)} to one without versioning.`,
      );
    }
    if (winner === undefined || winners.length > 1) {
      await client.send(new DeleteObjectCommand(written)).catch(() => {});
      throw new CannotStart(
        `Of ${racers} conditional writes to ${nameOf(place)} ${winners.length} succeeded where exactly one may: set S3_ENDPOINT to a store that keeps If-None-Match.`,
      );
    }
    return { key: name, content: contents[winner.number] ?? '' };
  }
}

/** @returns null where the key was taken; else the version that was kept, empty where the bucket keeps none */
async function putNew(client: S3Client, place: S3Place, key: string, Body: string): Promise<string | null> {
  try {
    const { VersionId = '' } = await client.send(
      new PutObjectCommand({ ...objectOf({ place, key }), IfNoneMatch: '*', Body }),
    );
    // A bucket whose versioning was switched off calls all of what it has now so.
    return VersionId === 'null' ? '' : VersionId;
  } catch (error) {
    if (statusOf(error) === 412 || statusOf(error) === 409) return null;
    throw error;
  }
}
