import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#contract/errors.ts';

/** The bytes of unfinished uploads: one file each in a folder, named by the upload's id, which is ours. */

export type UploadBytes = ReturnType<typeof openUploadBytes>;

export function openUploadBytes(root: string) {
  const path = (uploadId: string) => join(root, uploadId);

  /** Makes an empty file, also in place of one that is there. @throws AppError `storage-full` */
  async function create(uploadId: string): Promise<void> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    await onDisk(async () => (await open(path(uploadId), 'w', 0o600)).close());
  }

  /** Bytes that are here; null when there is no such file. */
  async function size(uploadId: string): Promise<number | null> {
    return (await stat(path(uploadId)).catch(() => null))?.size ?? null;
  }

  /**
   * Writes a piece at the offset. What arrives before a cut or a full disk stays.
   * @returns the offset after it
   * @throws AppError `storage-full`
   */
  async function append(uploadId: string, offset: number, piece: Readable): Promise<number> {
    return onDisk(async () => {
      const file = await open(path(uploadId), 'r+');
      try {
        let end = offset;
        // Left as it is when the disk fails: torn down here, it would tell the transport its own error before ours.
        for await (const bytes of piece.iterator({ destroyOnReturn: false })) {
          await writeAll(file, bytes, end);
          end += bytes.length;
        }
        await file.datasync();
        return end;
      } finally {
        await file.close();
      }
    });
  }

  /** The first bytes, `length` at most. */
  async function head(uploadId: string, length: number): Promise<Uint8Array> {
    const file = await open(path(uploadId), 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  /** Their sha-256 in hex. */
  function digest(uploadId: string): Promise<string> {
    return digestOf(createReadStream(path(uploadId)));
  }

  /** Removes them; absent is fine. */
  function remove(uploadId: string): Promise<void> {
    return rm(path(uploadId), { force: true });
  }

  return { path, create, size, append, head, digest, remove };
}

/** A disk that fills up takes a part first, and refuses at the next try. */
async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

/** The sha-256 of a stream, in hex. */
export async function digestOf(content: Readable): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(content, hash);
  return hash.digest('hex');
}

/** Full, over a quota, or beyond the file size that the system allows this process. */
const noRoom = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** A full disk is told as such: the client waits and goes on when there is room again. */
async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (noRoom.includes(code)) throw new AppError('storage-full', { cause: error });
    throw error;
  }
}
