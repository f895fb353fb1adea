import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { type RetrievalRequest, type RetrievedPassage, wirePassage } from '#server/features/retrieval/retrieval.ts';
import { span } from '#server/lib/span.ts';
import type { LanguageModel, ModelUsage, SecondReader } from '#server/ports/language-model/port.ts';
import { endOf, noticeOf } from './agent/manner.ts';
import { type FoundQuotes, readFound } from './found-quotes.ts';
import { type Generated, generate } from './generate/generate.ts';
import { createSecondReading, together } from './generate/second-reading.ts';
import type { SuppliedPassage } from './generate/supplied.ts';
import type { Turn } from './history.ts';
import { type AnswerByQuotes, closestOffered, type Emit, type QuotedAnswerDeps } from './quoted-answer.ts';
import { sourceOf } from './source.ts';
import { type Asked, record, type Stored } from './store.ts';
import { whatHolds } from './verify-quotes.ts';

export interface WrittenAnswerDeps extends QuotedAnswerDeps {
  /** Absent: words alone decide on what the model writes. */
  secondReader?: SecondReader | undefined;
  log?: Logger;
}

/** Answers that a model writes, of which only what the documents hold is shown as proven; else those of quotes. */
export function createWrittenAnswer(deps: WrittenAnswerDeps & { quoted: AnswerByQuotes }) {
  const { db, retrieval, secondReader, weights, log, quoted } = deps;
  const verify = secondReader && createSecondReading(secondReader, log);

  return async function written(
    model: LanguageModel,
    asked: Asked,
    request: RetrievalRequest,
    { earlier, spent }: { earlier: Turn[]; spent: ModelUsage | undefined },
    { signal, emit }: { signal: AbortSignal; emit: Emit },
  ): Promise<Stored> {
    const { question } = asked;
    const { style, wording } = asked.manner;
    const prepared = await retrieval.prepare(asked, request, signal);
    const found = await db.asActor(asked, (tx) => readFound(tx, retrieval, prepared, weights));
    signal.throwIfAborted();
    if (found.passages.length === 0) {
      const writing = spent && { model: model.name, usage: spent };
      return quoted(asked, prepared, { signal, emit, writing });
    }
    emit({ type: 'status', status: 'writing' });
    const toWrite = { question, earlier, found, style };
    const first = await span('write', () => generate({ db, model, verify }, asked, toWrite, { signal, emit }));
    let made = { ...first, usage: together(spent, first.usage) };
    if (made.failure)
      log?.warn({ kind: made.failure.kind, reason: made.failure.message }, 'an answer was not written to its end');
    if (made.outcome === 'written' || endOf(made.outcome, wording) !== undefined) {
      const kept = await keep(made, found, asked, model.name);
      if (kept) return kept;
      made = { ...made, outcome: 'outdated' };
    }
    for (const message of made.draft.clear()) emit(message);
    const notice = noticeOf(made.outcome, wording);
    if (made.shown) emit({ type: 'restart', notice });
    const refuses = made.outcome === 'not-in-documents';
    const writing = { model: model.name, usage: made.usage };
    const anew = made.outcome === 'outdated' ? await retrieval.prepare(asked, request, signal) : prepared;
    return quoted(asked, anew, { signal, emit, notice, refuses, writing });
  };

  /** Stores what was written; null where a document that it comes from is no longer there. */
  async function keep(
    { draft, supplied, usage, outcome }: Generated,
    found: FoundQuotes,
    asked: Asked,
    model: string,
  ): Promise<Stored | null> {
    const { wording } = asked.manner;
    return db.asActor(asked, async (tx) => {
      const cited = [...draft.cited()];
      const { isCurrent, held } = await whatHolds(tx, supplied, cited);
      if (!supplied.every(isCurrent) || held.length < cited.length) return null;
      const unsupported = [...draft.unsupported()];
      const unchecked = [...draft.unchecked()];
      const notice = endOf(outcome, wording) ?? (cited.length === 0 ? wording.notChecked : undefined);
      const closest = cited.length === 0 ? namedIn(draft.named(), found) : [];
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
}

/** The passages as they were found that a model named, of which it was given some as one. */
function namedIn(named: readonly SuppliedPassage[], { passages }: FoundQuotes): RetrievedPassage[] {
  return passages
    .map(({ passage }) => passage)
    .filter(({ documentId, start, end }) =>
      named.some(
        (each) => each.documentId === documentId && each.units.some((unit) => unit.start >= start && unit.end <= end),
      ),
    )
    .slice(0, closestOffered);
}
