import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { digestOf } from '#server/lib/digest.ts';
import { checkedKey, type FileStore, isKey, type UnfinishedFiles } from './port.ts';
import { checkStore } from './s3/check.ts';
import { clientOf } from './s3/client.ts';
import { codeOf, setOf, statusOf } from './s3/explain.ts';
import type { S3Place } from './s3/place.ts';
import { resuming } from './s3/resuming.ts';
import { createTelling } from './s3/telling.ts';
import { type InUse, tidy } from './s3/tidy.ts';
import { unfinishedOnS3 } from './s3/unfinished.ts';
import { unfinishedRows } from './s3/unfinished-rows.ts';
import { write } from './s3/write.ts';

export interface S3Files extends FileStore {
  /**
   * Unfinished uploads of the same place.
   * @param folder on the disk of this machine, where parts are gathered
   */
  unfinished(options: { db: Database; folder: string }): UnfinishedFiles;
  /**
   * Does once what the service will do.
   * @throws CannotStart in one sentence that says what to set
   */
  check(): Promise<void>;
  close(): void;
}

export interface S3Options {
  /** Told once that the store fails, and once that it answers again. */
  log?: Parameters<typeof createTelling>[0];
  /** A connection on which nothing comes for so long is given up. */
  idleMs?: number;
  /** How often each request is sent at most. */
  tries?: number;
}

const tidyEveryMs = 24 * 3_600_000;

/**
 * Files below a prefix of a bucket. A key is there whole or not at all, since S3 shows an object once it is complete.
 * A store that does not answer, or fails after some tries, is AppError `unavailable`.
 */
export function s3Files(place: S3Place, { log, idleMs = 60_000, tries = 4 }: S3Options = {}): S3Files {
  const telling = createTelling(log);
  const client = clientOf(place, { idleMs, tries });
  const { bucket: Bucket, prefix } = place;
  const inBucket = (key: string) => prefix + checkedKey(key);
  let tidied = 0;
  // Known once it is known where unfinished uploads stand: nothing that somebody may go on with is removed.
  let inUse: InUse | undefined;

  async function get(key: string, range: { start: number; end: number } | undefined): Promise<Readable> {
    const Key = inBucket(key);
    const Range = range && `bytes=${range.start}-${range.end}`;
    const { Body, ContentLength, ETag } = await client.send(new GetObjectCommand({ Bucket, Key, Range }));
    const length = setOf(ContentLength);
    const first = range?.start ?? 0;
    return resuming(asReadable(Body), length, (from) =>
      telling(key, async () => {
        const rest = { Range: `bytes=${first + from}-${first + length - 1}`, IfMatch: ETag };
        return asReadable((await client.send(new GetObjectCommand({ Bucket, Key, ...rest }))).Body);
      }),
    );
  }

  /** Once a day and process, when something is written. */
  async function tidyNow(): Promise<void> {
    if (!inUse || Date.now() - tidied < tidyEveryMs) return;
    tidied = Date.now();
    await tidy(client, place, { inUse });
  }

  return {
    name: 's3',

    async put(key, content) {
      try {
        const name = inBucket(key);
        await telling(key, async () => {
          await tidyNow();
          await write({ client, place, key: name }, content);
        });
      } finally {
        // What failed before the first byte was read leaves the other end open otherwise.
        content.destroy();
      }
    },

    async putFile(key, path) {
      const writing = { client, place, key: inBucket(key) };
      await stat(path);
      await telling(key, async () => {
        await tidyNow();
        try {
          await write({ ...writing, isNew: true }, createReadStream(path));
        } catch (error) {
          // Another process, or this one before it was killed or the reply was lost, has stored it: it stays as it is.
          // Other bytes are of an upload that began anew before any version named them, and are replaced.
          if (statusOf(error) !== 412 && statusOf(error) !== 409) throw error;
          if (!(await isSame(await get(key, undefined), path))) await write(writing, createReadStream(path));
        }
      });
      await rm(path);
    },

    get: (key, range) =>
      telling(key, () => get(key, range)).catch((error) => {
        // A range that begins behind the end has no bytes.
        if (error instanceof AppError && codeOf(error.cause) === 'InvalidRange') return Readable.from([]);
        throw error;
      }),

    size: (key) =>
      telling(key, async () => {
        const Key = inBucket(key);
        try {
          return setOf((await client.send(new HeadObjectCommand({ Bucket, Key }))).ContentLength);
        } catch (error) {
          // The reply has no words: where the bucket is gone nothing is known of the file.
          if (statusOf(error) === 404)
            await client.send(new HeadBucketCommand({ Bucket })).catch((cause) => {
              throw new AppError('unavailable', { cause });
            });
          throw error;
        }
      }),

    delete: (key) =>
      telling(key, async () => {
        await client.send(new DeleteObjectCommand({ Bucket, Key: inBucket(key) }));
      }),

    list: (start) =>
      telling(start, async () => {
        const keys: string[] = [];
        for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix + start }))
          for (const { Key = '' } of page.Contents ?? []) keys.push(Key.slice(prefix.length));
        return keys.filter(isKey);
      }),

    check: () => checkStore(client, place),

    unfinished({ db, folder }) {
      inUse = unfinishedRows(db).named;
      return unfinishedOnS3({ client, place, db, telling, folder, tidy: tidyNow });
    },

    close: () => client.destroy(),
  };
}

function asReadable(body: unknown): Readable {
  if (!(body instanceof Readable)) throw new Error('the file store sent no body');
  return body;
}

async function isSame(stored: Readable, path: string): Promise<boolean> {
  return (await digestOf(stored)) === (await digestOf(createReadStream(path)));
}
