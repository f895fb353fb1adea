import type { FileHandle } from 'node:fs/promises';
import { AppError } from '#contract/errors.ts';

/** A disk that fills up takes a part first, and refuses at the next try. */
export async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

/** Full, over a quota, or beyond the file size that the system allows this process. */
const noRoom = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** A full disk is told as such: the client waits and goes on when there is room again. */
export async function tellFull<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (noRoom.includes(code)) throw new AppError('storage-full', { cause: error });
    throw error;
  }
}
