import { randomUUID } from 'node:crypto';
import type { CallMessage } from '#contract/calls.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, isNotNull, isNull } from '#server/db/drizzle.ts';
import { documents } from '#server/db/schema.ts';
import {
  type Prepared,
  type Retrieval,
  type RetrievedPassage,
  wirePassage,
} from '#server/features/retrieval/retrieval.ts';
import { tell } from '#server/features/webhooks/outbox.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { span } from '#server/lib/span.ts';
import { type Manner, shownBy } from './agent/manner.ts';
import type { Wording } from './agent/wording.ts';
import { type CitedQuote, writeAnswer } from './answer-text.ts';
import type { Quote } from './extract/extract.ts';
import type { Missing } from './extract/missing.ts';
import type { ExtractWeights } from './extract/weights.ts';
import { readFound } from './found-quotes.ts';
import { sourceOf } from './source.ts';
import { type Asked, record, type Stored, type Writing } from './store.ts';
import { whatHolds } from './verify-quotes.ts';

export type Emit = (message: CallMessage<'query'>) => void;

/** Passages that are shown where no answer is. */
export const closestOffered = 3;

export interface QuotedAnswerDeps {
  db: Database;
  retrieval: Retrieval;
  /** Absent where nobody is told of anything, as in an evaluation. */
  jobs?: Jobs | undefined;
  /** By which quotes are chosen; absent: those that were fitted. */
  weights?: ExtractWeights | undefined;
}

export type AnswerByQuotes = ReturnType<typeof createQuotedAnswer>;

/** Answers in the documents' own words. */
export function createQuotedAnswer({ db, retrieval, jobs, weights }: QuotedAnswerDeps) {
  /** An answer of quotes alone, or that there is none. */
  return async function quoted(
    asked: Asked,
    prepared: Prepared,
    {
      signal,
      emit,
      notice,
      refuses = false,
      writing,
    }: {
      signal: AbortSignal;
      emit: Emit;
      notice?: string | undefined;
      refuses?: boolean;
      writing?: Writing | undefined;
    },
  ): Promise<Stored> {
    const answer = await db.asActor(asked, async (tx) => {
      const { passages: read, quotes, missing } = await readFound(tx, retrieval, prepared, weights);
      const passages = read.map(({ passage }) => passage);
      signal.throwIfAborted();
      emit({ type: 'status', status: 'reading' });
      // Once more, and held until the answer is stored: a document may have been deleted or replaced since it was
      // found.
      const placed = quotes.map(toPlacedQuote).map(shownBy(asked.manner));
      const { isCurrent, held } = await span('check quotes', () => whatHolds(tx, passages, refuses ? [] : placed));
      signal.throwIfAborted();
      emit({ type: 'status', status: 'writing' });
      const cited = held.map((claim, i) => ({ ...claim, n: i + 1, id: randomUUID() }));
      const made =
        cited.length > 0
          ? answered(cited, asked.manner.wording)
          : await unanswered(tx, passages.filter(isCurrent), missing, asked.manner);
      const noted = { ...made, ...(notice !== undefined && { notice }) };
      await span('record', () => record(tx, asked, noted, cited, writing));
      if (!noted.answered && !asked.isTrial)
        await tell(tx, jobs ?? null, asked.companyId, [{ type: 'question.unanswered', queryId: noted.queryId }]);
      return noted;
    });
    // Only what is stored is sent: until here a deletion could still take a quote away.
    stream(answer, emit);
    return answer;
  };
}

function answered(cited: CitedQuote[], wording: Wording): Stored {
  const shown = cited.filter(({ isSupporting }) => !isSupporting);
  return { answer: writeAnswer(shown, wording), sources: cited.map(sourceOf), answered: true, queryId: randomUUID() };
}

async function unanswered(
  tx: Tx,
  passages: RetrievedPassage[],
  missing: Missing,
  { wording, notFound, contact }: Manner,
): Promise<Stored> {
  const [any] = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(isNull(documents.deletedAt), isNotNull(documents.currentVersion)))
    .limit(1);
  return {
    answer: any ? notFound(missing) : wording.nothingUploaded,
    sources: [],
    answered: false,
    queryId: randomUUID(),
    closest: passages.slice(0, closestOffered).map(wirePassage),
    ...(contact !== undefined && { contact }),
  };
}

function toPlacedQuote({ passage, unit, emphasis, columns, isSupporting }: Quote): Omit<CitedQuote, 'n' | 'id'> {
  const { documentId, version, name } = passage;
  const more = { ...(emphasis && { emphasis }), ...(columns && { columns }), ...(isSupporting && { isSupporting }) };
  return { documentId, version, name, ...unit, ...more };
}

/** Streams an answer of which all is known. */
export function stream(
  {
    answer,
    sources,
    unsupported = [],
    unchecked = [],
  }: Pick<Stored, 'answer' | 'sources' | 'unsupported' | 'unchecked'>,
  emit: Emit,
): void {
  for (const source of sources) if (!source.supporting) emit({ type: 'citation', source });
  for (const text of pieces(answer)) emit({ type: 'token', text });
  for (const claim of unsupported) emit({ type: 'unsupported', claim });
  for (const claim of unchecked) emit({ type: 'unchecked', claim });
}

/** The answer in the pieces in which it is streamed: words with the blanks behind them. */
function pieces(answer: string): string[] {
  return answer.match(/\S+\s*|\s+/g) ?? [];
}
