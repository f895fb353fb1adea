import { createWriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DeleteObjectCommand, GetObjectCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { createTurns } from '#server/lib/turns.ts';

export interface Listed {
  /** Without the prefix of the place. */
  key: string;
  size: number;
}

export type Objects = ReturnType<typeof objectsOf>;

const atOnce = 8;

/** The files of search tables below a prefix, none of which ever changes. */
export function objectsOf(client: S3Client, { bucket: Bucket, prefix }: { bucket: string; prefix: string }) {
  const { inTurn } = createTurns(atOnce);

  async function list(start: string): Promise<Listed[]> {
    const found: Listed[] = [];
    for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix + start }))
      for (const { Key = '', Size = 0 } of page.Contents ?? [])
        found.push({ key: Key.slice(prefix.length), size: Size });
    return found;
  }

  return {
    list,

    /** Copies objects below a folder, each whole or not at all. */
    async fetch(keys: readonly string[], folder: string): Promise<void> {
      await Promise.all(keys.map((key) => inTurn(() => fetchOne(key, `${folder}/${key}`))));
    },

    /** Removes everything that begins so, but for what begins with one of those to keep. */
    async remove(start: string, keep: readonly string[] = []): Promise<void> {
      const gone = (await list(start)).filter(({ key }) => !keep.some((each) => key.startsWith(each)));
      await Promise.all(
        gone.map(({ key }) => inTurn(() => client.send(new DeleteObjectCommand({ Bucket, Key: prefix + key })))),
      );
    },
  };

  async function fetchOne(key: string, path: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: prefix + key }));
    await pipeline(Body as Readable, createWriteStream(`${path}.part`));
    await rename(`${path}.part`, path);
  }
}
