import { createHash, randomUUID } from 'node:crypto';
import { S3Error } from './error.ts';

export interface S3Object {
  content: Buffer;
  etag: string;
  written: Date;
  /** `x-amz-…` headers that come back as they were sent: metadata and how it is sealed. */
  headers: Record<string, string>;
}

export interface Bucket {
  objects: Map<string, S3Object>;
  /** Not completed: by their id. */
  uploads: Map<string, Upload>;
  versioning: string | null;
}

export interface Upload {
  key: string;
  begun: Date;
  parts: Map<number, Buffer>;
  headers: Record<string, string>;
}

/** What a store has in memory, and the rules by which it changes. */
export class Buckets {
  readonly #buckets = new Map<string, Bucket>();

  create(name: string): void {
    if (this.#buckets.has(name)) throw new S3Error(409, 'BucketAlreadyExists');
    this.#buckets.set(name, { objects: new Map(), uploads: new Map(), versioning: null });
  }

  get(name: string): Bucket {
    const bucket = this.#buckets.get(name);
    if (!bucket) throw new S3Error(404, 'NoSuchBucket');
    return bucket;
  }
}

/** @throws S3Error where it is absent, or not the one that the conditions name */
export function objectAt({ objects }: Bucket, key: string, ifMatch?: string): S3Object {
  const found = objects.get(key);
  if (!found) throw new S3Error(404, 'NoSuchKey');
  if (ifMatch !== undefined && ifMatch !== found.etag) throw new S3Error(412, 'PreconditionFailed');
  return found;
}

/** @param isNew refused where the key is taken */
export function put(
  { objects }: Bucket,
  key: string,
  content: Buffer,
  headers: Record<string, string>,
  isNew: boolean,
): S3Object {
  if (isNew && objects.has(key)) throw new S3Error(412, 'PreconditionFailed');
  const object = { content, etag: `"${md5(content)}"`, written: new Date(), headers };
  objects.set(key, object);
  return object;
}

export function begin({ uploads }: Bucket, key: string, headers: Record<string, string>): string {
  const id = randomUUID();
  uploads.set(id, { key, begun: new Date(), parts: new Map(), headers });
  return id;
}

export function uploadAt({ uploads }: Bucket, key: string, id: string): Upload {
  const upload = uploads.get(id);
  if (upload?.key !== key) throw new S3Error(404, 'NoSuchUpload');
  return upload;
}

/** Each but the last has this at least. */
const minPartBytes = 5 * 1024 * 1024;

/** Makes an object of the parts that are named, in their order. */
export function complete(
  bucket: Bucket,
  { key, id, named, isNew }: { key: string; id: string; named: { number: number; etag: string }[]; isNew: boolean },
): S3Object {
  const { parts, headers } = uploadAt(bucket, key, id);
  const chosen = named.map(({ number, etag }, index) => {
    const part = parts.get(number);
    if (!part || `"${md5(part)}"` !== etag) throw new S3Error(400, 'InvalidPart');
    if (number <= (named[index - 1]?.number ?? 0)) throw new S3Error(400, 'InvalidPartOrder');
    if (index < named.length - 1 && part.length < minPartBytes) throw new S3Error(400, 'EntityTooSmall');
    return part;
  });
  if (chosen.length === 0) throw new S3Error(400, 'MalformedXML');
  const object = put(bucket, key, Buffer.concat(chosen), headers, isNew);
  const digests = Buffer.concat(chosen.map((part) => Buffer.from(md5(part), 'hex')));
  object.etag = `"${md5(digests)}-${chosen.length}"`;
  bucket.uploads.delete(id);
  return object;
}

export function md5(content: Buffer): string {
  return createHash('md5').update(content).digest('hex');
}
