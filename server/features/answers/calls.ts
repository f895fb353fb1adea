import type { Handlers } from '#server/http/handlers.ts';
import type { createAnswers } from './answers.ts';

export function answerCalls(answers: ReturnType<typeof createAnswers>) {
  return {
    query: (input, { actor, signal, emit }) => answers.query(actor, input, { signal, emit }),
  } satisfies Partial<Handlers>;
}
