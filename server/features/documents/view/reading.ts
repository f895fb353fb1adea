import type { CallInput, CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Database, Reader, Tx } from '#server/db/db.ts';
import { and, asc, count, desc, eq, gte, isNotNull, isNull, lt, ne, or, sql } from '#server/db/drizzle.ts';
import { blocks, citations, documents, versions } from '#server/db/schema.ts';
import { filePath } from '../names.ts';

/** Characters before and after a quote that tell apart two places with the same words. */
const contextLength = 120;
/** More than these nobody picks from a list. */
const maxParts = 2000;

/**
 * What the document page shows, to whoever sees the document. Old versions can be read as long as their document lives.
 */
export function createReading({ db, bucket }: { db: Database; bucket: string }) {
  /** @throws AppError `file-not-found` */
  function getDocument(
    reader: Reader,
    { documentId, version, cite, at }: CallInput<'getDocument'>,
  ): Promise<CallOutput<'getDocument'>> {
    return db.asActor(reader, async (tx) => {
      const found = await versionOf(tx, documentId, version);
      const passage = cite === undefined ? placeAt(at) : await citedPlace(tx, { documentId, version, cite });
      const citation = passage && (await passageIn(tx, { documentId, version }, passage));
      const [size] = await tx
        .select({ blocks: count() })
        .from(blocks)
        .where(and(eq(blocks.documentId, documentId), eq(blocks.version, version)));
      const parts = await tx
        .select({ name: blocks.part, block: blocks.index })
        .from(blocks)
        .where(and(eq(blocks.documentId, documentId), eq(blocks.version, version), isNotNull(blocks.part)))
        .orderBy(asc(blocks.index))
        .limit(maxParts);
      return {
        documentId,
        name: found.name,
        path: filePath(reader.companyId, found.name),
        bucket,
        version,
        ...(found.currentVersion !== null && { currentVersion: found.currentVersion }),
        state: found.state,
        view: found.mediaType === 'application/pdf' ? ('pdf' as const) : ('text' as const),
        ...(found.pages !== null && { pages: found.pages }),
        blocks: size?.blocks ?? 0,
        parts: parts.map(({ name, block }) => ({ name: name ?? '', block })),
        ...(citation && { citation }),
      };
    });
  }

  /** @throws AppError `file-not-found` */
  function getReadingView(
    reader: Reader,
    { documentId, version, from, limit }: CallInput<'getReadingView'>,
  ): Promise<CallOutput<'getReadingView'>> {
    return db.asActor(reader, async (tx) => {
      await versionOf(tx, documentId, version);
      const run = await tx
        .select()
        .from(blocks)
        .where(
          and(
            eq(blocks.documentId, documentId),
            eq(blocks.version, version),
            gte(blocks.index, from),
            lt(blocks.index, from + limit),
          ),
        )
        .orderBy(asc(blocks.index));
      const header = run[0] && (await headerAbove(tx, run[0]));
      return { blocks: run.map(blockOf), ...(header && { header: blockOf(header) }) };
    });
  }

  return { getDocument, getReadingView };
}

type BlockRow = typeof blocks.$inferSelect;

function blockOf(block: BlockRow): CallOutput<'getReadingView'>['blocks'][number] {
  return {
    index: block.index,
    kind: block.kind,
    text: block.text,
    start: block.start,
    end: block.end,
    ...(block.level !== null && { level: block.level }),
    ...(block.page !== null && { page: block.page }),
    ...(block.cells !== null && { cells: block.cells }),
    ...(block.header && { header: true }),
    ...(block.running && { running: true }),
    ...(block.part !== null && { part: block.part }),
  };
}

/** The header of the table that a block continues, however many rows ago it stood. */
async function headerAbove(tx: Tx, first: BlockRow): Promise<BlockRow | undefined> {
  if (first.kind !== 'row' || first.header || first.part !== null) return undefined;
  const [start] = await tx
    .select()
    .from(blocks)
    .where(
      and(
        eq(blocks.documentId, first.documentId),
        eq(blocks.version, first.version),
        lt(blocks.index, first.index),
        or(ne(blocks.kind, 'row'), eq(blocks.header, true), isNotNull(blocks.part)),
      ),
    )
    .orderBy(desc(blocks.index))
    .limit(1);
  return start?.header ? start : undefined;
}

async function versionOf(tx: Tx, documentId: string, version: number) {
  const [found] = await tx
    .select({
      name: documents.name,
      currentVersion: documents.currentVersion,
      state: versions.state,
      mediaType: versions.mediaType,
      pages: versions.pages,
    })
    .from(versions)
    .innerJoin(documents, and(eq(documents.companyId, versions.companyId), eq(documents.id, versions.documentId)))
    .where(and(eq(versions.documentId, documentId), eq(versions.version, version), isNull(documents.deletedAt)));
  if (!found) throw new AppError('file-not-found');
  return found;
}

interface Place {
  start: number;
  end: number;
  page: number | null;
  /** Absent: whatever stands there. */
  quote?: string;
}

/** @param at as the contract has it */
function placeAt(at: string | undefined): Place | undefined {
  if (at === undefined) return undefined;
  const [start = 0, end = 0] = at.split('-').map(Number);
  return { start, end, page: null };
}

/** The cited place, or nothing when the citation is of another document or its quote is gone. */
async function citedPlace(
  tx: Tx,
  { documentId, version, cite }: { documentId: string; version: number; cite: string },
): Promise<Place | undefined> {
  const [found] = await tx
    .select()
    .from(citations)
    .where(and(eq(citations.id, cite), eq(citations.documentId, documentId), eq(citations.version, version)));
  return !found || found.quote === null ? undefined : { ...found, quote: found.quote };
}

/** What stands at a place and around it, or nothing where the document ends before. */
async function passageIn(
  tx: Tx,
  { documentId, version }: { documentId: string; version: number },
  place: Place,
): Promise<CallOutput<'getDocument'>['citation']> {
  const around = await tx
    .select({
      index: blocks.index,
      start: blocks.start,
      end: blocks.end,
      text: blocks.text,
      page: blocks.page,
      box: blocks.box,
    })
    .from(blocks)
    .where(
      and(
        eq(blocks.documentId, documentId),
        eq(blocks.version, version),
        sql`${blocks.end} > ${place.start - contextLength}`,
        sql`${blocks.start} < ${place.end + contextLength}`,
      ),
    )
    .orderBy(asc(blocks.index));
  const there = around.filter(({ start, end }) => end > place.start && start < place.end);
  const text = around.map((block) => block.text).join('\n');
  const offset = place.start - (around[0]?.start ?? 0);
  const quote =
    place.quote ?? (there.length > 0 ? text.slice(Math.max(0, offset), offset + place.end - place.start) : '');
  if (quote === '') return undefined;
  const page = place.page ?? there[0]?.page ?? null;
  return {
    quote,
    start: place.start,
    end: place.end,
    ...(page !== null && { page }),
    before: text.slice(Math.max(0, offset - contextLength), offset),
    after: text.slice(offset + quote.length, offset + quote.length + contextLength),
    block: around.find((block) => block.end > place.start)?.index ?? 0,
    boxes: there.flatMap(({ page, box }) => {
      const [left, top, right, bottom] = box ?? [];
      if (left === undefined || top === undefined || right === undefined || bottom === undefined) return [];
      return [{ page: page ?? 1, box: [left, top, right, bottom] as [number, number, number, number] }];
    }),
  };
}
