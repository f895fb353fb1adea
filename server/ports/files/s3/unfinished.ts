import type { S3Client } from '@aws-sdk/client-s3';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { createTurns } from '#server/lib/turns.ts';
import type { UnfinishedFiles, UnfinishedKey } from '../port.ts';
import type { S3Place } from './place.ts';
import { openSpool } from './spool.ts';
import type { Telling } from './telling.ts';
import { unfinishedObjects } from './unfinished-objects.ts';
import { inParts, partOf, type Unfinished, unfinishedRows } from './unfinished-rows.ts';
import { sendingOf } from './unfinished-sending.ts';

/** Parts in memory at once, whoever sends them: that is the bound of all uploads of a process. */
const sendsAtOnce = 4;

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
  const { prefix } = place;
  const rows = unfinishedRows(db);
  const { inTurn } = createTurns(sendsAtOnce);
  const objects = unfinishedObjects({ client, place, rows });
  const { keyOf } = objects;
  const { fetchTail, sendPart, sendTail } = sendingOf({ client, place, rows }, objects);

  async function remove(key: UnfinishedKey): Promise<void> {
    const row = await rows.remove(key);
    // Refused as it began: there is nothing.
    if (row?.offset === 0 && row.multipartId === null) return;
    await objects.removeThere(key);
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
            // Left as it is when the store fails: torn down here, it would tell the transport its own error before
            // ours.
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
        if (!row) return objects.requireThere(keyOf(key));
        if (row.offset !== row.size) throw new AppError('upload-conflict');
        const { multipartId } = row;
        if (multipartId !== null) await objects.complete(row, multipartId);
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
