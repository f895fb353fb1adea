import { randomUUID } from 'node:crypto';
import { AppError } from '#contract/errors.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, inArray, isNull, lt, sql } from '#server/db/drizzle.ts';
import { uploadBytes } from '#server/db/schema.ts';
import type { UnfinishedKey } from '../port.ts';

export type Unfinished = typeof uploadBytes.$inferSelect;
/** What a step changes. */
export type Step = Partial<Pick<Unfinished, 'offset' | 'multipartId' | 'parts' | 'tail' | 'head'>>;

const mib = 1024 * 1024;
/** Parts are of one size, as some stores ask for: this one, unless more than 10,000 of them would be needed. */
const usualPart = 8 * mib;
const maxParts = 10_000;

/** The size of each part but the last one. */
export function partOf(size: number): number {
  return Math.max(usualPart, Math.ceil(size / maxParts / mib) * mib);
}

/** Bytes that are in its parts. */
export function inParts({ parts, size }: Unfinished): number {
  return parts.length * partOf(size);
}

export type UnfinishedRows = ReturnType<typeof unfinishedRows>;

/**
 * Where each unfinished upload stands: what stands here is kept, and nothing else. Every step says from where it goes,
 * so that of two processes that would go on with one upload one is told that it comes too late.
 */
export function unfinishedRows(db: Database) {
  return {
    async find({ companyId, uploadId }: UnfinishedKey): Promise<Unfinished | null> {
      const [row] = await db.asCompany(companyId, (tx) =>
        tx.select().from(uploadBytes).where(eq(uploadBytes.uploadId, uploadId)),
      );
      return row ?? null;
    },

    async offsets(tx: Tx, uploadIds: readonly string[]): Promise<Map<string, number>> {
      const found = await tx
        .select({ id: uploadBytes.uploadId, offset: uploadBytes.offset })
        .from(uploadBytes)
        .where(inArray(uploadBytes.uploadId, [...uploadIds]));
      return new Map(found.map(({ id, offset }) => [id, offset]));
    },

    /** @returns false where one is there already */
    async insert({ companyId, uploadId }: UnfinishedKey, size: number): Promise<boolean> {
      const row = { companyId, uploadId, size, mark: randomUUID() };
      const made = await db.asCompany(companyId, (tx) =>
        tx.insert(uploadBytes).values(row).onConflictDoNothing().returning({ mark: uploadBytes.mark }),
      );
      return made.length > 0;
    },

    /**
     * Writes down what is kept after a step.
     * @returns the row as it is now
     * @throws AppError `upload-conflict` where it no longer stands where the step began
     */
    async advance(from: Unfinished, step: Step): Promise<Unfinished> {
      const [row] = await db.asCompany(from.companyId, (tx) =>
        tx
          .update(uploadBytes)
          .set({ ...step, touchedAt: sql`now()` })
          .where(stillAt(from))
          .returning(),
      );
      if (!row) throw new AppError('upload-conflict');
      return row;
    },

    /** Does something while nobody can begin it anew. @throws AppError `upload-conflict` where somebody has */
    async holding<T>(from: Unfinished, work: () => Promise<T>): Promise<T> {
      return db.asCompany(from.companyId, async (tx) => {
        const [row] = await tx.select({ mark: uploadBytes.mark }).from(uploadBytes).where(stillAt(from)).for('update');
        if (!row) throw new AppError('upload-conflict');
        return work();
      });
    },

    /** @returns what stood there */
    async remove({ companyId, uploadId }: UnfinishedKey): Promise<Unfinished | null> {
      const [row] = await db.asCompany(companyId, (tx) =>
        tx.delete(uploadBytes).where(eq(uploadBytes.uploadId, uploadId)).returning(),
      );
      return row ?? null;
    },

    /** Removes it as it stood, and no later beginning. */
    async removeAt(from: Unfinished): Promise<void> {
      await db.asCompany(from.companyId, (tx) => tx.delete(uploadBytes).where(stillAt(from)));
    },

    async idle(before: Date): Promise<UnfinishedKey[]> {
      return db.asSystem((tx) =>
        tx
          .select({ companyId: uploadBytes.companyId, uploadId: uploadBytes.uploadId })
          .from(uploadBytes)
          .where(lt(uploadBytes.touchedAt, before)),
      );
    },

    /** Those of the store's names of uploads in parts, and of tails, that a row names. */
    async named({ multipartIds, tails }: { multipartIds: string[]; tails: string[] }): Promise<Set<string>> {
      const rows = await db.asSystem((tx) =>
        tx
          .select({ multipartId: uploadBytes.multipartId, tail: uploadBytes.tail })
          .from(uploadBytes)
          .where(
            sql`${uploadBytes.multipartId} = any(${sql.param(multipartIds)}) or ${uploadBytes.tail} = any(${sql.param(tails)})`,
          ),
      );
      return new Set(rows.flatMap(({ multipartId, tail }) => [multipartId ?? [], tail ?? []].flat()));
    },
  };
}

function stillAt({ companyId, uploadId, mark, offset, multipartId }: Unfinished) {
  return and(
    eq(uploadBytes.companyId, companyId),
    eq(uploadBytes.uploadId, uploadId),
    eq(uploadBytes.mark, mark),
    eq(uploadBytes.offset, offset),
    multipartId === null ? isNull(uploadBytes.multipartId) : eq(uploadBytes.multipartId, multipartId),
  );
}
