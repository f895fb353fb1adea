import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, messageOf } from '#web/api/call.ts';
import { reloadSession } from '#web/api/session.ts';
import { words } from './words.ts';

export type Confirmation =
  /** Asked for the first time. */
  | { state: 'asking' }
  | { state: 'active' }
  /** There is nothing to pay here. */
  | { state: 'free' }
  /** Not yet; asked again and again. `problem`: why it could not be asked the last time. */
  | { state: 'waiting'; problem?: string }
  /** Not within the time that it may take. */
  | { state: 'given-up'; problem?: string };

/** Seconds before each new look: soon at first, two minutes in all. */
const pauses = [1, 2, 3, 4, 5, 5, 10, 10, 15, 15, 20, 30];

/** Whether the payment has arrived, asked for until it has or two minutes are over; `again` begins anew. */
export function useConfirmation(): { confirmation: Confirmation; again: () => void } {
  const [round, setRound] = useState(0);
  const { data } = useQuery(confirmationQuery(round));
  const confirmation = data ?? { state: round === 0 ? ('asking' as const) : ('waiting' as const) };
  return { confirmation, again: () => setRound(round + 1) };
}

function confirmationQuery(round: number) {
  return queryOptions({
    queryKey: ['payment-confirmation', round],
    queryFn: async ({ signal, client, queryKey }): Promise<Confirmation> => {
      const found = await look(signal);
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

async function look(signal: AbortSignal): Promise<Exclude<Confirmation, { state: 'asking' | 'given-up' }>> {
  try {
    const { active, state } = await call('syncSubscription', null, { signal, retry: false });
    if (!active) return { state: 'waiting' };
    // What fails to load here is loaded by the next page.
    await reloadSession().catch(() => {});
    return { state: state === 'none' ? 'free' : 'active' };
  } catch (error) {
    return { state: 'waiting', problem: messageOf(error, words.paymentNotLookedUp) };
  }
}
