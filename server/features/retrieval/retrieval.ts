import { inArray } from 'drizzle-orm';
import type { Filters } from '#contract/calls/answers.ts';
import type { CallOutput } from '#contract/calls.ts';
import type { Tx } from '#server/db/db.ts';
import { chunks, documents } from '#server/db/schema.ts';
import type { Candidate, SearchStore } from '#server/ports/search/port.ts';
import { createCopyCheck } from './copies.ts';
import { documentsThatFit } from './filters.ts';
import { type Context, type Question, weigh } from './question.ts';
import { type Ranked, rank } from './rank.ts';
import { createStatistics } from './statistics.ts';

export { allowedFilters } from './filters.ts';
export { type Context, type Question, weigh } from './question.ts';
export type { TermStatistics } from './statistics.ts';

/** A chunk that was found, with all that is needed to quote from it. */
export interface RetrievedPassage {
  chunkId: string;
  documentId: string;
  name: string;
  version: number;
  page: number | null;
  headingPath: string[];
  text: string;
  /** Offsets into the version's text, end exclusive. */
  start: number;
  end: number;
  firstBlock: number;
  lastBlock: number;
  /** Higher is better, and comparable between questions: about 5 where little fits, 15 a good match. */
  score: number;
  /** Share of the question's weight (by idf) whose words stand in the passage, its headings or its title: 0 to 1. */
  coverage: number;
}

export interface Found {
  /** Best first. */
  passages: RetrievedPassage[];
  question: Question;
  /** How any other text weighs in the company's documents. */
  weigh: (text: string) => Question;
}

export interface RetrievalRequest {
  text: string;
  /** What was asked before, where this may go on from it. */
  context?: readonly Context[];
  limit: number;
  filters?: Filters | undefined;
}

/** Looked up beyond those that are wanted. */
const spare = 8;
/** Asked from the engine at least: most of the ranking is ours. More cost time and bring nothing (decision 0014). */
const leastCandidates = 60;

export type Retrieval = ReturnType<typeof createRetrieval>;

export function createRetrieval({ search: store }: { search: SearchStore }) {
  const statisticsOf = createStatistics();

  /**
   * The passages that fit a question best. Runs inside the caller's transaction as the company: only chunks of live
   * documents in their current version come through, whatever the search store still holds.
   */
  async function search(tx: Tx, companyId: string, request: RetrievalRequest): Promise<Found> {
    const statistics = await statisticsOf(tx, companyId);
    const wanted = request.limit + 2 * spare;
    const question = weigh(request.text, statistics, request.context);
    const proposed = await store.search(companyId, {
      text: request.text,
      also: [...new Set([...question.weights.keys(), ...question.standIns.keys()])],
      limit: Math.max(leastCandidates, wanted),
      ...(request.filters && { documentIds: await documentsThatFit(tx, request.filters) }),
    });
    const ranked = rank(proposed, question, statistics, wanted);
    const passages: RetrievedPassage[] = [];
    const isCopy = createCopyCheck();
    // Most of the first ones are live and no copies: seldom more than one round.
    const atOnce = request.limit + spare;
    for (let i = 0; i < ranked.length && passages.length < request.limit; i += atOnce) {
      for (const { passage, candidate } of await liveOnes(tx, ranked.slice(i, i + atOnce))) {
        if (passages.length < request.limit && !isCopy(candidate)) passages.push(passage);
      }
    }
    return { passages, question, weigh: (text) => weigh(text, statistics) };
  }

  return { search };
}

/** Those that are live, in their order. */
async function liveOnes(tx: Tx, ranked: Ranked[]): Promise<{ passage: RetrievedPassage; candidate: Candidate }[]> {
  const live = await liveChunks(
    tx,
    ranked.map(({ candidate }) => candidate.id),
  );
  const byId = new Map(live.map((chunk) => [chunk.chunkId, chunk]));
  return ranked.flatMap(({ candidate, score, coverage }) => {
    const chunk = byId.get(candidate.id);
    return chunk ? [{ candidate, passage: { ...chunk, score, coverage } }] : [];
  });
}

/**
 * Those of the chunks that belong to a document's current version: this is what makes a deletion immediate. Two queries
 * by key alone: of a join, or with a condition on the deletion, PostgreSQL may well read every document of the company.
 */
async function liveChunks(tx: Tx, ids: string[]) {
  if (ids.length === 0) return [];
  const found = await tx
    .select({
      chunkId: chunks.id,
      documentId: chunks.documentId,
      version: chunks.version,
      page: chunks.page,
      headingPath: chunks.headingPath,
      text: chunks.text,
      start: chunks.start,
      end: chunks.end,
      firstBlock: chunks.firstBlock,
      lastBlock: chunks.lastBlock,
    })
    .from(chunks)
    .where(inArray(chunks.id, ids));
  if (found.length === 0) return [];
  const documentIds = [...new Set(found.map(({ documentId }) => documentId))];
  const known = await tx
    .select({
      id: documents.id,
      name: documents.name,
      version: documents.currentVersion,
      deletedAt: documents.deletedAt,
    })
    .from(documents)
    .where(inArray(documents.id, documentIds));
  const documentOf = new Map(known.flatMap((each) => (each.deletedAt === null ? [[each.id, each]] : [])));
  return found.flatMap((chunk) => {
    const document = documentOf.get(chunk.documentId);
    return document?.version === chunk.version ? [{ ...chunk, name: document.name }] : [];
  });
}

/** A passage as the contract has it. */
export function wirePassage(passage: RetrievedPassage): CallOutput<'searchPassages'>['passages'][number] {
  const page = passage.page ?? undefined;
  return {
    documentId: passage.documentId,
    name: passage.name,
    version: passage.version,
    page,
    heading: passage.headingPath.join(' › ') || undefined,
    text: passage.text,
    score: passage.score,
    url: `/documents/${passage.documentId}/${passage.version}${page === undefined ? '' : `?page=${page}`}`,
  };
}
