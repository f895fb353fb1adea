import { randomUUID } from 'node:crypto';
import { and, isNotNull, isNull } from 'drizzle-orm';
import type { CallMessage, CallOutput, ParsedInput } from '#contract/calls.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { citations, documents, queries } from '#server/db/schema.ts';
import { allowedFilters, type Retrieval, type RetrievedPassage, wirePassage } from '#server/features/retrieval/retrieval.ts';
import type { Actor } from '#server/http/actor.ts';
import { claimsThatHold, stillCurrent } from './citation-check.ts';
import { extract, type Quote } from './extractive.ts';
import { unitsOfPassages } from './quotable.ts';
import { contextOf } from './standalone.ts';
import { type CitedQuote, writeAnswer } from './write.ts';

type Answer = CallOutput<'query'>;

/** Passages from which quotes are taken. */
const passagesRead = 8;
const closestOffered = 3;

const notFound = 'I could not find an answer to this in your documents.';
const nothingUploaded =
  'There are no documents to answer from yet. As soon as some are uploaded and read, I can answer from them.';

/** Answers from a company's documents, in quotes that are checked word for word before anybody sees them. */
export function createAnswers({ db, retrieval }: { db: Database; retrieval: Retrieval }) {
  /**
   * @param emit told of progress, then of the answer's words and sources, once they are checked and stored
   * @returns the answer as it is stored
   */
  async function query(
    { companyId, userId, entitlements }: Actor,
    { history, filters }: ParsedInput<'query'>,
    { signal, emit }: { signal: AbortSignal; emit: (message: CallMessage<'query'>) => void },
  ): Promise<Answer> {
    const started = performance.now();
    const allowed = allowedFilters(entitlements, filters);
    emit({ type: 'status', status: 'searching' });
    const turns = history.map(({ role, parts }) => ({ role, text: textOf(parts) }));
    const question = turns.at(-1)?.text ?? '';

    const answer = await db.asCompany(companyId, async (tx) => {
      const { passages, question: weighed } = await retrieval.search(tx, companyId, {
        text: question,
        context: contextOf(turns),
        limit: passagesRead,
        filters: allowed,
      });
      signal.throwIfAborted();
      emit({ type: 'status', status: 'reading' });
      const units = await unitsOfPassages(tx, passages);
      const { quotes } = extract(
        weighed,
        question,
        passages.map((passage, i) => ({ passage, units: units[i] ?? [] })),
      );
      // Once more, and held until the answer is stored: a document may have been deleted or replaced since it was found.
      const isCurrent = await stillCurrent(tx, passages);
      const held = await claimsThatHold(tx, quotes.map(toClaim).filter(isCurrent));
      signal.throwIfAborted();
      emit({ type: 'status', status: 'writing' });
      const cited = held.map((claim, i) => ({ ...claim, n: i + 1, id: randomUUID() }));
      const made = cited.length > 0 ? answered(cited) : await unanswered(tx, passages.filter(isCurrent));
      await store(tx, { userId, question: turns.at(-1)?.text ?? '', made, cited, started });
      return made;
    });

    // Only what is stored is sent: until here a deletion could still take a quote away.
    for (const text of pieces(answer.answer)) emit({ type: 'token', text });
    for (const source of answer.sources) emit({ type: 'citation', source });
    return answer;

    async function store(
      tx: Tx,
      record: { userId: string; question: string; made: Answer; cited: CitedQuote[]; started: number },
    ): Promise<void> {
      const { made, cited } = record;
      await tx.insert(queries).values({
        companyId,
        id: made.queryId,
        userId: record.userId,
        question: record.question,
        answer: made.answer,
        answered: made.answered,
        durationMs: Math.round(performance.now() - record.started),
      });
      if (cited.length === 0) return;
      await tx.insert(citations).values(
        cited.map(({ id, n, documentId, version, text, page, start, end }) => ({
          companyId,
          id,
          queryId: made.queryId,
          n,
          documentId,
          version,
          quote: text,
          page,
          start,
          end,
        })),
      );
    }
  }

  return { query };
}

/** PostgreSQL stores any character but NUL. */
function textOf(parts: { text: string }[]): string {
  return parts.map(({ text }) => text.replaceAll('\0', ' ')).join('\n');
}

function answered(cited: CitedQuote[]): Answer {
  return {
    answer: writeAnswer(cited),
    sources: cited.map(({ id, n, documentId, version, name, page, text }) => ({
      n,
      title: withoutExtension(name),
      name,
      url: `/documents/${documentId}/${version}?cite=${id}`,
      documentId,
      version,
      page: page ?? undefined,
      quote: text,
    })),
    answered: true,
    queryId: randomUUID(),
  };
}

function withoutExtension(name: string): string {
  return name.replace(/(?<=.)\.[a-z0-9]{2,5}$/i, '');
}

async function unanswered(tx: Tx, passages: RetrievedPassage[]): Promise<Answer> {
  const [any] = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(isNull(documents.deletedAt), isNotNull(documents.currentVersion)))
    .limit(1);
  return {
    answer: any ? notFound : nothingUploaded,
    sources: [],
    answered: false,
    queryId: randomUUID(),
    closest: passages.slice(0, closestOffered).map(wirePassage),
  };
}

function toClaim({ passage, unit }: Quote): Omit<CitedQuote, 'n' | 'id'> {
  const { documentId, version, name } = passage;
  return { documentId, version, name, ...unit };
}

/** The answer in the pieces in which it is streamed: words with the blanks behind them. */
function pieces(answer: string): string[] {
  return answer.match(/\S+\s*|\s+/g) ?? [];
}
