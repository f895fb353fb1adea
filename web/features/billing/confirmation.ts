import { useEffect, useState } from 'react';
import { call, messageOf } from '#web/api/call.ts';
import { reloadSession } from '#web/api/session.ts';

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
  const [confirmation, setConfirmation] = useState<Confirmation>({ state: 'asking' });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    const leaving = new AbortController();
    void confirm(leaving.signal, setConfirmation);
    return () => leaving.abort();
  }, [round]);
  const again = () => {
    setConfirmation({ state: 'waiting' });
    setRound(round + 1);
  };
  return { confirmation, again };
}

async function confirm(signal: AbortSignal, tell: (confirmation: Confirmation) => void): Promise<void> {
  for (const pause of [...pauses, null]) {
    const found = await look(signal);
    if (signal.aborted) return;
    if (found.state !== 'waiting') return tell(found);
    if (pause === null) return tell({ ...found, state: 'given-up' });
    tell(found);
    await new Promise((resolve) => setTimeout(resolve, pause * 1000));
    if (signal.aborted) return;
  }
}

async function look(signal: AbortSignal): Promise<Exclude<Confirmation, { state: 'asking' | 'given-up' }>> {
  try {
    const { active, state } = await call('syncSubscription', null, { signal, retry: false });
    if (!active) return { state: 'waiting' };
    // What fails to load here is loaded by the next page.
    await reloadSession().catch(() => {});
    return { state: state === 'none' ? 'free' : 'active' };
  } catch (error) {
    return { state: 'waiting', problem: messageOf(error, 'The payment could not be looked up.') };
  }
}
