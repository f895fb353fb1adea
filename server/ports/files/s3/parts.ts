import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { setOf, statusOf } from './explain.ts';
import type { S3Place } from './place.ts';

/** What is written, and where. */
export interface Target {
  client: S3Client;
  place: S3Place;
  /** With the prefix. */
  key: string;
  /** The object carries it: where the key has it, it was written by this. */
  mark: string;
  /** Fails with `PreconditionFailed` where the key is taken by another. */
  isNew: boolean;
}

/** What every object of ours is stored with. */
export function objectOf({ place, key }: Pick<Target, 'place' | 'key'>) {
  return {
    Bucket: place.bucket,
    Key: key,
    ...(place.encryption && { ServerSideEncryption: place.encryption.algorithm }),
    ...(place.encryption?.keyId !== undefined && { SSEKMSKeyId: place.encryption.keyId }),
  } satisfies Partial<PutObjectCommandInput>;
}

/** Begins an upload in parts. @returns the store's id of it */
export async function beginParts(target: Target): Promise<string> {
  const { client, mark } = target;
  const begin = new CreateMultipartUploadCommand({ ...objectOf(target), Metadata: { mark } });
  return setOf((await client.send(begin)).UploadId);
}

/** Sends a part, from memory, so that it can be sent again where the store asks for it. @returns its entity tag */
export async function putPart(
  { client, place, key }: Target,
  UploadId: string,
  PartNumber: number,
  Body: Buffer,
): Promise<string> {
  const part = new UploadPartCommand({ Bucket: place.bucket, Key: key, UploadId, PartNumber, Body });
  return setOf((await client.send(part)).ETag);
}

/** Makes an object of the parts that have these entity tags, in their order. */
export async function completeParts(target: Target, UploadId: string, tags: readonly string[]): Promise<void> {
  const { client, place, key } = target;
  const Parts = tags.map((ETag, index) => ({ PartNumber: index + 1, ETag }));
  const upload = { Bucket: place.bucket, Key: key, UploadId, MultipartUpload: { Parts } };
  // Completed, but the reply was lost: asked again, some stores no longer know the upload.
  await unlessWritten(target, client.send(new CompleteMultipartUploadCommand({ ...upload, ...conditionOf(target) })));
}

/** Writes it in one request. */
export async function putWhole(target: Target, Body: Buffer): Promise<void> {
  const { client, mark } = target;
  const put = new PutObjectCommand({ ...objectOf(target), ...conditionOf(target), Body, Metadata: { mark } });
  await unlessWritten(target, client.send(put));
}

/** Ends one upload in parts. */
export async function giveUpOne({ client, place, key }: Target, UploadId: string): Promise<void> {
  await client.send(new AbortMultipartUploadCommand({ Bucket: place.bucket, Key: key, UploadId }));
}

/** Ends every upload in parts of the key. */
export async function giveUpParts({ client, place, key }: Pick<Target, 'client' | 'place' | 'key'>): Promise<void> {
  const Bucket = place.bucket;
  // Of one key there are hardly ever two.
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: key }));
  for (const { Key, UploadId } of Uploads)
    if (Key === key) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
}

function conditionOf({ isNew }: Target): { IfNoneMatch?: string } {
  return isNew ? { IfNoneMatch: '*' } : {};
}

/** Whether the key has what was written by this. */
export async function isWritten({ client, place, key, mark }: Target): Promise<boolean> {
  const head = new HeadObjectCommand({ Bucket: place.bucket, Key: key });
  const there = await client.send(head).catch((error) => {
    if (statusOf(error) === 404) return null;
    throw error;
  });
  return there?.Metadata?.mark === mark;
}

/** Whether the store still has an upload in parts. */
export async function hasParts({ client, place, key }: Target, uploadId: string): Promise<boolean> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: place.bucket, Prefix: key }));
  return Uploads.some(({ Key, UploadId }) => Key === key && UploadId === uploadId);
}

/** What failed was done all the same where the key has our mark: a reply was lost, and it was asked again. */
async function unlessWritten(target: Target, writing: Promise<unknown>): Promise<void> {
  await writing.catch(async (error: unknown) => {
    if (!(await isWritten(target).catch(() => false))) throw error;
  });
}
