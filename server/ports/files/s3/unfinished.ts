import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { headBytes, type UnfinishedFiles, type UnfinishedKey } from '../port.ts';
import { codeOf, statusOf } from './explain.ts';
import {
  beginParts,
  completeParts,
  giveUpOne,
  giveUpParts,
  hasParts,
  isWritten,
  objectOf,
  putPart,
  putWhole,
  type Target,
} from './parts.ts';
import type { S3Place } from './place.ts';
import { createPlaces, openSpool, type Spool } from './spool.ts';
import type { Telling } from './telling.ts';
import { keysBelow, tailFolder } from './tidy.ts';
import { inParts, partOf, type Step, type Unfinished, type UnfinishedRows, unfinishedRows } from './unfinished-rows.ts';

/** Parts in memory at once, whoever sends them: that is the bound of all uploads of a process. */
const sendsAtOnce = 4;

/** What the store says of parts that it no longer has, or has otherwise. */
const lost = ['NoSuchUpload', 'InvalidPart'];

export interface UnfinishedDeps {
  client: S3Client;
  place: S3Place;
  db: Database;
  telling: Telling;
  /** On the disk of this machine: a part is gathered there. */
  folder: string;
  /** Removes what killed processes have left, now and then. */
  tidy: () => Promise<void>;
}

/**
 * Unfinished uploads in a store that speaks S3: an upload in parts under the key that the file will have, and where it
 * stands in the database. Nothing is copied at the end, and any process goes on with any upload.
 */
export function unfinishedOnS3({ client, place, db, telling, folder, tidy }: UnfinishedDeps): UnfinishedFiles {
  const rows: UnfinishedRows = unfinishedRows(db);
  const inTurn = createPlaces(sendsAtOnce);
  const { bucket: Bucket, prefix } = place;
  const keyOf = ({ companyId, uploadId }: UnfinishedKey) => `${prefix}${companyId}/${uploadId}`;
  const tailsOf = ({ companyId, uploadId }: UnfinishedKey) => `${prefix}${tailFolder}${companyId}/${uploadId}/`;
  const target = (row: Unfinished): Target => ({ client, place, key: keyOf(row), mark: row.mark, isNew: true });

  /** What is there of the part that is not full yet. @throws AppError `upload-conflict` where the store has lost it */
  async function fetchTail(row: Unfinished, spool: Spool): Promise<void> {
    if (row.tail === null) return;
    const length = row.offset - inParts(row);
    try {
      const { Body } = await client.send(
        new GetObjectCommand({ Bucket, Key: row.tail, Range: `bytes=0-${length - 1}` }),
      );
      if (!(Body instanceof Readable)) throw new Error('the file store sent no body');
      for await (const bytes of Body) await spool.add(bytes);
      if (spool.length !== length) throw new Error('the file store broke off');
    } catch (error) {
      if (codeOf(error) !== 'NoSuchKey') throw error;
      await rows.advance(row, { offset: inParts(row), tail: null });
      throw new AppError('upload-conflict', { cause: error });
    }
  }

  /** Sends what was gathered as the next part, or as all of it, and writes it down. */
  async function sendPart(row: Unfinished, spool: Spool): Promise<Unfinished> {
    const body = await spool.read();
    const offset = inParts(row) + body.length;
    if (body.length === row.size) {
      await replacing(row, () => putWhole(target(row), body));
      return keep(row, { offset, tail: null, head: body.subarray(0, headBytes) });
    }
    let begun = row;
    if (begun.multipartId === null) {
      const multipartId = await beginParts(target(row));
      // Before the first part: what a killed process has begun is found again.
      begun = await rows.advance(row, { multipartId }).catch(async (error) => {
        await giveUpOne(target(row), multipartId);
        throw error;
      });
    }
    const { parts } = begun;
    const tag = await putPart(target(begun), begun.multipartId ?? '', parts.length + 1, body).catch((error) =>
      lost.includes(codeOf(error)) ? startOver(begun, error) : Promise.reject(error),
    );
    const isFirst = parts.length === 0;
    return keep(begun, {
      offset,
      parts: [...parts, tag],
      tail: null,
      ...(isFirst && { head: body.subarray(0, headBytes) }),
    });
  }

  /** Keeps what was gathered of a part that is not full, when nothing more comes for now. */
  async function sendTail(row: Unfinished, spool: Spool): Promise<Unfinished> {
    const body = await spool.read();
    // A name of its own, so that what is written down is there until the next is written down.
    const tail = tailsOf(row) + randomUUID();
    await client.send(new PutObjectCommand({ ...objectOf({ place, key: tail }), Body: body }));
    const isFirst = row.parts.length === 0;
    const offset = inParts(row) + body.length;
    return keep(row, { offset, tail, ...(isFirst && { head: body.subarray(0, headBytes) }) });
  }

  /** Writes a step down, and removes the tail that it has made of no use. */
  async function keep(row: Unfinished, step: Step): Promise<Unfinished> {
    const kept = await rows.advance(row, step);
    // What can't be told now is given up by `tidy` after a day.
    if (row.tail !== null) await client.send(new DeleteObjectCommand({ Bucket, Key: row.tail })).catch(() => {});
    return kept;
  }

  /** The store has lost the parts (a rule that ends unfinished ones): what was sent has to be sent again. */
  async function startOver(row: Unfinished, cause: unknown): Promise<never> {
    await rows.advance(row, { offset: 0, multipartId: null, parts: [], tail: null, head: null });
    throw new AppError('upload-conflict', { cause });
  }

  /**
   * Writes to the key, which is to be new. Where it is taken, it is by an earlier beginning that became no document, and
   * that makes room.
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

  async function requireThere(Key: string): Promise<void> {
    await client.send(new HeadObjectCommand({ Bucket, Key })).catch((cause) => {
      throw statusOf(cause) === 404 ? new AppError('upload-not-found', { cause }) : cause;
    });
  }

  async function remove(key: UnfinishedKey): Promise<void> {
    const row = await rows.remove(key);
    // Refused as it began: there is nothing.
    if (row?.offset === 0 && row.multipartId === null) return;
    await removeThere(key);
  }

  return {
    isLocal: false,

    create: (key, size) =>
      telling(keyOf(key), async () => {
        while (!(await rows.insert(key, size))) await remove(key);
      }),

    size: async (key) => (await rows.find(key))?.offset ?? null,
    sizes: rows.offsets,
    head: async (key) => (await rows.find(key))?.head ?? Buffer.alloc(0),

    append: (key, offset, piece) =>
      telling(keyOf(key), async () => {
        let row = await rows.find(key);
        if (row?.offset !== offset) throw new AppError('upload-conflict');
        const part = partOf(row.size);
        const spool = await openSpool(folder);
        let isKept = true;
        try {
          await fetchTail(row, spool);
          try {
            // Left as it is when the store fails: torn down here, it would tell the transport its own error before ours.
            for await (const bytes of piece.iterator({ destroyOnReturn: false })) {
              for (let from = 0; from < bytes.length; ) {
                const taken: Buffer = bytes.subarray(from, from + part - spool.length);
                isKept = false;
                await spool.add(taken);
                from += taken.length;
                const isLast = inParts(row) + spool.length === row.size;
                if (spool.length < part && !isLast) continue;
                isKept = true;
                const before: Unfinished = row;
                row = await inTurn(() => sendPart(before, spool));
                spool.clear();
              }
            }
          } finally {
            const before = row;
            if (!isKept) row = await inTurn(() => sendTail(before, spool));
          }
          return row.offset;
        } finally {
          await spool.close();
        }
      }),

    store: (key, fileKey) =>
      telling(fileKey, async () => {
        if (prefix + fileKey !== keyOf(key)) throw new Error('an upload is stored where its parts are');
        const row = await rows.find(key);
        if (!row) return requireThere(keyOf(key));
        if (row.offset !== row.size) throw new AppError('upload-conflict');
        const { multipartId } = row;
        if (multipartId !== null) await complete(row, multipartId);
        await rows.removeAt(row);
      }),

    remove: (key) => telling(keyOf(key), () => remove(key)),

    async idle(before) {
      await telling(prefix, tidy);
      const found = await rows.idle(before);
      return found.map((key) => ({
        uploadId: key.uploadId,
        remove: () => telling(keyOf(key), () => remove(key)),
      }));
    },
  };
}
