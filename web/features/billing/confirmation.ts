import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#web/api/call.ts';
import { type Payment, paymentQuery } from '#web/api/payment.ts';
import { words } from './words.ts';

export type Confirmation =
  /** Asked for the first time. */
  { state: 'asking' } | { state: Payment['state']; problem?: string };

/** Whether the payment has arrived, asked for until it has or two minutes are over; `again` begins anew. */
export function useConfirmation(): { confirmation: Confirmation; again: () => void } {
  const [round, setRound] = useState(0);
  const { data } = useQuery(paymentQuery(round));
  const confirmation = data ? inWords(data) : { state: round === 0 ? ('asking' as const) : ('waiting' as const) };
  return { confirmation, again: () => setRound(round + 1) };
}

/** `problem`: why it could not be asked the last time. */
function inWords(payment: Payment): Confirmation {
  const { state } = payment;
  return 'error' in payment ? { state, problem: messageOf(payment.error, words.paymentNotLookedUp) } : { state };
}
