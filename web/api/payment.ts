import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { reloadSession } from './session.ts';

/** What a look for a payment has found. */
export type Payment =
  | { state: 'active' }
  /** There is nothing to pay here. */
  | { state: 'free' }
  /** Not yet; asked again and again. `error`: why it could not be asked the last time. */
  | { state: 'waiting'; error?: unknown }
  /** Not within the time that it may take. */
  | { state: 'given-up'; error?: unknown };

/** Seconds before each new look: soon at first, two minutes in all. */
const pauses = [1, 2, 3, 4, 5, 5, 10, 10, 15, 15, 20, 30];

/** Whether the payment has arrived, asked for until it has or two minutes are over; each round begins anew. */
export function paymentQuery(round: number) {
  return queryOptions({
    queryKey: ['payment-confirmation', round],
    queryFn: async ({ signal, client, queryKey }): Promise<Payment> => {
      const found = await lookForPayment(signal);
      const looks = (client.getQueryState(queryKey)?.dataUpdateCount ?? 0) + 1;
      return found.state === 'waiting' && looks > pauses.length ? { ...found, state: 'given-up' } : found;
    },
    // Whoever comes back to the page later is told what is so then.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.state === 'waiting' ? (pauses[dataUpdateCount - 1] ?? 0) * 1000 : false,
    networkMode: 'always',
    // The page may lie behind that of the bank.
    refetchIntervalInBackground: true,
  });
}

async function lookForPayment(signal: AbortSignal): Promise<Exclude<Payment, { state: 'given-up' }>> {
  try {
    const { active, state } = await call('syncSubscription', null, { signal, retry: false });
    if (!active) return { state: 'waiting' };
    // What fails to load here is loaded by the next page.
    await reloadSession().catch(() => {});
    return { state: state === 'none' ? 'free' : 'active' };
  } catch (error) {
    return { state: 'waiting', error };
  }
}
