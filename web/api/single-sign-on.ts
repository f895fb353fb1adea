import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts';
import { leaveForProvider } from '#web/lib/provider.ts';
import { call } from './call.ts';
import { showChanged } from './query-client.ts';

/** How the company's people sign in with its provider. */
export type SingleSignOn = CallOutput<'getSingleSignOn'>;

export const singleSignOnQuery = queryOptions({
  queryKey: ['single-sign-on'],
  queryFn: ({ signal }) => call('getSingleSignOn', null, { signal }),
});

type Change = Extract<
  CallName,
  'saveSingleSignOn' | 'removeSingleSignOn' | 'setSingleSignOnRequired' | 'addDomain' | 'checkDomain' | 'removeDomain'
>;

function changing<Name extends Change>(name: Name) {
  return mutationOptions({
    mutationFn: async (input: CallInput<Name>) => {
      const settings: SingleSignOn = await call(name, input);
      await showChanged(singleSignOnQuery, settings);
      return settings;
    },
  });
}

export const saveSingleSignOn = changing('saveSingleSignOn');
export const removeSingleSignOn = changing('removeSingleSignOn');
export const setSingleSignOnRequired = changing('setSingleSignOnRequired');
export const addDomain = changing('addDomain');
export const checkDomain = changing('checkDomain');
export const removeDomain = changing('removeDomain');

/** Goes to the provider to try the sign-in, and comes back to this page. */
export const trySingleSignOn = mutationOptions({
  mutationFn: async () => leaveForProvider((await call('testSingleSignOn', null)).url),
});

/** Goes to the provider to confirm who is signed in, and comes back to this page. */
export const confirmBySingleSignOn = mutationOptions({
  mutationFn: async () => leaveForProvider((await call('confirmBySingleSignOn', null)).url),
});
