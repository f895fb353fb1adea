import { LRUCache } from 'lru-cache';
import { type Audience, audienceOf } from '#server/db/audience.ts';
import type { Database, Reader, Tx } from '#server/db/db.ts';
import { and, asc, desc, eq, isNotNull, isNull, lt, sql } from '#server/db/drizzle.ts';
import { blocks, documents } from '#server/db/schema.ts';
import type { Retrieval } from '#server/features/retrieval/retrieval.ts';
import type { QuotableBlock } from '../extract/unit.ts';
import { readFound } from '../found-quotes.ts';
import {
  type FirstQuestion,
  type FirstQuestions,
  firstQuestions,
  inTurn,
  languageOfBlocks,
} from './first-questions.ts';
import { isQuestionLanguage, type QuestionLanguage } from './question-phrases.ts';

export const maxSuggested = 4;
/** Of the newest documents, the beginning; of each, this many of its questions of a kind are tried. */
const documentsAtOnce = 30;
/** As long as there are too few questions, older ones are looked at, too: photographs and short notes have none. */
const maxDocuments = 120;
const blocksLookedAt = 400;
const maxBlockLength = 2000;
const triedOfDocument = 3;
/** What one look may try in all: it takes some ten milliseconds a question. */
const maxTried = 40;
const passagesRead = 4;
/** Audiences whose suggestions are kept in memory. */
const maxKept = 1000;

type Candidate = FirstQuestion & { documentId: string; name: string; language: QuestionLanguage };

/** A question with the document that answers it. */
export type Suggested = Pick<Candidate, 'text' | 'documentId' | 'name'>;

/** So many questions in the reader's language are enough to leave out those in others. */
const enough = 2;

/**
 * Questions to begin with. They are made from the company's own documents, the questions that stand in them first, and
 * each is kept only if it is answered from the very place that it was made from.
 */
export function createSuggestions({ db, retrieval }: { db: Database; retrieval: Retrieval }) {
  const kept = new LRUCache<string, { of: string; questions: Promise<Suggested[]> }>({ max: maxKept });

  /**
   * Made anew whenever a document has come, changed or gone.
   * @param spoken the reader's language (BCP 47): questions in it come first, and alone where there are some
   */
  async function questions(of: Reader, spoken = ''): Promise<Suggested[]> {
    // Made for everybody who sees the same, and of nothing else, whoever may see more or less of it meanwhile.
    const audience = await audienceOf(db, of);
    const state = await db.asActor(audience, stateOfDocuments);
    const language = spoken.toLowerCase().split('-', 1)[0] ?? '';
    const key = `${audience.key} ${isQuestionLanguage(language) ? language : ''}`;
    const known = kept.get(key);
    if (known?.of === state) return known.questions;
    const made = suggest(audience, language);
    kept.set(key, { of: state, questions: made });
    made.catch(() => kept.delete(key));
    return made;
  }

  async function suggest(audience: Audience, reader: string): Promise<Suggested[]> {
    const suggested = new Map<string, Candidate>();
    const from = new Set<string>();
    const later = new Map<string, Candidate>();
    const { signal } = new AbortController();
    const isReaders = ({ language }: Candidate) => language === reader;
    let tried = 0;
    for (
      let before = 0;
      before < maxDocuments && suggested.size + later.size < maxSuggested;
      before += documentsAtOnce
    ) {
      const all = await db.asActor(audience, (tx) => candidatesOf(tx, before));
      if (all === null) break;
      for (const candidate of [...all.filter(isReaders), ...all.filter((each) => !isReaders(each))]) {
        if (suggested.size === maxSuggested || tried === maxTried) break;
        if (suggested.has(candidate.text) || later.has(candidate.text)) continue;
        tried += 1;
        if (!(await isAnswered(audience, candidate, signal))) continue;
        // One of each document first.
        if (from.has(candidate.documentId)) later.set(candidate.text, candidate);
        else suggested.set(candidate.text, candidate);
        from.add(candidate.documentId);
      }
    }
    const found = [...suggested.values(), ...later.values()];
    const own = found.filter(isReaders);
    return (own.length >= enough ? own : [...own, ...found.filter((each) => !isReaders(each))])
      .slice(0, maxSuggested)
      .map(({ text, documentId, name }) => ({ text, documentId, name }));
  }

  /** Whether the place that a question was made from is what answers it. */
  async function isAnswered(audience: Audience, { text, documentId, answer }: Candidate, signal: AbortSignal) {
    // Dozens are tried, most of which nobody will ask: not worth a service's time.
    const prepared = await retrieval.prepare(audience, { text, limit: passagesRead, byWordsAlone: true }, signal);
    const { quotes } = await db.asActor(audience, (tx) => readFound(tx, retrieval, prepared));
    const [best] = quotes;
    if (best?.passage.documentId !== documentId) return false;
    return !answer || (best.unit.start < answer.end && best.unit.end > answer.start);
  }

  return { questions };
}

/** Changes with every document and every version that comes or goes. */
async function stateOfDocuments(tx: Tx): Promise<string> {
  const [state] = await tx
    .select({ of: sql<string>`count(*) || ':' || coalesce(sum(hashtextextended(id::text, current_version)), 0)` })
    .from(documents)
    .where(and(isNull(documents.deletedAt), isNotNull(documents.currentVersion)));
  return state?.of ?? '';
}

/**
 * The questions that stand in the newest documents but for so many, then those made from them; of each document in
 * turn. Null: there are no more documents.
 */
async function candidatesOf(tx: Tx, before: number): Promise<Candidate[] | null> {
  const newest = await tx
    .select({ id: documents.id, name: documents.name, version: documents.currentVersion })
    .from(documents)
    .where(and(isNull(documents.deletedAt), isNotNull(documents.currentVersion)))
    .orderBy(desc(documents.createdAt), asc(documents.id))
    .limit(documentsAtOnce)
    .offset(before);
  if (newest.length === 0) return null;
  const read: { id: string; name: string; begin: QuotableBlock[]; language: QuestionLanguage | null }[] = [];
  for (const { id, name, version } of newest) {
    if (version === null) continue;
    const begin = await beginningOf(tx, id, version);
    read.push({ id, name, begin, language: languageOfBlocks(begin) });
  }
  // A table has no sentences of its own: it is asked about as most of what else is there.
  const usual = mostOften(read.flatMap(({ language }) => language ?? []));
  const found: Record<keyof FirstQuestions, Candidate[]>[] = [];
  for (const { id, name, begin, language } of read) {
    const facts = { documentId: id, name, language: language ?? usual };
    const made = await firstQuestions(begin, facts.language);
    const of = (list: FirstQuestion[]) => list.slice(0, triedOfDocument).map((each) => ({ ...each, ...facts }));
    found.push({ asked: of(made.asked), made: of(made.made) });
  }
  return [...inTurn(found.map(({ asked }) => asked)), ...inTurn(found.map(({ made }) => made))];
}

/** A query for each document: of one for all, PostgreSQL may well read every block of the company. */
function beginningOf(tx: Tx, documentId: string, version: number): Promise<QuotableBlock[]> {
  return tx
    .select({
      index: blocks.index,
      kind: blocks.kind,
      // What is longer asks nothing and names nothing.
      text: sql<string>`left(${blocks.text}, ${maxBlockLength})`,
      start: blocks.start,
      page: blocks.page,
      cells: sql<string[] | null>`case when length(${blocks.text}) <= ${maxBlockLength} then ${blocks.cells} end`,
      header: blocks.header,
    })
    .from(blocks)
    .where(and(eq(blocks.documentId, documentId), eq(blocks.version, version), lt(blocks.index, blocksLookedAt)))
    .orderBy(asc(blocks.index));
}

function mostOften(languages: QuestionLanguage[]): QuestionLanguage {
  const counts = Map.groupBy(languages, (language) => language);
  const [most] = [...counts].sort(([, one], [, other]) => other.length - one.length);
  return most?.[0] ?? 'en';
}
