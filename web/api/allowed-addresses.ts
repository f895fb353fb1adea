import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { CallInput, CallOutput } from '#contract/calls.ts';
import { call } from './call.ts';
import { showChanged } from './query-client.ts';

/** From which addresses the company's people may come. */
export type AllowedAddresses = CallOutput<'getAllowedAddresses'>;

export const allowedAddressesQuery = queryOptions({
  queryKey: ['allowed-addresses'],
  queryFn: ({ signal }) => call('getAllowedAddresses', null, { signal }),
});

function changing<Name extends 'saveAllowedAddresses' | 'removeAllowedAddresses'>(name: Name) {
  return mutationOptions({
    mutationFn: async (input: CallInput<Name>) => {
      const list: AllowedAddresses = await call(name, input);
      await showChanged(allowedAddressesQuery, list);
      return list;
    },
  });
}

export const saveAllowedAddresses = changing('saveAllowedAddresses');
export const removeAllowedAddresses = changing('removeAllowedAddresses');
