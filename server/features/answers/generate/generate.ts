import type { CallMessage } from '#contract/calls.ts';
import type { Database, Reader } from '#server/db/db.ts';
import { createPause } from '#server/lib/pause.ts';
import { ProviderFailure } from '#server/lib/provider-failure.ts';
import { streamSafePieces } from '#server/lib/stream-safe.ts';
import type { LanguageModel, ModelUsage } from '#server/ports/language-model/port.ts';
import type { AnswerStyle } from '../agent/style.ts';
import type { FoundQuotes } from '../found-quotes.ts';
import type { Turn } from '../history.ts';
import { areCurrent } from '../verify-quotes.ts';
import { createDraft } from './draft.ts';
import { notInDocuments, promptFor } from './prompt.ts';
import { type SecondReading, together } from './second-reading.ts';
import type { SuppliedPassage } from './supplied.ts';

/** What a model made of a question. */
export interface Generated {
  outcome:
    | 'written'
    /** It reached its largest length; what is there is checked like a whole one. */
    | 'cut-off'
    /** The service broke off; what is there is checked, and some of it holds. */
    | 'broken-off'
    /** It says that the passages do not answer. */
    | 'not-in-documents'
    /** No claim of it is supported or left open, so nothing of it was shown. */
    | 'unsupported'
    | 'failed'
    /** A document that it was given was deleted or replaced meanwhile. */
    | 'outdated';
  draft: ReturnType<typeof createDraft>;
  supplied: SuppliedPassage[];
  usage: ModelUsage | undefined;
  /** Whether the reader has seen something of it. */
  shown: boolean;
  failure?: ProviderFailure;
}

/** The rest of the time that a call has is for finding passages before, and for quotes in its place. */
const writingMs = 45_000;
/**
 * UTF-16 code units. It is asked for 1,600 tokens at most: what is far longer is a service that does not stop.
 */
const maxAnswerLength = 20_000;

/**
 * Lets a model write the answer, and shows of it what is checked, as it comes.
 * @param signal ends the model's work at once when the reader leaves
 * @throws the signal's reason
 */
export async function generate(
  { db, model, verify }: { db: Database; model: LanguageModel; verify?: SecondReading | undefined },
  reader: Reader,
  { question, earlier, found, style }: { question: string; earlier: Turn[]; found: FoundQuotes; style: AnswerStyle },
  { signal, emit }: { signal: AbortSignal; emit: (message: CallMessage<'query'>) => void },
): Promise<Generated> {
  const { request, supplied } = await promptFor(model, question, earlier, found.passages, style);
  const draft = createDraft(
    supplied,
    found.weigh,
    verify && { reading: verify, signal, onDecided: () => void next(async () => draft.decided()) },
  );
  const written: Generated = { outcome: 'written', draft, supplied, usage: undefined, shown: false };
  const read = new Set(supplied.map(({ documentId }) => documentId));
  let changed = false;
  const pause = createPause();
  const heard = (change: Record<string, unknown>) => {
    const isMeant = change.documentId === undefined || read.has(String(change.documentId));
    changed ||= change.companyId === reader.companyId && isMeant;
  };
  const stop = await db.listen('files', heard, () => {
    changed = true;
  });
  /** @returns false where a document is gone: none of its words may be shown from now on */
  const show = async (messages: CallMessage<'query'>[]) => {
    if (changed) {
      changed = false;
      if (!(await db.asActor(reader, (tx) => areCurrent(tx, supplied)))) return false;
    }
    for (const message of messages) {
      emit(message);
      await pause();
    }
    written.shown ||= messages.some(({ type }) => type !== 'draft');
    return true;
  };
  let turn = Promise.resolve(true);
  /** One after the other: what the second reader says comes at any time. @returns what `show` does */
  const next = (messages: () => Promise<CallMessage<'query'>[]>): Promise<boolean> => {
    turn = turn.then(async (goesOn) => goesOn && show(await messages()));
    // Whoever waits for it hears of a failure; what the second reader has brought about is waited for by the next one.
    turn.catch(() => {});
    return turn;
  };
  const limit = AbortSignal.timeout(writingMs);
  let length = 0;
  try {
    const safe = streamSafePieces();
    for await (const event of model.stream(request, AbortSignal.any([signal, limit]))) {
      if (event.type === 'usage') {
        written.usage = event.usage;
        continue;
      }
      const left = maxAnswerLength - length;
      length += event.text.length;
      if (!(await next(() => draft.push(safe(event.text.slice(0, left)))))) return { ...written, outcome: 'outdated' };
      if (length > maxAnswerLength) {
        written.outcome = 'cut-off';
        break;
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    const failure = failureOf(error, limit);
    const isLost = failure.kind === 'unavailable' || failure.kind === 'rate-limited';
    if (failure.kind !== 'length' && !(isLost && draft.cited().length > 0))
      return { ...written, outcome: 'failed', failure };
    written.outcome = failure.kind === 'length' ? 'cut-off' : 'broken-off';
    written.failure = failure;
  } finally {
    stop();
  }
  const isShown = await next(() => draft.end({ isCut: written.outcome !== 'written' }));
  signal.throwIfAborted();
  written.usage = together(written.usage, draft.usage());
  if (!isShown) return { ...written, outcome: 'outdated' };
  if (draft.isShown()) return written;
  return { ...written, outcome: draft.answer().includes(notInDocuments) ? 'not-in-documents' : 'unsupported' };
}

function failureOf(error: unknown, limit: AbortSignal): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (limit.aborted) return new ProviderFailure('unavailable', 'it took too long to write the answer');
  throw error;
}
