import { AppError } from '#contract/errors.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, isNull, ne, sql } from '#server/db/drizzle.ts';
import { documents, uploads, versions } from '#server/db/schema.ts';
import type { Disk } from '#server/lib/disk.ts';
import { ownStorage } from '../locks.ts';

/** What a company may store, and whether the disk has room for it. */
export type Storage = ReturnType<typeof createStorage>;

/** Uploads under way of one company: more than these nobody looks through, and each takes a row and a file. */
export const maxUnderWay = 1000;

/** @param companyBytes what one company may have */
export function createStorage({ db, disk, companyBytes }: { db: Database; disk: Disk; companyBytes: number }) {
  return {
    /** What the company's admins are shown. */
    async stateOf(companyId: string): Promise<{ usedBytes: number; allowedBytes: number; diskIsLow: boolean }> {
      const usedBytes = await db.asCompany(companyId, usedIn);
      return { usedBytes, allowedBytes: companyBytes, diskIsLow: (await disk.look()).isLow };
    },

    /**
     * Makes sure that one more upload of this size fits, until the transaction ends: those that begin at once come one
     * after the other.
     * @throws AppError `company-storage-full`, `too-many-uploads`
     */
    async requireRoom(tx: Tx, companyId: string, upload: { id: string; size: number }): Promise<void> {
      await ownStorage(tx, companyId);
      const others = and(isNull(uploads.documentId), ne(uploads.id, upload.id));
      if ((await tx.$count(uploads, others)) >= maxUnderWay) throw new AppError('too-many-uploads');
      const usedBytes = await usedIn(tx, upload.id);
      if (usedBytes + upload.size > companyBytes) throw full({ usedBytes, allowedBytes: companyBytes, ...upload });
    },

    /** Bytes that the company may still store, until the transaction ends. */
    async roomIn(tx: Tx, companyId: string): Promise<number> {
      await ownStorage(tx, companyId);
      return companyBytes - (await usedIn(tx));
    },

    /**
     * Makes sure that the disk keeps its floor, also with so many bytes more.
     * @throws AppError `storage-full`
     */
    async requireDisk(bytes = 0): Promise<void> {
      const { freeBytes, minFreeBytes } = await disk.look();
      if (freeBytes < minFreeBytes + bytes) throw disk.refuse();
    },
  };
}

/**
 * Bytes of every version that is kept, and what unfinished uploads have declared. Versions that were read again share
 * their bytes with the one before. What was deleted does not count, since its bytes are about to go.
 */
async function usedIn(tx: Tx, exceptUpload = ''): Promise<number> {
  const kept = tx
    .selectDistinct({ key: versions.objectKey, size: versions.size })
    .from(versions)
    .innerJoin(documents, and(eq(documents.companyId, versions.companyId), eq(documents.id, versions.documentId)))
    .where(isNull(documents.deletedAt))
    .as('kept');
  const [stored] = await tx.select({ bytes: sql`coalesce(sum(${kept.size}), 0)`.mapWith(Number) }).from(kept);
  const [declared] = await tx
    .select({ bytes: sql`coalesce(sum(${uploads.size}), 0)`.mapWith(Number) })
    .from(uploads)
    .where(and(isNull(uploads.documentId), ne(uploads.id, exceptUpload)));
  return (stored?.bytes ?? 0) + (declared?.bytes ?? 0);
}

function full({ usedBytes, allowedBytes, size }: { usedBytes: number; allowedBytes: number; size: number }): AppError {
  return new AppError('company-storage-full', {
    message: `Your company uses ${inWords(usedBytes)} of ${inWords(allowedBytes)}, and this file needs ${inWords(size)}. Please delete files that are no longer needed.`,
    details: { usedBytes, allowedBytes, neededBytes: size },
  });
}

/** In the units that screens show sizes in. */
function inWords(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const value = bytes / 1000 ** power;
  return `${value.toLocaleString('en', { maximumFractionDigits: power > 2 ? 2 : 1 })} ${units[power]}`;
}
