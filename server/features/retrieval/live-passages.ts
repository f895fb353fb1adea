import type { Filters } from '#contract/calls/answers.ts';
import type { Tx } from '#server/db/db.ts';
import { inArray } from '#server/db/drizzle.ts';
import { documents } from '#server/db/schema.ts';
import { createPause } from '#server/lib/pause.ts';
import { type LiveChunk, liveChunks } from './live-chunks.ts';
import type { TermLines } from './question/candidate-terms.ts';
import type { Lexicon } from './question/lexicon.ts';
import type { Context, Question } from './question/question.ts';
import { createLineLook, lineScore } from './ranking/answering-lines.ts';
import { createCopyCheck } from './ranking/copies.ts';
import type { Placed } from './ranking/fusion.ts';
import type { RankingWeights } from './ranking/weights.ts';

/** A chunk that was found, with all that is needed to quote from it. */
export interface RetrievedPassage extends LiveChunk {
  /** Higher is better, and comparable between questions: about 5 where little fits, 15 a good match. */
  score: number;
  /** The same by its words alone: low where it was found by its meaning. */
  wordScore: number;
  /** Share of the question's weight (by idf) whose words stand in the passage, its headings or its title: 0 to 1. */
  coverage: number;
  /**
   * The years that its document's name has, in full, or where it has none its first page: a report on one year is
   * published in the next.
   */
  editions: string[];
  /** Those of the question's terms that stand in its document's name or on its first page. */
  named: string[];
  /** Those that stand there, or in any passage of the document that was found. */
  inDocument: string[];
}

export interface Found {
  /** Best first. */
  passages: RetrievedPassage[];
  /** Others that were looked at behind those that are wanted, best first. */
  further: RetrievedPassage[];
  question: Question;
  /** Those of its terms that stand in nothing that was found, nor in a sample of everything. */
  absent: ReadonlySet<string>;
  /** How any other text weighs in the company's documents. */
  weigh: (text: string) => Question;
}

export interface RetrievalRequest {
  text: string;
  /** What was asked before, where this may go on from it. */
  context?: readonly Context[];
  limit: number;
  filters?: Filters | undefined;
  /** Asks no outside service. */
  byWordsAlone?: boolean;
}

/** What was found and put in order, before it is known to be live. */
export interface Prepared {
  /** Its text is what was asked, without instructions on how to answer. */
  readonly request: RetrievalRequest;
  readonly order: readonly Placed[];
  /** A reranker has read them: then its order is kept. */
  readonly isReread: boolean;
  /** Some documents are kept from whoever asks, so that even their words must not be counted. */
  readonly isRestricted: boolean;
  readonly lexicon: Lexicon;
  readonly question: Question;
  readonly weigh: (text: string) => Question;
}

/** Looked up beyond those that are wanted. */
export const spare = 8;

/**
 * The passages that fit a question best. Runs inside the caller's transaction as the reader: only chunks of live
 * documents that the reader sees, in their current version, come through, whatever the search store still holds.
 */
export async function livePassages(
  tx: Tx,
  { request, order: proposed, isReread, isRestricted, lexicon, question, weigh: weighOther }: Prepared,
  weights: RankingWeights,
): Promise<Found> {
  const order = isRestricted ? await seenOf(tx, proposed) : proposed;
  const passages: RetrievedPassage[] = [];
  const isCopy = createCopyCheck(lexicon);
  const inDocuments = termsOfDocuments(order, lexicon);
  // Most of the first ones are live and no copies: seldom more than one round.
  const atOnce = request.limit + spare;
  for (let i = 0; i < order.length && passages.length < request.limit; i += atOnce) {
    const some = order.slice(i, i + atOnce);
    const live = await liveChunks(
      tx,
      some.map(({ candidate }) => candidate.id),
    );
    for (const { candidate, text, score, wordScore, coverage } of some) {
      const chunk = live.get(candidate.id);
      if (chunk && !isCopy(text)) {
        const about = text.terms.slice(text.title.start, text.about.end);
        passages.push({
          ...chunk,
          score,
          wordScore,
          coverage,
          editions: editionsOf(text, lexicon),
          named: lexicon.askedAmong(about),
          inDocument: inDocuments.get(candidate.documentId) ?? [],
        });
      }
    }
  }
  const ordered = isReread ? passages : await byAnsweringLines(passages, question, request.text, weights.lines);
  const found = new Set([...inDocuments.values()].flat());
  const absent = [...question.weights.keys()].filter((term) => !found.has(term) && !lexicon.statistics.has(term));
  const [wanted, further] = [ordered.slice(0, request.limit), ordered.slice(request.limit)];
  return { passages: wanted, further, question, absent: new Set(absent), weigh: weighOther };
}

/** Those whose documents the reader sees: the search store may not know yet of what was moved. */
async function seenOf(tx: Tx, order: readonly Placed[]): Promise<Placed[]> {
  const ids = [...new Set(order.map(({ candidate }) => candidate.documentId))];
  const rows = await tx.select({ id: documents.id }).from(documents).where(inArray(documents.id, ids));
  const seen = new Set(rows.map(({ id }) => id));
  return order.filter(({ candidate }) => seen.has(candidate.documentId));
}

/** The order when each is read line by line: which of them has an answer, beside the words. */
async function byAnsweringLines(
  passages: RetrievedPassage[],
  question: Question,
  text: string,
  weights: RankingWeights['lines'],
): Promise<RetrievedPassage[]> {
  const look = createLineLook(question, text);
  const pause = createPause();
  const scored: RetrievedPassage[] = [];
  for (const passage of passages) {
    scored.push({ ...passage, score: weights.wordShare * passage.score + lineScore(look(passage), weights) });
    await pause();
  }
  return scored.sort((one, other) => other.score - one.score);
}

function editionsOf({ terms, title, about }: TermLines, lexicon: Lexicon): string[] {
  const inName = lexicon.yearsOf(terms.slice(title.start, title.end));
  return inName.length > 0 ? inName : lexicon.yearsOf(terms.slice(about.start, about.end));
}

/** Which of the question's terms stand in the passages that were found of each document. */
function termsOfDocuments(order: readonly Placed[], lexicon: Lexicon): Map<string, string[]> {
  const numbers = new Map<string, Set<number>>();
  for (const { candidate, text } of order) {
    const known = numbers.get(candidate.documentId) ?? new Set();
    for (const number of text.terms) if (number < lexicon.weights.length) known.add(number);
    numbers.set(candidate.documentId, known);
  }
  return new Map([...numbers].map(([id, known]) => [id, lexicon.askedAmong([...known])]));
}
