import type { CallOutput } from '#contract/calls.ts';
import { leaveFor } from '#web/lib/location.ts';
import { createResource } from '#web/lib/resource.ts';
import { call, callAnonymously } from './call.ts';

export type Price = CallOutput<'getPlans'>['plans'][number];

/** The prices on sale, for whoever looks at them. */
export const prices = createResource(async () => (await callAnonymously('getPlans', null)).plans);

/** Leads an admin to the page on which a plan is paid. On its way until this page is left. */
export async function openCheckout(priceId: string): Promise<never> {
  // Whoever waits before a button would rather hear soon that it did not work.
  return leaveFor((await call('createCheckoutSession', { priceId }, { retry: false })).url);
}
