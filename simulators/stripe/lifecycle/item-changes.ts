import { invalidRequest } from '../api/errors.ts';
import { subscription as serialize } from '../resources/subscriptions/serialize.ts';
import { emit, emitChange } from '../world/events.ts';
import type { InvoiceRecord, ItemRecord, LineRecord, SubscriptionRecord } from '../world/records.ts';
import { newId } from '../world/store.ts';
import type { World } from '../world/world.ts';
import { nextRenewal } from './calendar.ts';
import { applyItems, attemptPayment, cardFor, chargeCard, paymentFailure, voidInvoice } from './collection.ts';
import { draftInvoice, openInvoice, periodLines, priceOf, prorationLines, subscriptionChange } from './invoicing.ts';

export type PaymentBehavior =
  | 'allow_incomplete'
  | 'default_incomplete'
  | 'error_if_incomplete'
  | 'pending_if_incomplete';
export type Proration = 'always_invoice' | 'create_prorations' | 'none';

/** An unpaid first invoice, or a change that waits for its payment, is given up after this time. */
export const incompleteSeconds = 23 * 3600;

export interface ItemChange {
  items: ItemRecord[];
  proration: Proration;
  behavior: PaymentBehavior;
  prorationDate?: number | undefined;
  anchorNow?: boolean | undefined;
}

/** Puts other items in force; a price with another interval begins a new period at once. */
export function changeItems(world: World, subscription: SubscriptionRecord, change: ItemChange): void {
  const { lines, invoiceNow, anchorNow } = consequences(world, subscription, change);
  const apply = () => applyItems(world, subscription, change.items, anchorNow);
  if (!invoiceNow || lines.length === 0) {
    subscriptionChange(world, subscription, apply);
    subscription.pendingLines.push(...lines);
    return;
  }
  if (change.behavior === 'error_if_incomplete') {
    const result = chargeCard(
      world,
      cardFor(world, { customer: subscription.customer, subscription: subscription.id }),
      'later',
    );
    if (result.outcome !== 'paid') throw paymentFailure(result);
  }
  const all = [...subscription.pendingLines, ...lines];
  if (change.behavior !== 'pending_if_incomplete') {
    subscriptionChange(world, subscription, apply);
    attemptPayment(world, openInvoice(world, subscription, { reason: 'subscription_update', lines: all }), 'later');
    return;
  }
  const invoice = openInvoice(world, subscription, { reason: 'subscription_update', lines: all });
  subscription.pendingUpdate = {
    items: change.items,
    anchorNow,
    invoice: invoice.id,
    expiresAt: world.clock.now() + incompleteSeconds,
  };
  const { outcome } = attemptPayment(world, invoice, 'later');
  if (outcome !== 'paid') emit(world, 'customer.subscription.updated', serialize(world, subscription));
}

/** Gives up a change whose payment has not come. */
export function expirePendingUpdate(world: World, subscription: SubscriptionRecord): void {
  const invoice = world.store.invoices.get(subscription.pendingUpdate?.invoice ?? '');
  emitChange(
    world,
    'customer.subscription.pending_update_expired',
    () => serialize(world, subscription),
    () => {
      subscription.pendingUpdate = null;
    },
  );
  if (invoice?.status === 'open') voidInvoice(world, invoice);
}

/**
 * The invoice that a change would bring, or the next one where nothing is changed; kept nowhere.
 * @throws StripeFailure `invoice_upcoming_none` when no further invoice comes
 */
export function previewInvoice(
  world: World,
  subscription: SubscriptionRecord,
  change?: Pick<ItemChange, 'items' | 'proration' | 'prorationDate' | 'anchorNow'>,
): InvoiceRecord {
  const { lines, invoiceNow } = change
    ? consequences(world, subscription, { ...change, behavior: 'allow_incomplete' })
    : { lines: [], invoiceNow: false };
  if (invoiceNow) {
    return { ...draftInvoice(world, subscription, { reason: 'subscription_update', lines }), id: newId('upcoming_in') };
  }
  const ends = subscription.cancelAtPeriodEnd || (subscription.cancelAt ?? Infinity) <= subscription.periodEnd;
  if (ends || subscription.status === 'canceled') {
    throw invalidRequest('No upcoming invoices for customer', { code: 'invoice_upcoming_none' });
  }
  const items = change?.items ?? itemsAt(world, subscription, subscription.periodEnd);
  const start = subscription.periodEnd;
  const recurring = priceOf(world, items[0] ?? { price: '' }).recurring;
  const end = recurring ? nextRenewal(anchorFrom(world, subscription, items, start), recurring, start) : start;
  const all = [...subscription.pendingLines, ...lines, ...periodLines(world, items, start, end)];
  const draft = draftInvoice(world, subscription, { reason: 'subscription_cycle', lines: all });
  return { ...draft, id: newId('upcoming_in'), created: start, periodStart: start, periodEnd: end, nextAttempt: start };
}

/** What fixes the renewal days from a renewal on: the same as before, or that renewal where the interval is another. */
export function anchorFrom(
  world: World,
  subscription: SubscriptionRecord,
  items: ItemRecord[],
  renewal: number,
): number {
  return intervalOf(world, items) === intervalOf(world, subscription.items) ? subscription.anchor : renewal;
}

/** The items in force at a moment to come, by the schedule where there is one. */
function itemsAt(world: World, subscription: SubscriptionRecord, moment: number): ItemRecord[] {
  const schedule = world.store.schedules.get(subscription.schedule ?? '');
  const phase = schedule?.phases.find(({ start, end }) => start <= moment && moment < end);
  return phase ? itemsOfPhase(subscription, phase.items) : subscription.items;
}

/** A phase's items, with the ids of those that they take the place of. */
export function itemsOfPhase(
  subscription: SubscriptionRecord,
  items: Pick<ItemRecord, 'price' | 'quantity'>[],
): ItemRecord[] {
  return items.map(({ price, quantity }, index) => ({
    id: subscription.items[index]?.id ?? newId('si', 14),
    created: subscription.items[index]?.created ?? subscription.created,
    price,
    quantity,
    metadata: {},
  }));
}

function consequences(
  world: World,
  subscription: SubscriptionRecord,
  { items, proration, prorationDate, anchorNow: asked }: ItemChange,
): { lines: LineRecord[]; invoiceNow: boolean; anchorNow: boolean } {
  const now = world.clock.now();
  const anchorNow = (asked ?? false) || intervalOf(world, items) !== intervalOf(world, subscription.items);
  if (subscription.status === 'trialing') return { lines: [], invoiceNow: false, anchorNow: false };
  const prorations =
    proration === 'none'
      ? []
      : prorationLines(world, subscription, items, { at: prorationDate ?? now, creditOnly: anchorNow });
  if (!anchorNow) return { lines: prorations, invoiceNow: proration === 'always_invoice', anchorNow };
  const { recurring } = priceOf(world, items[0] ?? { price: '' });
  const end = recurring ? nextRenewal(now, recurring, now) : now;
  return { lines: [...prorations, ...periodLines(world, items, now, end)], invoiceNow: true, anchorNow };
}

function intervalOf(world: World, items: ItemRecord[]): string {
  const recurring = items[0] && priceOf(world, items[0]).recurring;
  return recurring ? `${recurring.count} ${recurring.interval}` : '';
}
