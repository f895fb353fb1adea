import { invalidRequest } from '../api/errors.ts';
import { subscription as serialize } from '../resources/subscriptions/serialize.ts';
import { emit } from '../world/events.ts';
import type { ItemRecord, Metadata, SubscriptionRecord } from '../world/records.ts';
import { newId } from '../world/store.ts';
import type { World } from '../world/world.ts';
import { nextRenewal } from './calendar.ts';
import { attemptPayment, cancelNow, cardFor, chargeCard, paymentFailure } from './collection.ts';
import { openInvoice, periodLines, priceOf, subscriptionChange } from './invoicing.ts';
import type { PaymentBehavior } from './item-changes.ts';

/** Begins a subscription: its first invoice is made and, unless it is left to the caller, charged. */
export function createSubscription(
  world: World,
  given: {
    customer: string;
    items: Pick<ItemRecord, 'price' | 'quantity'>[];
    trialEnd: number | null;
    metadata: Metadata;
    description?: string | null;
    defaultPaymentMethod: string | null;
    behavior: PaymentBehavior;
    /** Its holder has just paid on a page of ours. */
    onPage: boolean;
  },
): SubscriptionRecord {
  const now = world.clock.now();
  const [first] = given.items;
  const recurring = first && priceOf(world, first).recurring;
  if (!recurring) throw invalidRequest('A subscription needs a recurring price.', { param: 'items' });
  const subscription: SubscriptionRecord = {
    id: newId('sub'),
    created: now,
    customer: given.customer,
    status: given.trialEnd === null ? 'incomplete' : 'trialing',
    items: given.items.map(({ price, quantity }) => ({
      id: newId('si', 14),
      created: now,
      price,
      quantity,
      metadata: {},
    })),
    periodStart: now,
    periodEnd: given.trialEnd ?? nextRenewal(now, recurring, now),
    anchor: given.trialEnd ?? now,
    cancelAt: null,
    cancelAtPeriodEnd: false,
    canceledAt: null,
    endedAt: null,
    cancellation: { comment: null, feedback: null, reason: null },
    trialStart: given.trialEnd === null ? null : now,
    trialEnd: given.trialEnd,
    defaultPaymentMethod: given.defaultPaymentMethod,
    latestInvoice: null,
    schedule: null,
    description: given.description ?? null,
    metadata: given.metadata,
    pendingUpdate: null,
    pendingLines: [],
    pausedAt: null,
    announced: null,
    trialEndAnnounced: false,
  };
  const where = given.onPage ? 'authenticated' : 'later';
  if (given.behavior === 'error_if_incomplete' && given.trialEnd === null) {
    const result = chargeCard(world, cardFor(world, { ...given, subscription: subscription.id }), where);
    if (result.outcome !== 'paid') throw paymentFailure(result);
  }
  world.store.subscriptions.set(subscription.id, subscription);
  emit(world, 'customer.subscription.created', serialize(world, subscription));
  const whole = periodLines(world, subscription.items, subscription.periodStart, subscription.periodEnd);
  const lines = given.trialEnd === null ? whole : whole.map((line) => ({ ...line, amount: 0 }));
  const invoice = openInvoice(world, subscription, { reason: 'subscription_create', lines });
  if (given.behavior !== 'default_incomplete' || given.trialEnd !== null) attemptPayment(world, invoice, where);
  return subscription;
}

/** The end of a period: the subscription ends with it, or the next one begins and is charged. */
export function endPeriod(world: World, subscription: SubscriptionRecord): void {
  const now = world.clock.now();
  if (subscription.cancelAtPeriodEnd || (subscription.cancelAt !== null && subscription.cancelAt <= now)) {
    cancelNow(world, subscription, 'cancellation_requested');
    return;
  }
  const { recurring } = priceOf(world, subscription.items[0] ?? { price: '' });
  if (!recurring) return;
  const carried = subscription.pendingLines;
  subscriptionChange(world, subscription, () => {
    if (subscription.status === 'trialing') {
      subscription.status = 'active';
      subscription.anchor = now;
    }
    subscription.periodStart = now;
    subscription.periodEnd = nextRenewal(subscription.anchor, recurring, now);
  });
  // An unpaid one goes on without being charged, until its open invoice is paid.
  if (subscription.status === 'unpaid') return;
  const lines = [
    ...carried,
    ...periodLines(world, subscription.items, subscription.periodStart, subscription.periodEnd),
  ];
  attemptPayment(world, openInvoice(world, subscription, { reason: 'subscription_cycle', lines }), 'later');
}
