import type { Database } from '#server/db/db.ts';
import { eq, lt } from '#server/db/drizzle.ts';
import { uploads } from '#server/db/schema.ts';
import type { FileStore, UnfinishedFiles } from '#server/ports/files/port.ts';
import { objectKey } from '../upload/under-way.ts';
import type { UploadLocks } from '../upload/upload-locks.ts';

/** An upload that nobody has gone on with for this long is given up. */
const uploadLifeMs = 24 * 3_600_000;

export interface UploadSweepDeps {
  db: Database;
  files: FileStore;
  /** The bytes of unfinished uploads. */
  bytes: UnfinishedFiles;
  locks: Pick<UploadLocks, 'ifFree'>;
}

/** Gives up what nobody goes on with. */
export function createUploadSweep({ db, files, bytes, locks }: UploadSweepDeps) {
  return async function sweepUploads(): Promise<void> {
    await giveUpOldUploads();
    await giveUpCutOffUploads();
  };

  async function giveUpOldUploads(): Promise<void> {
    for (const { uploadId, remove } of await bytes.idle(new Date(Date.now() - uploadLifeMs))) {
      await locks.ifFree(uploadId, async () => {
        await giveUp(uploadId);
        await remove();
      });
    }
  }

  /** Uploads whose bytes were stored when the process died, and that no client has asked for since. */
  async function giveUpCutOffUploads(): Promise<void> {
    const before = new Date(Date.now() - uploadLifeMs);
    const old = await db.asSystem((tx) =>
      tx.select({ id: uploads.id, companyId: uploads.companyId }).from(uploads).where(lt(uploads.createdAt, before)),
    );
    for (const { id, companyId } of old) {
      // One that is being finished at this moment is left to whoever does.
      await locks.ifFree(id, async () => {
        if ((await bytes.size({ companyId, uploadId: id })) !== null) return;
        // Before the row is gone for good, or a crash would leave bytes that nothing names.
        await giveUp(id, () => files.delete(objectKey(companyId, id)));
      });
    }
  }

  /** @param erase what else has to go, unless it has become a version meanwhile */
  async function giveUp(id: string, erase?: () => Promise<void>): Promise<void> {
    await db.asSystem(async (tx) => {
      const [gone] = await tx.delete(uploads).where(eq(uploads.id, id)).returning({ companyId: uploads.companyId });
      if (!gone) return;
      await erase?.();
      await db.notify(tx, 'files', { companyId: gone.companyId, documentId: id });
    });
  }
}
