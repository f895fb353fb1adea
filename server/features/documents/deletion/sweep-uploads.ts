import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '#server/db/db.ts';
import { eq, lt } from '#server/db/drizzle.ts';
import { uploads } from '#server/db/schema.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import { objectKey } from '../upload/under-way.ts';

/** An upload that nobody has gone on with for this long is given up. */
const uploadLifeMs = 24 * 3_600_000;

export interface UploadSweepDeps {
  db: Database;
  files: FileStore;
  /** Folder with the bytes of unfinished uploads. */
  uploadsRoot: string;
}

/** Gives up what nobody goes on with. */
export function createUploadSweep({ db, files, uploadsRoot }: UploadSweepDeps) {
  return async function sweepUploads(): Promise<void> {
    await giveUpOldUploads();
    await giveUpCutOffUploads();
  };

  async function giveUpOldUploads(): Promise<void> {
    const names = await readdir(uploadsRoot).catch(() => []);
    for (const id of names) {
      const path = join(uploadsRoot, id);
      const last = await stat(path).catch(() => null);
      if (!last || Date.now() - last.mtimeMs < uploadLifeMs) continue;
      await giveUp(id);
      await rm(path, { force: true });
    }
  }

  /** Uploads whose bytes were stored when the process died, and that no client has asked for since. */
  async function giveUpCutOffUploads(): Promise<void> {
    const before = new Date(Date.now() - uploadLifeMs);
    const old = await db.asSystem((tx) =>
      tx.select({ id: uploads.id }).from(uploads).where(lt(uploads.createdAt, before)),
    );
    for (const { id } of old) {
      if (await stat(join(uploadsRoot, id)).catch(() => null)) continue;
      // Before the row is gone for good, or a crash would leave bytes that nothing names.
      await giveUp(id, (companyId) => files.delete(objectKey(companyId, id)));
    }
  }

  /** @param erase what else has to go, unless it has become a version meanwhile */
  async function giveUp(id: string, erase?: (companyId: string) => Promise<void>): Promise<void> {
    await db.asSystem(async (tx) => {
      const [gone] = await tx.delete(uploads).where(eq(uploads.id, id)).returning({ companyId: uploads.companyId });
      if (!gone) return;
      await erase?.(gone.companyId);
      await db.notify(tx, 'files', { companyId: gone.companyId, documentId: id });
    });
  }
}
