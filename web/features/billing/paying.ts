import type { SubscriptionState } from '#contract/entitlements.ts';
import { notices } from './notices.ts';

const without: readonly SubscriptionState[] = ['none', 'incomplete', 'incomplete_expired', 'canceled'];

/** Where an admin pays: a subscription that exists is settled or changed in the settings, else a plan is chosen. */
export function payingPath(state: SubscriptionState): '/pricing' | '/admin/settings/billing' {
  return without.includes(state) ? '/pricing' : '/admin/settings/billing';
}

/** Whether there ever was one: who has just signed up is not told that something is missing. */
export function hasBegun(state: SubscriptionState): boolean {
  return state !== 'none' && state !== 'incomplete' && state !== 'incomplete_expired';
}

/** What is wrong with one that has begun. */
export function missingTitle(state: SubscriptionState): string {
  return payingPath(state) === '/pricing' ? notices.notActive : notices.paymentMissing;
}
