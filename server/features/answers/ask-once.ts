import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Database } from '#server/db/db.ts';
import type { createAnswers } from './answers.ts';
import { keptReply, repeatableBy, wasKeptMeanwhile } from './kept-reply.ts';
import { type Emit, stream } from './quoted-answer.ts';

type Answer = CallOutput<'query'>;

export interface AskOnceDeps {
  db: Database;
  answers: Pick<ReturnType<typeof createAnswers>, 'query'>;
  /** Counts a use of the person and the company. @throws AppError `too-many-requests` */
  count: { asked: (actor: Actor) => Promise<void>; toldAgain: (actor: Actor) => Promise<void> };
}

/**
 * Asks a question, which with a key is answered once: sent again it is told the reply that was stored, and it counts
 * nowhere. Nobody waits for one that is still being written: both are, the first to be stored is told to both.
 * @returns the answer, and whether it was made by this call
 */
export function createAskOnce({ db, answers, count }: AskOnceDeps) {
  return async function askOnce(
    actor: Actor & { ip: string },
    input: ParsedInput<'query'>,
    { signal, emit, key }: { signal: AbortSignal; emit: Emit; key: string | undefined },
  ): Promise<{ answer: Answer; isNew: boolean }> {
    const repeatable = key === undefined ? undefined : repeatableBy(actor, key, input);
    const before = repeatable && (await keptReply(db, actor, repeatable));
    if (before) {
      await count.toldAgain(actor);
      return { answer: again(before, emit), isNew: false };
    }
    await count.asked(actor);
    signal.throwIfAborted();
    try {
      return { answer: await answers.query(actor, input, { signal, emit, repeatable }), isNew: true };
    } catch (error) {
      if (!repeatable || !wasKeptMeanwhile(error)) throw error;
      const meanwhile = await keptReply(db, actor, repeatable);
      // It was, and has been erased since.
      if (!meanwhile) throw error;
      // Words of this one may have been shown.
      emit({ type: 'restart', ...(meanwhile.notice !== undefined && { notice: meanwhile.notice }) });
      return { answer: again(meanwhile, emit), isNew: false };
    }
  };
}

function again(reply: Answer, emit: Emit): Answer {
  const { language, followingUp } = reply;
  emit({ type: 'status', status: 'reading', language, ...(followingUp !== undefined && { followingUp }) });
  stream(reply, emit);
  return reply;
}
