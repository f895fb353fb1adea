import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tellFull, writeAll } from '../local.ts';

/**
 * Where a part of an upload is gathered, on the disk of this machine, so that slow senders take no memory. It has no
 * name there: what a killed process was gathering is gone with it.
 */
export interface Spool {
  readonly length: number;
  add(bytes: Buffer): Promise<void>;
  /** All of it, or its beginning. */
  read(length?: number): Promise<Buffer>;
  clear(): void;
  close(): Promise<void>;
}

/**
 * @param folder is made, for our own user alone.
 * @throws AppError `storage-full` where the disk has no room, by `add`
 */
export async function openSpool(folder: string): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomUUID()}.part`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  let filled = 0;
  return {
    get length() {
      return filled;
    },
    async add(bytes) {
      await tellFull(() => writeAll(file, bytes, filled));
      filled += bytes.length;
    },
    async read(length = filled) {
      const content = Buffer.allocUnsafeSlow(Math.min(length, filled));
      for (let at = 0; at < content.length; ) {
        const { bytesRead } = await file.read(content, at, content.length - at, at);
        if (bytesRead === 0) throw new Error('a spool is shorter than what was written to it');
        at += bytesRead;
      }
      return content;
    },
    clear() {
      filled = 0;
    },
    close: () => file.close(),
  };
}
