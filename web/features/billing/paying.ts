import type { SubscriptionState } from '#contract/entitlements.ts';

const without: readonly SubscriptionState[] = ['none', 'incomplete', 'incomplete_expired', 'canceled'];

/** Where an admin pays: a subscription that exists is settled or changed in the settings, else a plan is chosen. */
export function payingPath(state: SubscriptionState): '/pricing' | '/admin/settings/billing' {
  return without.includes(state) ? '/pricing' : '/admin/settings/billing';
}
