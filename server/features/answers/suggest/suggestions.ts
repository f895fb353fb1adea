import { and, asc, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Database, Tx } from '#server/db/db.ts';
import { blocks, documents } from '#server/db/schema.ts';
import type { Retrieval } from '#server/features/retrieval/retrieval.ts';
import type { QuotableBlock } from '../extract/unit.ts';
import { readFound } from '../reading.ts';
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
const documentsLookedAt = 30;
const blocksLookedAt = 400;
const maxBlockLength = 2000;
const triedOfDocument = 3;
/** What one look may try in all: it takes some ten milliseconds a question. */
const maxTried = 40;
const passagesRead = 4;
/** Companies whose suggestions are kept in memory. */
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
   * @param reader the reader's language (BCP 47): questions in it come first, and alone where there are some
   */
  async function questions(companyId: string, reader = ''): Promise<Suggested[]> {
    const of = await db.asCompany(companyId, stateOfDocuments);
    const language = reader.toLowerCase().split('-', 1)[0] ?? '';
    const key = `${companyId} ${isQuestionLanguage(language) ? language : ''}`;
    const known = kept.get(key);
    if (known?.of === of) return known.questions;
    const made = suggest(companyId, language);
    kept.set(key, { of, questions: made });
    made.catch(() => kept.delete(key));
    return made;
  }

  async function suggest(companyId: string, reader: string): Promise<Suggested[]> {
    const suggested = new Map<string, Candidate>();
    const from = new Set<string>();
    const later = new Map<string, Candidate>();
    const { signal } = new AbortController();
    const all = await db.asCompany(companyId, candidatesOf);
    const isReaders = ({ language }: Candidate) => language === reader;
    const candidates = [...all.filter(isReaders), ...all.filter((each) => !isReaders(each))];
    for (const candidate of candidates.slice(0, maxTried)) {
      const { text, documentId, answer } = candidate;
      if (suggested.size === maxSuggested) break;
      if (suggested.has(text) || later.has(text)) continue;
      // Dozens are tried, most of which nobody will ask: not worth a service's time.
      const request = { text, limit: passagesRead, byWordsAlone: true };
      const prepared = await retrieval.prepare(companyId, request, signal);
      const { quotes } = await db.asCompany(companyId, (tx) => readFound(tx, retrieval, prepared));
      const [best] = quotes;
      if (best?.passage.documentId !== documentId) continue;
      if (answer && (best.unit.start >= answer.end || best.unit.end <= answer.start)) continue;
      // One of each document first.
      if (from.has(documentId)) later.set(text, candidate);
      else suggested.set(text, candidate);
      from.add(documentId);
    }
    const found = [...suggested.values(), ...later.values()];
    const own = found.filter(isReaders);
    return (own.length >= enough ? own : [...own, ...found.filter((each) => !isReaders(each))])
      .slice(0, maxSuggested)
      .map(({ text, documentId, name }) => ({ text, documentId, name }));
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

/** The questions that stand in the newest documents, then those made from them; of each document in turn. */
async function candidatesOf(tx: Tx): Promise<Candidate[]> {
  const newest = await tx
    .select({ id: documents.id, name: documents.name, version: documents.currentVersion })
    .from(documents)
    .where(and(isNull(documents.deletedAt), isNotNull(documents.currentVersion)))
    .orderBy(desc(documents.createdAt), asc(documents.id))
    .limit(documentsLookedAt);
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
