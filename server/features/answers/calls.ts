import type { Handlers } from '#server/calls/handlers.ts';
import type { Database } from '#server/db/db.ts';
import { countKeyUse } from '#server/features/api-keys/use.ts';
import type { Retrieval } from '#server/features/retrieval/retrieval.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobHandlers } from '#server/jobs/registry.ts';
import type { ChatAgent } from './agent/agent.ts';
import type { createAnswers } from './answers.ts';
import { type AskOnceDeps, createAskOnce } from './ask-once.ts';
import { clearReplies } from './kept-reply.ts';
import { rateAnswer } from './rating.ts';
import { createSuggestions, maxSuggested } from './suggest/suggestions.ts';

export function answerCalls({
  db,
  jobs,
  answers,
  retrieval,
  agent,
  count,
}: {
  db: Database;
  jobs: Jobs;
  answers: ReturnType<typeof createAnswers>;
  retrieval: Retrieval;
  agent: ChatAgent;
  count: AskOnceDeps['count'];
}) {
  const suggestions = createSuggestions({ db, retrieval });
  const askOnce = createAskOnce({ db, answers, count });
  return {
    query: async (input, { actor, ip, signal, emit, idempotencyKey: key }) => {
      const { answer, isNew } = await askOnce({ ...actor, ip }, input, { signal, emit, key });
      if (isNew) await countKeyUse(db, actor, 'asked');
      return answer;
    },
    rateAnswer: async (input, { actor }) => {
      await rateAnswer({ db, jobs }, actor, input);
      return null;
    },
    getSuggestedQuestions: async (input, { actor }) => {
      const [{ settings }, made] = await Promise.all([
        agent.saved(actor.companyId),
        suggestions.questions(actor, input?.language),
      ]);
      const known = new Map(made.map(({ text, documentId, name }) => [text, { documentId, name }]));
      const questions = [...new Set([...settings.examples, ...known.keys()])].slice(0, maxSuggested);
      return { questions, documents: questions.map((text) => known.get(text) ?? null) };
    },
    getChatAgent: (_, { actor }) => agent.get(actor.companyId),
    saveChatAgent: ({ settings }, { actor, ip }) => agent.save({ ...actor, ip }, settings),
    restoreChatAgent: ({ version }, { actor, ip }) => agent.restore({ ...actor, ip }, version),
    tryChatAgent: ({ question, settings }, { actor, ip, signal }) =>
      answers.query(
        { ...actor, ip },
        { history: [{ role: 'user', parts: [{ text: question }] }] },
        { signal, emit: () => {}, isTrial: true, settings },
      ),
  } satisfies Partial<Handlers>;
}

export function answerJobs(db: Database) {
  return { 'clear-replies': () => clearReplies(db) } satisfies Partial<JobHandlers>;
}
