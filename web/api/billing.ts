import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { CallOutput } from '#contract/calls.ts';
import { leaveFor } from '#web/lib/location.ts';
import { call } from './call.ts';
import type { Price } from './prices.ts';
import { queryClient } from './query-client.ts';
import { reloadSession } from './session.ts';

/** Plan, next charge and invoices of the company. */
export type Billing = CallOutput<'getBilling'>;
export type Quote = CallOutput<'previewPlanChange'>;

/**
 * How the company stands with the payment provider. Read again whenever the person comes back to the window: invoices
 * are paid and cards are changed on the provider's pages.
 */
export const billingQuery = queryOptions({
  queryKey: ['billing'],
  queryFn: async ({ signal }) => {
    // An event may be late: what the page shows is asked for, and with it what the session allows.
    await call('syncSubscription', null, { signal });
    reloadSession().catch(() => {});
    return call('getBilling', null, { signal });
  },
  staleTime: 0,
  refetchOnWindowFocus: 'always',
});

/** Reads it again, after something was changed. */
export function reloadBilling(): Promise<void> {
  return queryClient.invalidateQueries(billingQuery);
}

/** The prices on sale. */
export const pricesQuery = queryOptions({
  queryKey: ['prices'],
  queryFn: async ({ signal }): Promise<Price[]> => (await call('getPlans', null, { signal })).plans,
  staleTime: Number.POSITIVE_INFINITY,
});

/** What a change to this price would cost now. Never kept: what is confirmed has to be what was just shown. */
export function quoteQuery(priceId: string) {
  return queryOptions({
    queryKey: ['quote', priceId],
    queryFn: ({ signal }) => call('previewPlanChange', { priceId }, { signal, retry: false }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // Without a network a person is told at once.
    networkMode: 'always',
  });
}

/** Changes the plan as the quote says. */
export const changePlan = mutationOptions({
  mutationFn: async ({ priceId, quote: { amountDue, prorationDate } }: { priceId: string; quote: Quote }) => {
    const answer = await call('changePlan', { priceId, amountDue, prorationDate });
    void reloadBilling();
    return answer;
  },
});

/** Ends the subscription with its period; answers when that is. */
export const cancelSubscription = mutationOptions({
  mutationFn: async () => (await call('cancelSubscription', null, { retry: false })).endsAt,
});

/** Takes the end, or the change that was planned, back. */
export const resumeSubscription = mutationOptions({
  mutationFn: () => call('resumeSubscription', null, { retry: false }),
});

/** Leads to the payment provider's own page. On its way until this page is left. */
export const openPortal = mutationOptions({
  mutationFn: async () => leaveFor((await call('createPortalSession', null, { retry: false })).url),
});
