import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { AppError } from '#contract/errors.ts';
import { headBytes } from '../port.ts';
import { codeOf } from './explain.ts';
import { beginParts, giveUpOne, objectOf, putPart, putWhole } from './parts.ts';
import type { Spool } from './spool.ts';
import { lost, type UnfinishedObjects, type UnfinishedObjectsDeps } from './unfinished-objects.ts';
import { inParts, type Step, type Unfinished } from './unfinished-rows.ts';

/** Sends what was gathered of an unfinished upload, and writes each step down after it was taken. */
export function sendingOf({ client, place, rows }: UnfinishedObjectsDeps, objects: UnfinishedObjects) {
  const { bucket: Bucket } = place;
  const { target, tailsOf, replacing, startOver } = objects;

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

  return { fetchTail, sendPart, sendTail };
}
