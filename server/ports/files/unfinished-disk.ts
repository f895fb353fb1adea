import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { tellFull, writeAll } from './local.ts';
import { checkedKey, type FileStore, headBytes, type UnfinishedFiles } from './port.ts';

/**
 * Unfinished uploads on the disk of this machine: one file each in a folder, named by the upload's id.
 * @param files where they go when they are whole: renamed, where that is on the same disk
 */
export function unfinishedOnDisk({ root, files }: { root: string; files: FileStore }): UnfinishedFiles {
  const path = (uploadId: string) => join(root, checkedKey(uploadId));

  async function size(uploadId: string): Promise<number | null> {
    return (await stat(path(uploadId)).catch(() => null))?.size ?? null;
  }

  return {
    isLocal: true,

    async create({ uploadId }) {
      await mkdir(root, { recursive: true, mode: 0o700 });
      await tellFull(async () => (await open(path(uploadId), 'w', 0o600)).close());
    },

    size: ({ uploadId }) => size(uploadId),

    async sizes(_tx, uploadIds) {
      const found = await Promise.all(uploadIds.map(async (id) => [id, await size(id)] as const));
      return new Map(found.flatMap(([id, bytes]) => (bytes === null ? [] : [[id, bytes] as const])));
    },

    append: ({ uploadId }, offset, piece) =>
      tellFull(async () => {
        const file = await open(path(uploadId), 'r+');
        try {
          if ((await file.stat()).size !== offset) throw new AppError('upload-conflict');
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
      }),

    async head({ uploadId }) {
      const file = await open(path(uploadId), 'r');
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },

    async store({ uploadId }, fileKey) {
      if ((await size(uploadId)) !== null) return files.putFile(fileKey, path(uploadId));
      const isThere = (await files.list(fileKey)).includes(fileKey);
      if (!isThere) throw new AppError('upload-not-found');
    },

    remove: ({ uploadId }) => rm(path(uploadId), { force: true }),

    async idle(before) {
      const names = await readdir(root).catch(() => []);
      const found = await Promise.all(
        names.map(async (uploadId) => ({ uploadId, last: await stat(join(root, uploadId)).catch(() => null) })),
      );
      return found
        .filter(({ last }) => last !== null && last.mtimeMs <= before.getTime())
        .map(({ uploadId }) => ({ uploadId, remove: () => rm(join(root, uploadId), { force: true }) }));
    },
  };
}
