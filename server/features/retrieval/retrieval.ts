import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Tx } from '#server/db/db.ts';
import { chunks, documents } from '#server/db/schema.ts';
import { analyze, isStopTerm } from '#server/lib/analyze.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { createStatistics, type TermStatistics } from './statistics.ts';

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
  /** Higher is better; comparable within one search. */
  score: number;
  /** Share of the question's weight (by idf) whose words stand in the passage, its headings or its title: 0 to 1. */
  coverage: number;
}

export interface Found {
  /** Best first. */
  passages: RetrievedPassage[];
  question: Question;
}

/** The question as its terms, each with its weight. */
export interface Question {
  weights: Map<string, number>;
  /** Sum of the weights. */
  total: number;
}

export interface RetrievalRequest {
  text: string;
  limit: number;
  documentIds?: string[] | undefined;
}

/** Asked from the engine for every passage wanted: most of the ranking is ours. */
const candidates = 100;
/** BM25's parameters at their usual values (Robertson and Zaragoza 2009). */
const k1 = 1.2;
const b = 0.75;
/** What a match in a heading or in the file's name counts, beside one in the text. */
const headingWeight = 1.5;
const titleWeight = 1;
/** How much words that stand close together add, and how much a question matched only in part loses. */
const proximityWeight = 0.25;
const coverageWeight = 0.5;

export type Retrieval = ReturnType<typeof createRetrieval>;

export function createRetrieval({ search: store }: { search: SearchStore }) {
  const statisticsOf = createStatistics();

  /**
   * The passages that fit a question best. Runs inside the caller's transaction as the company: only chunks of live
   * documents in their current version come through, whatever the search store still holds.
   */
  async function search(tx: Tx, companyId: string, request: RetrievalRequest): Promise<Found> {
    const [statistics, proposed] = await Promise.all([
      statisticsOf(tx, companyId),
      store.search(companyId, {
        text: request.text,
        limit: candidates,
        ...(request.documentIds && { documentIds: request.documentIds }),
      }),
    ]);
    const question = weigh(request.text, statistics);
    if (proposed.length === 0) return { passages: [], question };
    const rows = await tx
      .select({
        chunkId: chunks.id,
        documentId: chunks.documentId,
        name: documents.name,
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
      .innerJoin(documents, and(eq(documents.companyId, chunks.companyId), eq(documents.id, chunks.documentId)))
      .where(
        and(
          inArray(
            chunks.id,
            proposed.map(({ id }) => id),
          ),
          isNull(documents.deletedAt),
          eq(chunks.version, documents.currentVersion),
        ),
      );
    const ranked = rows
      .map((row) => ({ ...row, ...rate(row, question, statistics) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || one.start - other.start);
    return { passages: withoutCopies(ranked).slice(0, request.limit), question };
  }

  return { search };
}

/** Stop words count only where there is nothing else to go by. */
function weigh(text: string, statistics: TermStatistics): Question {
  const terms = [...new Set(analyze(text))];
  const telling = terms.filter((term) => !isStopTerm(term));
  const weights = new Map((telling.length > 0 ? telling : terms).map((term) => [term, statistics.idf(term)]));
  return { weights, total: [...weights.values()].reduce((sum, weight) => sum + weight, 0) };
}

/** BM25F: matches in title, heading and text are added up before they saturate; then closeness and coverage. */
function rate(
  chunk: { name: string; headingPath: string[]; text: string },
  { weights, total }: Question,
  statistics: TermStatistics,
): { score: number; coverage: number } {
  const body = analyze(chunk.text);
  const heading = new Set(analyze(chunk.headingPath.join(' ')));
  const title = new Set(analyze(chunk.name));
  const positions = new Map<string, number[]>();
  for (const [position, term] of body.entries()) {
    if (!weights.has(term)) continue;
    const known = positions.get(term);
    if (known) known.push(position);
    else positions.set(term, [position]);
  }
  const norm = 1 - b + b * (body.length / statistics.averageLength);
  let score = 0;
  let covered = 0;
  for (const [term, weight] of weights) {
    const frequency =
      (positions.get(term)?.length ?? 0) / norm +
      (heading.has(term) ? headingWeight : 0) +
      (title.has(term) ? titleWeight : 0);
    if (frequency === 0) continue;
    score += (weight * frequency * (k1 + 1)) / (frequency + k1);
    covered += weight;
  }
  const coverage = total === 0 ? 0 : covered / total;
  const close = proximity(positions, weights);
  return { score: score * (1 - coverageWeight + coverageWeight * coverage) * (1 + proximityWeight * close), coverage };
}

/** How close the question's words stand to each other, weighed by their rarity: 0 to 1. */
function proximity(positions: Map<string, number[]>, weights: Map<string, number>): number {
  const found = [...positions.entries()];
  if (found.length < 2) return 0;
  let sum = 0;
  let most = 0;
  for (const [i, [term, places]] of found.entries()) {
    for (const [other, otherPlaces] of found.slice(i + 1)) {
      const weight = Math.min(weights.get(term) ?? 0, weights.get(other) ?? 0);
      sum += weight / nearest(places, otherPlaces);
      most += weight;
    }
  }
  return most === 0 ? 0 : sum / most;
}

/** The least distance between two sorted lists of positions; at least 1. */
function nearest(one: number[], other: number[]): number {
  let least = Number.POSITIVE_INFINITY;
  let i = 0;
  let j = 0;
  while (i < one.length && j < other.length) {
    const a = one[i] ?? 0;
    const c = other[j] ?? 0;
    least = Math.min(least, Math.abs(a - c));
    if (a < c) i++;
    else j++;
  }
  return Math.max(1, least);
}

/** The same text in two files is one passage: the better one. */
function withoutCopies(ranked: RetrievedPassage[]): RetrievedPassage[] {
  const seen = new Set<string>();
  return ranked.filter(({ text }) => {
    const key = analyze(text).join(' ');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
