import { existing } from '../api/errors.ts';
import * as serialize from '../resources/invoices/serialize.ts';
import { subscription as serializeSubscription } from '../resources/subscriptions/serialize.ts';
import { emit, emitChange } from '../world/events.ts';
import type { InvoiceRecord, ItemRecord, LineRecord, PriceRecord, SubscriptionRecord } from '../world/records.ts';
import { newId } from '../world/store.ts';
import type { World } from '../world/world.ts';
import { amounts } from './amounts.ts';

/** A new invoice of a subscription with these lines, not yet in the books. */
export function draftInvoice(
  world: World,
  of: SubscriptionRecord,
  { reason, lines }: Pick<InvoiceRecord, 'reason' | 'lines'>,
): InvoiceRecord {
  const customer = existing(world.store.customers.get(of.customer), 'customer', of.customer);
  const [first] = of.items;
  return {
    id: newId('in'),
    created: world.clock.now(),
    customer: of.customer,
    subscription: of.id,
    number: null,
    reason,
    status: 'draft',
    currency: first ? priceOf(world, first).currency : 'usd',
    lines,
    periodStart: of.periodStart,
    periodEnd: of.periodEnd,
    startingBalance: customer.balance,
    endingBalance: null,
    attempts: 0,
    nextAttempt: null,
    autoAdvance: true,
    finalizedAt: null,
    paidAt: null,
    voidedAt: null,
    uncollectibleAt: null,
  };
}

/** Makes an invoice and finalizes it: it is then open, and waits to be paid. */
export function openInvoice(
  world: World,
  of: SubscriptionRecord,
  content: Pick<InvoiceRecord, 'reason' | 'lines'>,
): InvoiceRecord {
  const invoice = draftInvoice(world, of, content);
  const customer = existing(world.store.customers.get(of.customer), 'customer', of.customer);
  world.store.invoices.set(invoice.id, invoice);
  emit(world, 'invoice.created', serialize.invoice(world, invoice));
  invoice.status = 'open';
  invoice.finalizedAt = world.clock.now();
  invoice.number = `${customer.id.slice(-8).toUpperCase()}-${String(customer.nextInvoice).padStart(4, '0')}`;
  invoice.endingBalance = amounts(invoice).endingBalance;
  customer.nextInvoice += 1;
  customer.balance = invoice.endingBalance;
  emit(world, 'invoice.finalized', serialize.invoice(world, invoice));
  subscriptionChange(world, of, () => {
    of.latestInvoice = invoice.id;
    of.pendingLines = [];
  });
  return invoice;
}

/** Changes a subscription and tells of it. */
export function subscriptionChange(world: World, of: SubscriptionRecord, change: () => void): void {
  emitChange(world, 'customer.subscription.updated', () => serializeSubscription(world, of), change);
}

/** The lines of one whole period. */
export function periodLines(world: World, items: ItemRecord[], start: number, end: number): LineRecord[] {
  return items.map((item) => {
    const price = priceOf(world, item);
    const name = world.store.products.get(price.product)?.name ?? price.product;
    return {
      ...lineOf(item, price),
      amount: price.unitAmount * item.quantity,
      description: `${item.quantity} × ${name}`,
      proration: false,
      start,
      end,
    };
  });
}

/** Credits what is unused of the old items and, within the same period, charges the rest of it for the new ones. */
export function prorationLines(
  world: World,
  of: SubscriptionRecord,
  items: ItemRecord[],
  { at, creditOnly }: { at: number; creditOnly: boolean },
): LineRecord[] {
  // Nothing has been paid for a trial.
  if (of.status === 'trialing') return [];
  const share = (of.periodEnd - at) / (of.periodEnd - of.periodStart);
  const gone = of.items.filter((item) => creditOnly || !items.some((each) => sameItem(each, item)));
  const come = creditOnly ? [] : items.filter((item) => !of.items.some((each) => sameItem(each, item)));
  const line = (item: ItemRecord, sign: 1 | -1): LineRecord => {
    const price = priceOf(world, item);
    const name = world.store.products.get(price.product)?.name ?? price.product;
    return {
      ...lineOf(item, price),
      amount: sign * Math.round(price.unitAmount * item.quantity * share),
      description: `${sign === 1 ? 'Remaining' : 'Unused'} time on ${name} after ${day(at)}`,
      proration: true,
      start: at,
      end: of.periodEnd,
    };
  };
  return [...gone.map((item) => line(item, -1)), ...come.map((item) => line(item, 1))];
}

export function priceOf(world: World, item: Pick<ItemRecord, 'price'>): PriceRecord {
  return existing(world.store.prices.get(item.price), 'price', item.price);
}

function sameItem(a: ItemRecord, b: ItemRecord): boolean {
  return a.id === b.id && a.price === b.price && a.quantity === b.quantity;
}

function lineOf(item: ItemRecord, price: PriceRecord) {
  return { id: newId('il'), price: price.id, quantity: item.quantity, item: item.id };
}

function day(moment: number): string {
  return new Date(moment * 1000).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
}
