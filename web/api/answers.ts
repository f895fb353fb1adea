import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { CallInput } from '#contract/calls.ts';
import { call } from './call.ts';

/**
 * Questions that the company's documents answer.
 *
 * @param readable how many documents there are: other documents, other questions
 * @param agentVersion of the assistant's settings: the company's own questions are among them
 */
export function suggestionsQuery(readable: number, agentVersion: number) {
  return queryOptions({
    queryKey: ['suggested-questions', readable, agentVersion],
    queryFn: ({ signal }) => call('getSuggestedQuestions', { language: navigator.language }, { signal }),
    enabled: readable > 0,
    placeholderData: (before) => before,
  });
}

/** Says whether an answer helped, and if not, why; null takes it back. */
export const rateAnswer = mutationOptions({
  mutationFn: (rating: CallInput<'rateAnswer'>) => call('rateAnswer', rating),
});
