import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { beginParts, completeParts, giveUpOne, objectOf, putPart, type Target } from './parts.ts';
import type { S3Place } from './place.ts';

/** Parts of one size, as some stores ask for; 10,000 of them are the most that a store takes: 156 GiB. */
export const partBytes = 16 * 1024 * 1024;

export interface Writing {
  client: S3Client;
  place: S3Place;
  /** With the prefix. */
  key: string;
  /** Fails with `PreconditionFailed` where the key is taken. */
  isNew?: boolean;
}

/**
 * Writes a stream of any length, whole or not at all, with one part of it in memory. Each part is sent from memory, so
 * that it can be sent again where the store asks for it.
 */
export async function write(writing: Writing, content: Readable): Promise<void> {
  const parts = inParts(content);
  const { value: first = Buffer.alloc(0) } = await parts.next();
  if (first.length === partBytes) return writeParts(writing, first, parts);
  const condition = writing.isNew ? { IfNoneMatch: '*' } : {};
  await writing.client.send(new PutObjectCommand({ ...objectOf(writing), ...condition, Body: first }));
}

async function writeParts(writing: Writing, first: Buffer, rest: AsyncIterable<Buffer>): Promise<void> {
  const { client, place, key, isNew = false } = writing;
  const target: Target = { client, place, key, isNew, mark: randomUUID() };
  const UploadId = await beginParts(target);
  try {
    const tags = [await putPart(target, UploadId, 1, first)];
    for await (const part of rest) tags.push(await putPart(target, UploadId, tags.length + 1, part));
    await completeParts(target, UploadId, tags);
  } catch (error) {
    // What can't be told now is given up by `tidy` after a day.
    await giveUpOne(target, UploadId).catch(() => {});
    throw error;
  }
}

/** A stream in pieces of one size, the last one of what is left. A piece is not touched again once it is given away. */
async function* inParts(content: Readable): AsyncGenerator<Buffer, undefined> {
  let part = Buffer.allocUnsafeSlow(partBytes);
  let filled = 0;
  for await (const bytes of content as AsyncIterable<Buffer | string>) {
    const chunk = Buffer.from(bytes as Buffer);
    for (let from = 0; from < chunk.length; ) {
      const taken = chunk.copy(part, filled, from);
      from += taken;
      filled += taken;
      if (filled < partBytes) continue;
      yield part;
      part = Buffer.allocUnsafeSlow(partBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}
