import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import type { CallInput, CallOutput } from '#contract/calls.ts';
import { call } from './call.ts';
import { queryClient, showChanged } from './query-client.ts';

export type Analytics = CallOutput<'getAnalytics'>;
export type AnalyticsRange = CallInput<'getAnalytics'>;
export type UnansweredQuestion = Analytics['unansweredQuestions'][number];
export type Asker = CallOutput<'listAskers'>['people'][number];
export type Feedback = CallOutput<'listFeedback'>['feedback'][number];
export type AnalyticsTable = CallInput<'exportAnalytics'>['table'];

const key = 'analytics';

/** What was asked in a range. That of before stays while the next one is on its way. */
export function analyticsQuery(range: AnalyticsRange) {
  return queryOptions({
    queryKey: [key, 'numbers', range],
    queryFn: ({ signal }) => call('getAnalytics', range, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
}

/** The first ratings of a range; `next` says that there are more. */
export function feedbackQuery(range: AnalyticsRange & Pick<CallInput<'listFeedback'>, 'rating' | 'cursor'>) {
  return queryOptions({
    queryKey: [key, 'feedback', range],
    queryFn: ({ signal }) => call('listFeedback', range, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function askersQuery({ from, to }: AnalyticsRange) {
  return queryOptions({
    queryKey: [key, 'askers', from, to],
    queryFn: ({ signal }) => call('listAskers', { from, to }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export const analyticsSettingsQuery = queryOptions({
  queryKey: ['analytics-settings'],
  queryFn: ({ signal }) => call('getAnalyticsSettings', null, { signal }),
});

/** Changes what is given of the settings. */
export const updateAnalyticsSettings = mutationOptions({
  mutationFn: async (change: CallInput<'updateAnalyticsSettings'>) => {
    const settings = await call('updateAnalyticsSettings', change);
    await showChanged(analyticsSettingsQuery, settings);
    void reloadAnalytics();
    return settings;
  },
});

/** Takes a question off the list of unanswered ones, or puts it back. */
export const setQuestionSolved = mutationOptions({
  mutationFn: (input: CallInput<'setQuestionSolved'>) => call('setQuestionSolved', input),
  onSettled: () => void reloadAnalytics(),
});

/** Asks a question once more, as everybody would be answered now. */
export const askAgain = mutationOptions({
  mutationFn: (questionId: string) => call('askAgain', { questionId }),
});

/** One of the tables as a file of the browser. */
export const exportTable = mutationOptions({
  mutationFn: (input: CallInput<'exportAnalytics'>) => call('exportAnalytics', input),
});

async function reloadAnalytics(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [key] });
}
