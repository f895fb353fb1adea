import type { Logger } from 'pino';
import type { CallOutput } from '#contract/calls.ts';
import { audienceOf } from '#server/db/audience.ts';
import type { Database, Reader, Tx } from '#server/db/db.ts';
import { createPause } from '#server/lib/pause.ts';
import { span } from '#server/lib/span.ts';
import type { Embeddings } from '#server/ports/embeddings/port.ts';
import type { Reranker } from '#server/ports/reranker/port.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { createProposals, minCandidates } from './candidates.ts';
import { documentsThatFit } from './filters.ts';
import { liveChunks } from './live-chunks.ts';
import {
  type Found,
  livePassages,
  type Prepared,
  type RetrievalRequest,
  type RetrievedPassage,
  spare,
} from './live-passages.ts';
import { asksAmount } from './question/asks-amount.ts';
import { partInstructions } from './question/instructions.ts';
import { Lexicon } from './question/lexicon.ts';
import { createMeaning } from './question/meaning.ts';
import { type Question, standsAlone, weigh, weighQuestion } from './question/question.ts';
import { createStatistics } from './question/statistics.ts';
import { fuse } from './ranking/fusion.ts';
import { rank } from './ranking/rank.ts';
import { createReranking } from './ranking/reranking.ts';
import { fittedWeights, type RankingWeights } from './ranking/weights.ts';

export { allowedFilters } from './filters.ts';
export type { Found, Prepared, RetrievalRequest, RetrievedPassage } from './live-passages.ts';
export { prepareEnglishWords } from './question/english-words.ts';
export { type Context, goesOn, type Question, weigh } from './question/question.ts';
export type { TermStatistics } from './question/statistics.ts';
export { termsFor } from './question/terms-for.ts';

/**
 * So many are asked from the engine, and get the second look, where an amount or the meaning of a word is asked for: a
 * table has few of a question's words, and one row of it has them all (decision 0071); a word that is explained in one
 * place is used in many.
 */
const moreCandidates = 120;
/**
 * Of the nearest in meaning these are candidates whatever their words. More cost time and bring nothing (decision
 * 0015).
 */
const nearestKept = 12;

export type Retrieval = ReturnType<typeof createRetrieval>;

/**
 * Finds the passages that fit a question, for whoever asks. `prepare` finds and orders candidates, with no transaction
 * open; `search` lets through, inside the caller's, what is live and may be seen; `find` is both.
 */
export function createRetrieval({
  db,
  search: store,
  embeddings,
  reranker,
  weights = fittedWeights,
  wordsBytes,
  log,
}: {
  db: Database;
  search: SearchStore;
  /** Absent: passages are found by their words alone. */
  embeddings?: Embeddings | undefined;
  reranker?: Reranker | undefined;
  weights?: RankingWeights;
  /** What is kept in memory of the words of all companies; the one not asked for longest makes room. */
  wordsBytes?: number | undefined;
  log?: Logger | undefined;
}) {
  const statisticsOf = createStatistics({ db, bytes: wordsBytes });
  const nearest = createMeaning({ store, embeddings, log });
  const rerank = createReranking({ reranker, log });

  /**
   * Finds and orders candidates. To be called with no transaction open, since outside services may take seconds; where
   * they fail, words alone decide.
   * @throws the signal's reason
   */
  async function prepare(reader: Reader, given: RetrievalRequest, signal: AbortSignal): Promise<Prepared> {
    const { companyId } = reader;
    const audience = await audienceOf(db, reader);
    const { context = [], filters, byWordsAlone = false } = given;
    const pause = createPause();
    const { asked: text, instructions } = partInstructions(given.text);
    const request = { ...given, text };
    const statistics = await statisticsOf(audience);
    await pause();
    const alone = weighQuestion(text, statistics, [], instructions, weights);
    await pause();
    const question = context.length === 0 ? alone : weighQuestion(text, statistics, context, instructions, weights);
    await pause();
    // Which sentence answers is for the question's own words to say, where it has some.
    const quoted = standsAlone(text, alone) ? alone : question;
    const lexicon = new Lexicon(question, statistics);
    const prepared = {
      request,
      isReread: false,
      isRestricted: audience.collections !== null,
      lexicon,
      question: quoted,
      weigh: (other: string) => weigh(other, statistics),
    };
    if (question.total === 0) return { ...prepared, order: [] };
    const documentIds = filters && (await db.asActor(reader, (tx) => documentsThatFit(tx, filters)));
    if (documentIds?.length === 0) return { ...prepared, order: [] };
    const within = {
      ...(documentIds && { documentIds }),
      ...(audience.collections && { collections: audience.collections }),
    };
    const wanted = Math.max(request.limit + 2 * spare, leastWanted(alone, text));
    const limit = Math.max(minCandidates, wanted);
    const { propose, proposeWithNamed } = createProposals(store, companyId, { text, limit, ...within });
    const [proposed, around, near] = await Promise.all([
      span('search', () => proposeWithNamed(alone)),
      // Beside those of the question itself: to the engine all words are alike, and what was said before has more of
      // them.
      context.length === 0 ? [] : span('search', () => propose(question)),
      byWordsAlone || !embeddings
        ? []
        : span('search by meaning', () => nearest(companyId, { text, context, ...within }, signal)),
    ]);
    const nearestOnes = near.slice(0, nearestKept);
    const byId = new Map([...around, ...proposed].map((each) => [each.id, each]));
    const unknown = nearestOnes.filter(({ id }) => !byId.has(id));
    const candidates = [...byId.values(), ...(await store.candidates(companyId, unknown))];
    const kept = new Set(nearestOnes.map(({ id }) => id));
    const ranked = await span('rank', async () => rank(candidates, lexicon, weights, { wanted, kept }));
    const order = fuse(ranked, near);
    if (byWordsAlone) return { ...prepared, order };
    const textOf = (ids: string[]) => db.asActor(reader, (tx) => textsOf(tx, ids));
    const reread = await rerank(text, order, textOf, signal);
    return { ...prepared, order: reread, isReread: reread !== order };
  }

  /** Both, where there is nothing else to be done in the transaction. */
  async function find(reader: Reader, request: RetrievalRequest, signal: AbortSignal): Promise<Found> {
    const prepared = await prepare(reader, request, signal);
    return db.asActor(reader, (tx) => search(tx, prepared));
  }

  const search = (tx: Tx, prepared: Prepared): Promise<Found> => livePassages(tx, prepared, weights);

  return { prepare, search, find };
}

/** So many get the second look at least. */
function leastWanted({ opening }: Question, text: string): number {
  return opening.length > 0 || asksAmount(text) ? moreCandidates : 0;
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
  const place = `${page === undefined ? '' : `page=${page}&`}at=${passage.start}-${passage.end}`;
  return {
    documentId: passage.documentId,
    name: passage.name,
    version: passage.version,
    page,
    lastPage: passage.lastPage ?? undefined,
    heading: passage.headingPath.join(' › ') || undefined,
    text: passage.text,
    score: passage.score,
    url: `/documents/${passage.documentId}/${passage.version}?${place}`,
  };
}
