import { and, asc, desc, eq, inArray, isNotNull, isNull, like, or, sql } from 'drizzle-orm';
import type { Database, Tx } from '#server/db/db.ts';
import { blocks, documents } from '#server/db/schema.ts';
import type { Retrieval } from '#server/features/retrieval/retrieval.ts';
import { readFound } from './reading.ts';

const mostSuggested = 4;
/** Of the newest documents; of each, this many of its questions and headings are tried. */
const documentsLookedAt = 30;
const triedOfDocument = 3;
/** What one look may try in all: it takes some ten milliseconds a question. */
const mostTried = 40;
const passagesRead = 4;
/** Companies whose suggestions are kept in memory. */
const mostKept = 1000;
const shortest = 12;
const longest = 110;

/** A question that a document might answer, and the document. */
interface Candidate {
  text: string;
  documentId: string;
}

/**
 * Questions to begin with. They are made from the company's own documents, the questions that stand in them first, and
 * each is kept only if it is answered from the very document that it was made from.
 */
export function createSuggestions({ db, retrieval }: { db: Database; retrieval: Retrieval }) {
  const kept = new Map<string, { of: string; questions: Promise<string[]> }>();

  /** Made anew whenever a document has come, changed or gone. */
  async function questions(companyId: string): Promise<string[]> {
    const of = await db.asCompany(companyId, stateOfDocuments);
    const known = kept.get(companyId);
    if (known?.of === of) return known.questions;
    const made = suggest(companyId);
    kept.delete(companyId);
    kept.set(companyId, { of, questions: made });
    made.catch(() => kept.delete(companyId));
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return made;
  }

  async function suggest(companyId: string): Promise<string[]> {
    const suggested: string[] = [];
    const from = new Set<string>();
    const later: string[] = [];
    const { signal } = new AbortController();
    const candidates = await db.asCompany(companyId, candidatesOf);
    for (const { text, documentId } of candidates.slice(0, mostTried)) {
      if (suggested.length === mostSuggested) break;
      // Dozens are tried, most of which nobody will ask: not worth a service's time.
      const request = { text, limit: passagesRead, byWordsAlone: true };
      const prepared = await retrieval.prepare(companyId, request, signal);
      const { quotes } = await db.asCompany(companyId, (tx) => readFound(tx, retrieval, prepared));
      if (quotes[0]?.passage.documentId !== documentId) continue;
      // One of each document first.
      if (from.has(documentId)) later.push(text);
      else suggested.push(text);
      from.add(documentId);
    }
    return [...suggested, ...later].slice(0, mostSuggested);
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

/** The questions that stand in the newest documents, then questions for their headings; of each document in turn. */
async function candidatesOf(tx: Tx): Promise<Candidate[]> {
  const newest = await tx
    .select({ id: documents.id, name: documents.name, version: documents.currentVersion })
    .from(documents)
    .where(and(isNull(documents.deletedAt), isNotNull(documents.currentVersion)))
    .orderBy(desc(documents.createdAt), asc(documents.id))
    .limit(documentsLookedAt);
  if (newest.length === 0) return [];
  const rows = await tx
    .select({ documentId: blocks.documentId, version: blocks.version, kind: blocks.kind, text: blocks.text })
    .from(blocks)
    .where(
      and(
        inArray(
          blocks.documentId,
          newest.map(({ id }) => id),
        ),
        sql`length(${blocks.text}) <= ${longest}`,
        or(eq(blocks.kind, 'heading'), like(blocks.text, '%?'), like(blocks.text, '%？')),
      ),
    )
    .orderBy(asc(blocks.documentId), asc(blocks.index));
  const asked = newest.map(({ id, version }) => {
    const own = rows.filter((row) => row.documentId === id && row.version === version).map(({ text }) => text.trim());
    return [...new Set(own.filter((text) => /[?？]$/.test(text) && text.length >= shortest))]
      .slice(0, triedOfDocument)
      .map((text) => ({ text, documentId: id }));
  });
  const made = newest.map(({ id, name, version }) =>
    rows
      .filter((row) => row.documentId === id && row.version === version && row.kind === 'heading')
      .map(({ text }) => questionFor(text.trim(), name))
      .filter((text) => text !== null)
      .slice(0, triedOfDocument)
      .map((text) => ({ text, documentId: id })),
  );
  return [...inTurn(asked), ...inTurn(made)];
}

/** Null for a heading that asks already, or says too little: "1.2", "Annex". */
function questionFor(heading: string, name: string): string | null {
  const topic = heading.replace(/^[\d.\s§)(–-]+/, '').replace(/[.:;,\s]+$/, '');
  const title = name.replace(/(?<=.)\.[a-z0-9]{2,5}$/i, '');
  if (!/^\p{Script=Latin}.{3,60}$/u.test(topic) || /[?？]/.test(topic) || topic.toLowerCase() === title.toLowerCase())
    return null;
  return `What does “${title}” say about “${topic}”?`;
}

/** The first of each, then the second of each, and so on. */
function inTurn<T>(lists: T[][]): T[] {
  const longestOf = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longestOf }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}
