import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { CallOutput } from '#contract/calls.ts';
import { call } from './call.ts';
import { queryClient } from './query-client.ts';
import { reloadSession } from './session.ts';

/** Plan, next charge and invoices of the company. */
export type Billing = CallOutput<'getBilling'>;
export type Price = CallOutput<'getPlans'>['plans'][number];
export type Quote = CallOutput<'previewPlanChange'>;

const key = ['billing'];

/**
 * How the company stands with the payment provider. Read again whenever the person comes back to the window: invoices are
 * paid and cards are changed on the provider's pages.
 */
export function useBilling(): UseQueryResult<Billing> {
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      // An event may be late: what the page shows is asked for, and with it what the session allows.
      await call('syncSubscription', null, { signal });
      reloadSession().catch(() => {});
      return call('getBilling', null, { signal });
    },
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
}

/** Reads it again, after something was changed. */
export function reloadBilling(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: key });
}

/** The prices on sale. */
export function usePrices(): UseQueryResult<Price[]> {
  return useQuery({
    queryKey: ['prices'],
    queryFn: async ({ signal }) => (await call('getPlans', null, { signal })).plans,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
