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
import type { QuestionLanguage } from './question-phrases.ts';

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

type Candidate = FirstQuestion & { documentId: string };

/**
 * Questions to begin with. They are made from the company's own documents, the questions that stand in them first, and
 * each is kept only if it is answered from the very place that it was made from.
 */
export function createSuggestions({ db, retrieval }: { db: Database; retrieval: Retrieval }) {
  const kept = new LRUCache<string, { of: string; questions: Promise<string[]> }>({ max: maxKept });

  /** Made anew whenever a document has come, changed or gone. */
  async function questions(companyId: string): Promise<string[]> {
    const of = await db.asCompany(companyId, stateOfDocuments);
    const known = kept.get(companyId);
    if (known?.of === of) return known.questions;
    const made = suggest(companyId);
    kept.set(companyId, { of, questions: made });
    made.catch(() => kept.delete(companyId));
    return made;
  }

  async function suggest(companyId: string): Promise<string[]> {
    const suggested = new Set<string>();
    const from = new Set<string>();
    const later = new Set<string>();
    const { signal } = new AbortController();
    const candidates = await db.asCompany(companyId, candidatesOf);
    for (const { text, documentId, answer } of candidates.slice(0, maxTried)) {
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
      if (from.has(documentId)) later.add(text);
      else suggested.add(text);
      from.add(documentId);
    }
    return [...suggested, ...later].slice(0, maxSuggested);
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
    const made = await firstQuestions(begin, { name, language: language ?? usual });
    const of = (list: FirstQuestion[]) => list.slice(0, triedOfDocument).map((each) => ({ ...each, documentId: id }));
    found.push({ asked: of(made.asked), made: of(made.made), topics: of(made.topics) });
  }
  return [
    ...inTurn(found.map(({ asked }) => asked)),
    ...inTurn(found.map(({ made }) => made)),
    ...inTurn(found.map(({ topics }) => topics)),
  ];
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
