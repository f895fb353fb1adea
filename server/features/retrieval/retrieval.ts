import type { Logger } from 'pino';
import type { Filters } from '#contract/calls/answers.ts';
import type { CallOutput } from '#contract/calls.ts';
import type { Database, Tx } from '#server/db/db.ts';
import type { Embeddings } from '#server/ports/embeddings/port.ts';
import type { Reranker } from '#server/ports/reranker/port.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { documentsThatFit } from './filters.ts';
import { type LiveChunk, liveChunks } from './live-chunks.ts';
import type { TermLines } from './question/candidate-terms.ts';
import { partInstructions } from './question/instructions.ts';
import { Lexicon } from './question/lexicon.ts';
import { createMeaning } from './question/meaning.ts';
import { type Context, type Question, standsAlone, weigh } from './question/question.ts';
import { createStatistics } from './question/statistics.ts';
import { createLineLook, lineScore } from './ranking/answering-lines.ts';
import { createCopyCheck } from './ranking/copies.ts';
import { fuse, type Placed } from './ranking/fusion.ts';
import { rank } from './ranking/rank.ts';
import { createReranking } from './ranking/reranking.ts';
import { fittedWeights, type RankingWeights } from './ranking/weights.ts';

export { allowedFilters } from './filters.ts';
export { type Context, goesOn, type Question, termsFor, weigh } from './question/question.ts';
export type { TermStatistics } from './question/statistics.ts';

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
  readonly lexicon: Lexicon;
  readonly question: Question;
  readonly weigh: (text: string) => Question;
}

/** Looked up beyond those that are wanted. */
const spare = 8;
/** Asked from the engine at least: most of the ranking is ours. More cost time and bring nothing (decision 0014). */
const minCandidates = 60;
/**
 * Of the nearest in meaning these are candidates whatever their words. More cost time and bring nothing (decision
 * 0015).
 */
const nearestKept = 12;

export type Retrieval = ReturnType<typeof createRetrieval>;

export function createRetrieval({
  db,
  search: store,
  embeddings,
  reranker,
  weights = fittedWeights,
  log,
}: {
  db: Database;
  search: SearchStore;
  /** Absent: passages are found by their words alone. */
  embeddings?: Embeddings | undefined;
  reranker?: Reranker | undefined;
  weights?: RankingWeights;
  log?: Logger | undefined;
}) {
  const statisticsOf = createStatistics({ db });
  const nearest = createMeaning({ store, embeddings, log });
  const rerank = createReranking({ reranker, log });

  /**
   * Finds and orders candidates. To be called with no transaction open, since outside services may take seconds; where
   * they fail, words alone decide.
   * @throws the signal's reason
   */
  async function prepare(companyId: string, given: RetrievalRequest, signal: AbortSignal): Promise<Prepared> {
    const { context = [], filters, byWordsAlone = false } = given;
    const { asked: text, instructions } = partInstructions(given.text);
    const request = { ...given, text };
    const statistics = await statisticsOf(companyId);
    const alone = weigh(text, statistics, [], instructions, weights);
    const question = context.length === 0 ? alone : weigh(text, statistics, context, instructions, weights);
    // Which sentence answers is for the question's own words to say, where it has some.
    const quoted = standsAlone(text, alone) ? alone : question;
    const lexicon = new Lexicon(question, statistics);
    const prepared = {
      request,
      isReread: false,
      lexicon,
      question: quoted,
      weigh: (other: string) => weigh(other, statistics),
    };
    if (question.total === 0) return { ...prepared, order: [] };
    const documentIds = filters && (await db.asCompany(companyId, (tx) => documentsThatFit(tx, filters)));
    if (documentIds?.length === 0) return { ...prepared, order: [] };
    const within = documentIds && { documentIds };
    const wanted = request.limit + 2 * spare;
    const propose = ({ weights, standIns, elsewhere }: Question) =>
      store.search(companyId, {
        text,
        also: [...new Set([...weights.keys(), ...elsewhere.keys(), ...standIns.keys()])],
        limit: Math.max(minCandidates, wanted),
        ...within,
      });
    const [proposed, around, near] = await Promise.all([
      propose(alone),
      // Beside those of the question itself: to the engine all words are alike, and what was said before has more of
      // them.
      context.length === 0 ? [] : propose(question),
      byWordsAlone ? [] : nearest(companyId, { text, context, ...within }, signal),
    ]);
    const nearestOnes = near.slice(0, nearestKept);
    const byId = new Map([...around, ...proposed].map((each) => [each.id, each]));
    const unknown = nearestOnes.filter(({ id }) => !byId.has(id));
    const candidates = [...byId.values(), ...(await store.candidates(companyId, unknown))];
    const kept = new Set(nearestOnes.map(({ id }) => id));
    const order = fuse(await rank(candidates, lexicon, weights, { wanted, kept }), near);
    if (byWordsAlone) return { ...prepared, order };
    const textOf = (ids: string[]) => db.asCompany(companyId, (tx) => textsOf(tx, ids));
    const reread = await rerank(text, order, textOf, signal);
    return { ...prepared, order: reread, isReread: reread !== order };
  }

  /**
   * The passages that fit a question best. Runs inside the caller's transaction as the company: only chunks of live
   * documents in their current version come through, whatever the search store still holds.
   */
  async function search(
    tx: Tx,
    { request, order, isReread, lexicon, question, weigh: weighOther }: Prepared,
  ): Promise<Found> {
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
    const ordered = isReread ? passages : byAnsweringLines(passages, question, request.text, weights.lines);
    const found = new Set([...inDocuments.values()].flat());
    const absent = [...question.weights.keys()].filter((term) => !found.has(term) && !lexicon.statistics.has(term));
    return { passages: ordered.slice(0, request.limit), question, absent: new Set(absent), weigh: weighOther };
  }

  /** Both, where there is nothing else to be done in the transaction. */
  async function find(companyId: string, request: RetrievalRequest, signal: AbortSignal): Promise<Found> {
    const prepared = await prepare(companyId, request, signal);
    return db.asCompany(companyId, (tx) => search(tx, prepared));
  }

  return { prepare, search, find };
}

/** The order when each is read line by line: which of them has an answer, beside the words. */
function byAnsweringLines(
  passages: RetrievedPassage[],
  question: Question,
  text: string,
  weights: RankingWeights['lines'],
): RetrievedPassage[] {
  const look = createLineLook(question, text);
  return passages
    .map((passage) => ({ ...passage, score: weights.wordShare * passage.score + lineScore(look(passage), weights) }))
    .sort((one, other) => other.score - one.score);
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

/** The passages that are live, as a reranker reads them. */
async function textsOf(tx: Tx, ids: string[]): Promise<Map<string, string>> {
  const live = await liveChunks(tx, ids);
  return new Map(
    [...live].map(([id, { name, headingPath, text }]) => [
      id,
      [name, headingPath.join(' › '), text].filter((part) => part !== '').join('\n'),
    ]),
  );
}

/** A passage as the contract has it. */
export function wirePassage(passage: RetrievedPassage): CallOutput<'searchPassages'>['passages'][number] {
  const page = passage.page ?? undefined;
  return {
    documentId: passage.documentId,
    name: passage.name,
    version: passage.version,
    page,
    lastPage: passage.lastPage ?? undefined,
    heading: passage.headingPath.join(' › ') || undefined,
    text: passage.text,
    score: passage.score,
    url: `/documents/${passage.documentId}/${passage.version}${page === undefined ? '' : `?page=${page}`}`,
  };
}
