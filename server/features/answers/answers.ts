import { randomUUID } from 'node:crypto';
import { and, asc, between, eq, isNotNull, isNull, or } from 'drizzle-orm';
import type { CallMessage, CallOutput, ParsedInput } from '#contract/calls.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { blocks, citations, documents, queries } from '#server/db/schema.ts';
import { wirePassage } from '#server/features/retrieval/calls.ts';
import type { Retrieval, RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import type { Actor } from '#server/http/actor.ts';
import { claimsThatHold } from './citation-check.ts';
import { extract, type Quote } from './extractive.ts';
import { standaloneQuestion } from './standalone.ts';
import type { Unit } from './unit.ts';
import { unitsOf } from './units.ts';
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
    { companyId, userId }: Actor,
    { history, filters }: ParsedInput<'query'>,
    { signal, emit }: { signal: AbortSignal; emit: (message: CallMessage<'query'>) => void },
  ): Promise<Answer> {
    const started = performance.now();
    emit({ type: 'status', status: 'searching' });
    const turns = history.map(({ role, parts }) => ({ role, text: parts.map(({ text }) => text).join('\n') }));
    const question = standaloneQuestion(turns);

    const answer = await db.asCompany(companyId, async (tx) => {
      const { passages, question: weighed } = await retrieval.search(tx, companyId, {
        text: question,
        limit: passagesRead,
        documentIds: filters?.documentIds,
      });
      signal.throwIfAborted();
      emit({ type: 'status', status: 'reading' });
      const units = await unitsOfPassages(tx, passages);
      const { quotes } = extract(
        weighed,
        question,
        passages.map((passage, i) => ({ passage, units: units[i] ?? [] })),
      );
      const held = await claimsThatHold(tx, quotes.map(toClaim));
      signal.throwIfAborted();
      emit({ type: 'status', status: 'writing' });
      const cited = held.map((claim, i) => ({ ...claim, n: i + 1, id: randomUUID() }));
      const made = cited.length > 0 ? answered(cited) : await unanswered(tx, passages);
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

function answered(cited: CitedQuote[]): Answer {
  return {
    answer: writeAnswer(cited),
    sources: cited.map(({ id, n, documentId, version, name, page, text }) => ({
      n,
      title: name,
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

/** What may be quoted of each passage. One query for all, so that the time does not grow with their number. */
async function unitsOfPassages(tx: Tx, passages: RetrievedPassage[]): Promise<Unit[][]> {
  if (passages.length === 0) return [];
  const rows = await tx
    .select()
    .from(blocks)
    .where(
      or(
        ...passages.map(({ documentId, version, firstBlock, lastBlock }) =>
          and(
            eq(blocks.documentId, documentId),
            eq(blocks.version, version),
            between(blocks.index, firstBlock, lastBlock),
          ),
        ),
      ),
    )
    .orderBy(asc(blocks.documentId), asc(blocks.version), asc(blocks.index));
  return passages.map((passage) => {
    const own = rows.filter(
      (row) =>
        row.documentId === passage.documentId &&
        row.version === passage.version &&
        row.index >= passage.firstBlock &&
        row.index <= passage.lastBlock,
    );
    // A long block may be in several chunks; only what stands in this one counts for it.
    return unitsOf(own).filter((unit) => unit.start >= passage.start && unit.end <= passage.end);
  });
}

function toClaim({ passage, unit }: Quote): Omit<CitedQuote, 'n' | 'id'> {
  const { documentId, version, name } = passage;
  return { documentId, version, name, ...unit };
}

/** The answer in the pieces in which it is streamed: words with the blanks behind them. */
function pieces(answer: string): string[] {
  return answer.match(/\S+\s*|\s+/g) ?? [];
}
