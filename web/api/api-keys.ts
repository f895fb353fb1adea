import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { CallInput, CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { call } from './call.ts';
import { queryClient, showChanged } from './query-client.ts';

/** A key as the list tells of it, without the key itself. */
export type ApiKey = CallOutput<'listApiKeys'>[number];
export type NewApiKey = CallInput<'createApiKey'>;

export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => call('listApiKeys', null, { signal }),
  // Programs use them elsewhere.
  refetchOnWindowFocus: true,
  staleTime: 0,
});

/** Makes a key, which is told this once. */
export const createApiKey = mutationOptions({
  mutationFn: async (input: NewApiKey) => {
    const made = await call('createApiKey', input);
    void queryClient.invalidateQueries(apiKeysQuery);
    return made;
  },
});

/** Ends a key. One that has ended meanwhile is what was wanted. */
export const revokeApiKey = mutationOptions({
  mutationFn: async ({ keyId }: ApiKey) => {
    await call('revokeApiKey', { keyId }).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'api-key-not-found') throw error;
    });
    await showChanged(apiKeysQuery, (list) => list.filter((each) => each.keyId !== keyId));
  },
});
