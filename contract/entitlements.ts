import { type Feature, features, type PlanName, plans } from './plans.ts';

export const subscriptionStates = [
  'none',
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

/** What we know of a company's subscription: a projection of the payment provider's record. */
export interface Subscription {
  state: SubscriptionState;
  plan: PlanName | null;
  /** End of the time paid for. */
  currentPeriodEnd: Date | null;
  /** Since when the last payment is missing; set in state `past_due` only. */
  pastDueSince: Date | null;
}

export interface Entitlements {
  /** Asking, searching and everything that reads through them (API keys among it). */
  chat: boolean;
  upload: boolean;
  invite: boolean;
  /** Why something is switched off, or about to be; null when all is well. */
  notice: 'payment-overdue' | 'subscription-inactive' | null;
  features: Feature[];
  /** null means unlimited. */
  seats: number | null;
}

export const graceDays = 14;

/**
 * The one place that turns a subscription and a moment into what the company may do.
 * Signing in, reading files, paying, deleting and exporting are always possible and so not listed.
 *
 * @param billing `off` means self-hosted without payment: everything is on.
 */
export function entitlementsOf(subscription: Subscription, now: Date, billing: 'off' | 'stripe'): Entitlements {
  if (billing === 'off') {
    return { chat: true, upload: true, invite: true, notice: null, features: [...features], seats: null };
  }
  const plan = plans[subscription.plan ?? 'basic'];
  const base = { features: [...plan.features], seats: plan.seats };
  switch (accessOf(subscription, now)) {
    case 'full':
      return { ...base, chat: true, upload: true, invite: true, notice: null };
    case 'grace':
      return { ...base, chat: true, upload: true, invite: true, notice: 'payment-overdue' };
    case 'none':
      return { ...base, chat: false, upload: false, invite: false, notice: 'subscription-inactive' };
  }
}

function accessOf(subscription: Subscription, now: Date): 'full' | 'grace' | 'none' {
  switch (subscription.state) {
    case 'trialing':
    case 'active':
      return 'full';
    case 'past_due': {
      const since = subscription.pastDueSince ?? now;
      return now.getTime() - since.getTime() < graceDays * 86_400_000 ? 'grace' : 'none';
    }
    case 'canceled':
      return subscription.currentPeriodEnd !== null && now < subscription.currentPeriodEnd ? 'full' : 'none';
    default:
      return 'none';
  }
}
