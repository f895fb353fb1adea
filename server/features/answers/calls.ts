import type { Handlers } from '#server/calls/handlers.ts';
import type { Database } from '#server/db/db.ts';
import type { createAnswers } from './answers.ts';
import { rateAnswer } from './rating.ts';
import type { createSuggestions } from './suggest/suggestions.ts';

export function answerCalls({
  db,
  answers,
  suggestions,
}: {
  db: Database;
  answers: ReturnType<typeof createAnswers>;
  suggestions: ReturnType<typeof createSuggestions>;
}) {
  return {
    query: (input, { actor, ip, signal, emit }) => answers.query({ ...actor, ip }, input, { signal, emit }),
    rateAnswer: async (input, { actor }) => {
      await rateAnswer(db, actor, input);
      return null;
    },
    getSuggestedQuestions: async (_input, { actor }) => ({
      questions: await suggestions.questions(actor.companyId),
    }),
  } satisfies Partial<Handlers>;
}
