import { existing, StripeFailure } from '../api/errors.ts';
import * as serialize from '../resources/invoices/serialize.ts';
import { schedule as serializeSchedule } from '../resources/schedules/serialize.ts';
import { subscription as serializeSubscription } from '../resources/subscriptions/serialize.ts';
import { emit, emitChange } from '../world/events.ts';
import type { InvoiceRecord, ItemRecord, PaymentMethodRecord, SubscriptionRecord } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { amounts } from './amounts.ts';
import { nextRenewal } from './calendar.ts';
import { type ChargeResult, charge, declined } from './cards.ts';
import { priceOf, subscriptionChange } from './invoicing.ts';

type Where = Parameters<typeof charge>[1];

/** Tries to collect an open invoice, and lets its subscription follow. */
export function attemptPayment(
  world: World,
  invoice: InvoiceRecord,
  where: Where,
  card = cardFor(world, invoice),
): ChargeResult {
  const result: ChargeResult = amounts(invoice).due === 0 ? { outcome: 'paid' } : chargeCard(world, card, where);
  invoice.attempts += 1;
  if (result.outcome === 'paid') {
    markPaid(world, invoice);
    return result;
  }
  const subscription = subscriptionOf(world, invoice);
  const retries = invoice.autoAdvance && invoice.reason !== 'subscription_create';
  const waits = retries ? world.settings.retryDays[invoice.attempts - 1] : undefined;
  invoice.nextAttempt = waits === undefined ? null : world.clock.now() + waits * 86_400;
  if (result.outcome === 'authentication') {
    emit(world, 'invoice.payment_action_required', serialize.invoice(world, invoice));
  }
  emit(world, 'invoice.payment_failed', serialize.invoice(world, invoice));
  // A change that waits for its payment leaves the subscription as it is.
  if (subscription.pendingUpdate?.invoice !== invoice.id) afterFailure(world, invoice, subscription);
  return result;
}

/** Charges a card, unless every card is to be refused. */
export function chargeCard(world: World, card: PaymentMethodRecord | undefined, where: Where): ChargeResult {
  if (world.faults.refuseCards) return declined('card_declined', 'generic_decline', 'Your card was declined.');
  return charge(card, where);
}

/** What the API answers for a payment that was not made. */
export function paymentFailure(result: Exclude<ChargeResult, { outcome: 'paid' }>): StripeFailure {
  if (result.outcome === 'authentication') {
    return new StripeFailure(402, 'card_error', 'This payment requires additional user action before it can succeed.', {
      code: 'invoice_payment_intent_requires_action',
    });
  }
  return new StripeFailure(402, 'card_error', result.message, { code: result.code, declineCode: result.declineCode });
}

/** The card that an invoice is charged to: the subscription's own, else the customer's. */
export function cardFor(
  world: World,
  of: Pick<InvoiceRecord, 'subscription' | 'customer'>,
): PaymentMethodRecord | undefined {
  const own = world.store.subscriptions.get(of.subscription)?.defaultPaymentMethod;
  const id = own ?? world.store.customers.get(of.customer)?.defaultPaymentMethod;
  const card = id ? world.store.paymentMethods.get(id) : undefined;
  return card?.customer === of.customer ? card : undefined;
}

/** Takes an invoice out of collection. */
export function voidInvoice(world: World, invoice: InvoiceRecord): void {
  invoice.status = 'void';
  invoice.voidedAt = world.clock.now();
  invoice.nextAttempt = null;
  const customer = world.store.customers.get(invoice.customer);
  // Credit that it had used up is given back.
  if (customer) customer.balance += invoice.startingBalance - (invoice.endingBalance ?? invoice.startingBalance);
  emit(world, 'invoice.voided', serialize.invoice(world, invoice));
}

/** Ends a subscription at this moment. */
export function cancelNow(
  world: World,
  subscription: SubscriptionRecord,
  reason: 'cancellation_requested' | 'payment_failed',
): void {
  const now = world.clock.now();
  subscription.status = 'canceled';
  subscription.endedAt = now;
  subscription.canceledAt ??= now;
  subscription.cancellation.reason ??= reason;
  const pending = subscription.pendingUpdate;
  subscription.pendingUpdate = null;
  subscription.pendingLines = [];
  for (const invoice of world.store.invoices.values()) {
    if (invoice.subscription !== subscription.id || invoice.status !== 'open') continue;
    invoice.autoAdvance = false;
    invoice.nextAttempt = null;
    if (invoice.id === pending?.invoice) voidInvoice(world, invoice);
  }
  const schedule = subscription.schedule === null ? undefined : world.store.schedules.get(subscription.schedule);
  if (schedule?.status === 'active') {
    schedule.status = 'canceled';
    schedule.canceledAt = now;
    emit(world, 'subscription_schedule.canceled', serializeSchedule(world, schedule));
  }
  emit(world, 'customer.subscription.deleted', serializeSubscription(world, subscription));
}

/** Puts other items in force; from now on, where the period begins anew. */
export function applyItems(world: World, of: SubscriptionRecord, items: ItemRecord[], anchorNow: boolean): void {
  of.items = items;
  const [first] = items;
  const recurring = first && priceOf(world, first).recurring;
  if (!anchorNow || !recurring) return;
  const now = world.clock.now();
  of.anchor = now;
  of.periodStart = now;
  of.periodEnd = nextRenewal(now, recurring, now);
}

function markPaid(world: World, invoice: InvoiceRecord): void {
  const subscription = subscriptionOf(world, invoice);
  invoice.status = 'paid';
  invoice.paidAt = world.clock.now();
  invoice.nextAttempt = null;
  emit(world, 'invoice.paid', serialize.invoice(world, invoice));
  emit(world, 'invoice.payment_succeeded', serialize.invoice(world, invoice));
  const pending = subscription.pendingUpdate;
  if (pending?.invoice === invoice.id) {
    const change = () => {
      applyItems(world, subscription, pending.items, pending.anchorNow);
      subscription.pendingUpdate = null;
    };
    // A change that was paid at once has never been pending to anyone.
    if (invoice.attempts === 1) subscriptionChange(world, subscription, change);
    else
      emitChange(
        world,
        'customer.subscription.pending_update_applied',
        () => serializeSubscription(world, subscription),
        change,
      );
  }
  const owing = [...world.store.invoices.values()].some(
    (each) => each.subscription === subscription.id && each.status === 'open' && each.id !== pending?.invoice,
  );
  const recovers = ['incomplete', 'past_due', 'unpaid'].includes(subscription.status) && !owing;
  if (recovers)
    subscriptionChange(world, subscription, () => {
      subscription.status = 'active';
    });
}

function afterFailure(world: World, invoice: InvoiceRecord, subscription: SubscriptionRecord): void {
  if (invoice.reason === 'subscription_create' || subscription.status === 'canceled') return;
  if (subscription.status === 'active' || subscription.status === 'trialing') {
    subscriptionChange(world, subscription, () => {
      subscription.status = 'past_due';
    });
  }
  const givenUp = invoice.nextAttempt === null && invoice.attempts > world.settings.retryDays.length;
  if (!givenUp) return;
  const { afterRetries } = world.settings;
  if (afterRetries === 'canceled') cancelNow(world, subscription, 'payment_failed');
  else
    subscriptionChange(world, subscription, () => {
      subscription.status = afterRetries;
    });
}

function subscriptionOf(world: World, invoice: InvoiceRecord): SubscriptionRecord {
  return existing(world.store.subscriptions.get(invoice.subscription), 'subscription', invoice.subscription);
}
