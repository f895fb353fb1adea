import { randomUUID } from 'node:crypto';
import { and, isNotNull, isNull } from 'drizzle-orm';
import type { Logger } from 'pino';
import { type AgentSettings, usualAgent } from '#contract/agent.ts';
import type { CallMessage, CallOutput, ParsedInput } from '#contract/calls.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { documents } from '#server/db/schema.ts';
import {
  allowedFilters,
  goesOn,
  type Prepared,
  type Retrieval,
  type RetrievalRequest,
  type RetrievedPassage,
  wirePassage,
} from '#server/features/retrieval/retrieval.ts';
import type { LanguageModel, ModelUsage, SecondReader } from '#server/ports/language-model/port.ts';
import type { SavedAgent } from './agent/agent.ts';
import { endOf, type Manner, mannerOf, noticeOf, shownBy } from './agent/manner.ts';
import { smallTalkOf } from './agent/small-talk.ts';
import { type Wording, wordings } from './agent/wording.ts';
import { type CitedQuote, writeAnswer } from './answer-text.ts';
import type { Quote } from './extract/extract.ts';
import type { Missing } from './extract/missing.ts';
import type { ExtractWeights } from './extract/weights.ts';
import { type Generated, generate } from './generate/generate.ts';
import { roomFor } from './generate/prompt.ts';
import { rewrite } from './generate/rewrite.ts';
import { createSecondReading, together } from './generate/second-reading.ts';
import type { SuppliedPassage } from './generate/supplied.ts';
import { contextOf, type Turn, topicBefore } from './history.ts';
import { passagesQuoted, type Reading, readFound } from './reading.ts';
import { sourceOf } from './source.ts';
import { type Asked, record, type Writing } from './store.ts';
import { whatHolds } from './verify-quotes.ts';

type Answer = CallOutput<'query'>;
type Emit = (message: CallMessage<'query'>) => void;

const closestOffered = 3;

/** What a stored answer is; the rest is told of how it was asked for. */
type Stored = Omit<Answer, 'agentVersion' | 'language' | 'followingUp'>;

/** Answers from a company's documents. Every quote is checked word for word before anybody sees it. */
export function createAnswers({
  db,
  retrieval,
  model,
  secondReader,
  savedAgent = async () => ({ version: 0, settings: usualAgent }),
  weights,
  log,
}: {
  db: Database;
  retrieval: Retrieval;
  /** Absent: answers are quotes alone. */
  model?: LanguageModel | undefined;
  /** Absent: words alone decide on what the model writes. */
  secondReader?: SecondReader | undefined;
  /** How the company wants to be answered; absent: as usual. */
  savedAgent?: (companyId: string) => Promise<SavedAgent>;
  /** By which quotes are chosen; absent: those that were fitted. */
  weights?: ExtractWeights | undefined;
  log?: Logger;
}) {
  const verify = secondReader && createSecondReading(secondReader, log);

  /**
   * @param emit told of progress, then of the answer's words and sources, once they are checked
   * @returns the answer as it is stored
   */
  async function query(
    { companyId, userId, email, ip, entitlements }: Actor & { ip?: string },
    { history, filters }: ParsedInput<'query'>,
    {
      signal,
      emit,
      isTrial,
      settings,
    }: { signal: AbortSignal; emit: Emit; isTrial?: boolean; settings?: AgentSettings | undefined },
  ): Promise<Answer> {
    const agent = settings ? { version: 0, settings } : await savedAgent(companyId);
    const turns = history.map(({ role, parts }) => ({ role, text: textOf(parts) }));
    const question = turns.at(-1)?.text ?? '';
    const saidBefore = goesOn(question) ? topicBefore(turns) : undefined;
    const manner = mannerOf(agent.settings, question);
    const by = { companyId, userId, email, ip };
    const asked: Asked = { ...by, question, saidBefore, isTrial, started: performance.now(), manner };
    const facts = { agentVersion: agent.version, language: manner.language };
    const smallTalk = smallTalkOf(question);
    if (smallTalk) return { ...(await replied(asked, smallTalk, emit)), ...facts };
    const taken = saidBefore === undefined ? {} : { followingUp: saidBefore };
    const told = (answer: Stored): Answer => ({ ...answer, ...facts, ...taken });
    const writer = manner.isWritten ? model : undefined;
    const usual = { limit: writer ? roomFor(writer) : passagesQuoted, filters: allowedFilters(entitlements, filters) };
    emit({ type: 'status', status: 'searching', language: manner.language, ...taken });
    const byWords: RetrievalRequest = { ...usual, text: question, context: contextOf(turns) };
    if (!writer)
      return told(await quoted(asked, await retrieval.prepare(companyId, byWords, signal), { signal, emit }));
    // What can be understood by itself needs no request of its own: the words of the conversation help to find it
    // either way.
    const rewritten = turns.length > 1 && goesOn(question) ? await rewrite(writer, turns, signal) : null;
    if (rewritten?.reason) log?.warn({ reason: rewritten.reason }, 'a question was not made to stand by itself');
    const request = rewritten?.text ? { ...usual, text: rewritten.text } : byWords;
    const earlier = turns.slice(0, -1);
    return told(await written(writer, asked, request, { earlier, spent: rewritten?.usage }, { signal, emit }));
  }

  /** Who says hello is not told that no document says so. */
  async function replied(
    asked: Asked,
    { kind, language }: NonNullable<ReturnType<typeof smallTalkOf>>,
    emit: Emit,
  ): Promise<Stored> {
    const { languages } = asked.manner;
    const wording = languages.length === 0 || languages.includes(language) ? wordings[language] : asked.manner.wording;
    const answer: Stored = { answer: wording[kind], sources: [], answered: true, queryId: randomUUID() };
    // As little counted as a question that is tried: it asks nothing.
    await db.asCompany(asked.companyId, (tx) => record(tx, { ...asked, isTrial: true }, answer, []));
    for (const text of pieces(answer.answer)) emit({ type: 'token', text });
    return answer;
  }

  async function written(
    model: LanguageModel,
    asked: Asked,
    request: RetrievalRequest,
    { earlier, spent }: { earlier: Turn[]; spent: ModelUsage | undefined },
    { signal, emit }: { signal: AbortSignal; emit: Emit },
  ): Promise<Stored> {
    const { companyId, question } = asked;
    const { style, wording } = asked.manner;
    const prepared = await retrieval.prepare(companyId, request, signal);
    const reading = await db.asCompany(companyId, (tx) => readFound(tx, retrieval, prepared, weights));
    signal.throwIfAborted();
    if (reading.passages.length === 0) {
      const writing = spent && { model: model.name, usage: spent };
      return quoted(asked, prepared, { signal, emit, writing });
    }
    emit({ type: 'status', status: 'writing' });
    const first = await generate(
      { db, model, verify },
      companyId,
      { question, earlier, reading, style },
      { signal, emit },
    );
    let made = { ...first, usage: together(spent, first.usage) };
    if (made.failure)
      log?.warn({ kind: made.failure.kind, reason: made.failure.message }, 'an answer was not written to its end');
    if (made.outcome === 'written' || endOf(made.outcome, wording) !== undefined) {
      const kept = await keep(made, reading, asked, model.name);
      if (kept) return kept;
      made = { ...made, outcome: 'outdated' };
    }
    for (const message of made.draft.clear()) emit(message);
    const notice = noticeOf(made.outcome, wording);
    if (made.shown) emit({ type: 'restart', notice });
    const refuses = made.outcome === 'not-in-documents';
    const writing = { model: model.name, usage: made.usage };
    const anew = made.outcome === 'outdated' ? await retrieval.prepare(companyId, request, signal) : prepared;
    return quoted(asked, anew, { signal, emit, notice, refuses, writing });
  }

  /** Stores what was written; null where a document that it comes from is no longer there. */
  async function keep(
    { draft, supplied, usage, outcome }: Generated,
    reading: Reading,
    asked: Asked,
    model: string,
  ): Promise<Stored | null> {
    const { wording } = asked.manner;
    return db.asCompany(asked.companyId, async (tx) => {
      const cited = [...draft.cited()];
      const { isCurrent, held } = await whatHolds(tx, supplied, cited);
      if (!supplied.every(isCurrent) || held.length < cited.length) return null;
      const unsupported = [...draft.unsupported()];
      const unchecked = [...draft.unchecked()];
      const notice = endOf(outcome, wording) ?? (cited.length === 0 ? wording.notChecked : undefined);
      const closest = cited.length === 0 ? namedIn(draft.named(), reading) : [];
      const answer: Stored = {
        answer: draft.answer(),
        sources: cited.map(sourceOf),
        answered: true,
        queryId: randomUUID(),
        ...(unsupported.length > 0 && { unsupported }),
        ...(unchecked.length > 0 && { unchecked }),
        ...(notice !== undefined && { notice }),
        ...(closest.length > 0 && { closest: closest.map(wirePassage) }),
      };
      const readDocuments = [...new Set(supplied.map(({ documentId }) => documentId))];
      await record(tx, asked, answer, cited, { model, usage, readDocuments });
      return answer;
    });
  }

  /** An answer of quotes alone, or that there is none. */
  async function quoted(
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
    const answer = await db.asCompany(asked.companyId, async (tx) => {
      const { passages: read, quotes, missing } = await readFound(tx, retrieval, prepared, weights);
      const passages = read.map(({ passage }) => passage);
      signal.throwIfAborted();
      emit({ type: 'status', status: 'reading' });
      // Once more, and held until the answer is stored: a document may have been deleted or replaced since it was
      // found.
      const placed = quotes.map(toPlacedQuote).map(shownBy(asked.manner));
      const { isCurrent, held } = await whatHolds(tx, passages, refuses ? [] : placed);
      signal.throwIfAborted();
      emit({ type: 'status', status: 'writing' });
      const cited = held.map((claim, i) => ({ ...claim, n: i + 1, id: randomUUID() }));
      const made =
        cited.length > 0
          ? answered(cited, asked.manner.wording)
          : await unanswered(tx, passages.filter(isCurrent), missing, asked.manner);
      const noted = { ...made, ...(notice !== undefined && { notice }) };
      await record(tx, asked, noted, cited, writing);
      return noted;
    });
    // Only what is stored is sent: until here a deletion could still take a quote away.
    for (const source of answer.sources) if (!source.supporting) emit({ type: 'citation', source });
    for (const text of pieces(answer.answer)) emit({ type: 'token', text });
    return answer;
  }

  return { query };
}

/** The passages as they were found that a model named, of which it was given some as one. */
function namedIn(named: readonly SuppliedPassage[], { passages }: Reading): RetrievedPassage[] {
  return passages
    .map(({ passage }) => passage)
    .filter(({ documentId, start, end }) =>
      named.some(
        (each) => each.documentId === documentId && each.units.some((unit) => unit.start >= start && unit.end <= end),
      ),
    )
    .slice(0, closestOffered);
}

/** PostgreSQL stores any character but NUL. */
function textOf(parts: { text: string }[]): string {
  return parts.map(({ text }) => text.replaceAll('\0', ' ')).join('\n');
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

/** The answer in the pieces in which it is streamed: words with the blanks behind them. */
function pieces(answer: string): string[] {
  return answer.match(/\S+\s*|\s+/g) ?? [];
}
