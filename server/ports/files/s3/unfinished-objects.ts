import { DeleteObjectCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { AppError } from '#contract/errors.ts';
import type { UnfinishedKey } from '../port.ts';
import { codeOf, statusOf } from './explain.ts';
import { completeParts, giveUpParts, hasParts, isWritten, type Target } from './parts.ts';
import type { S3Place } from './place.ts';
import { keysBelow, tailFolder } from './tidy.ts';
import type { Unfinished, UnfinishedRows } from './unfinished-rows.ts';

/** What the store says of parts that it no longer has, or has otherwise. */
export const lost = ['NoSuchUpload', 'InvalidPart'];

export interface UnfinishedObjectsDeps {
  client: S3Client;
  place: S3Place;
  rows: UnfinishedRows;
}

export type UnfinishedObjects = ReturnType<typeof unfinishedObjects>;

/**
 * Where an unfinished upload is in the store, and what is done to all of it: an upload in parts under the key that the
 * file will have, and an object below a key of its own for what is less than a part.
 */
export function unfinishedObjects({ client, place, rows }: UnfinishedObjectsDeps) {
  const { bucket: Bucket, prefix } = place;
  const keyOf = ({ companyId, uploadId }: UnfinishedKey) => `${prefix}${companyId}/${uploadId}`;
  const tailsOf = ({ companyId, uploadId }: UnfinishedKey) => `${prefix}${tailFolder}${companyId}/${uploadId}/`;
  const target = (row: Unfinished): Target => ({ client, place, key: keyOf(row), mark: row.mark, isNew: true });

  /** The store has lost the parts (a rule that ends unfinished ones): what was sent has to be sent again. */
  async function startOver(row: Unfinished, cause: unknown): Promise<never> {
    await rows.advance(row, { offset: 0, multipartId: null, parts: [], tail: null, head: null });
    throw new AppError('upload-conflict', { cause });
  }

  /**
   * Writes to the key, which is to be new. Where it is taken, it is by an earlier beginning that became no document,
   * and that makes room.
   */
  async function replacing(row: Unfinished, writing: () => Promise<void>): Promise<void> {
    await writing().catch(async (error) => {
      if (statusOf(error) !== 412 && statusOf(error) !== 409) throw error;
      await rows.holding(row, async () => {
        await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(row) }));
        await writing();
      });
    });
  }

  /** Makes the parts one object under the key. */
  async function complete(row: Unfinished, multipartId: string): Promise<void> {
    await replacing(row, () => completeParts(target(row), multipartId, row.parts)).catch(async (error) => {
      // Of parts that are gone some stores say no more than that they have failed.
      const isLost = lost.includes(codeOf(error)) || !(await hasParts(target(row), multipartId));
      if (!isLost) throw error;
      if (!(await isWritten(target(row)))) await startOver(row, error);
    });
  }

  /** Removes what the store has of it, whatever a row says. */
  async function removeThere(key: UnfinishedKey): Promise<void> {
    await giveUpParts({ client, place, key: keyOf(key) });
    for await (const Key of keysBelow(client, place, tailsOf(key)))
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
  }

  /** @throws AppError `upload-not-found` where nothing lies under the key */
  async function requireThere(Key: string): Promise<void> {
    await client.send(new HeadObjectCommand({ Bucket, Key })).catch((cause) => {
      throw statusOf(cause) === 404 ? new AppError('upload-not-found', { cause }) : cause;
    });
  }

  return { keyOf, tailsOf, target, startOver, replacing, complete, removeThere, requireThere };
}
