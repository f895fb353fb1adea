import { checkoutSession } from '../resources/checkout-sessions/serialize.ts';
import { invoice as serializeInvoice } from '../resources/invoices/serialize.ts';
import { subscription as serializeSubscription } from '../resources/subscriptions/serialize.ts';
import { emit } from '../world/events.ts';
import type { SubscriptionRecord } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { attemptPayment, cancelNow, voidInvoice } from './collection.ts';
import { subscriptionChange } from './invoicing.ts';
import { expirePendingUpdate, incompleteSeconds, previewInvoice } from './item-changes.ts';
import { endPeriod } from './lifecycle.ts';
import { endPhase } from './schedule-phases.ts';

/** Days before a renewal on which it is announced. */
const upcomingDays = 7;
const trialNoticeDays = 3;

interface Due {
  at: number;
  run: () => void;
}

/** Does everything whose time has come, in the order of time, each as if it were that very moment. */
export function settle(world: World, until = world.clock.now()): void {
  for (;;) {
    const next = nextDue(world);
    if (!next || next.at > until) return;
    world.clock.at(next.at, next.run);
  }
}

/** Moves the clock ahead and lets happen what lies between. */
export function moveClock(world: World, moment: number): void {
  settle(world);
  settle(world, moment);
  world.clock.moveTo(moment);
}

/** The first by time; of several at one moment the first by the order in which they are listed here. */
function nextDue(world: World): Due | undefined {
  let first: Due | undefined;
  for (const each of all(world)) if (!first || each.at < first.at) first = each;
  return first;
}

function* all(world: World): Generator<Due> {
  const { store } = world;
  for (const schedule of store.schedules.values()) {
    const phase = schedule.phases[schedule.phase];
    if (schedule.status === 'active' && phase) yield { at: phase.end, run: () => endPhase(world, schedule) };
  }
  for (const subscription of store.subscriptions.values()) yield* ofSubscription(world, subscription);
  for (const invoice of store.invoices.values()) {
    if (invoice.status === 'open' && invoice.nextAttempt !== null) {
      yield { at: invoice.nextAttempt, run: () => attemptPayment(world, invoice, 'later') };
    }
  }
  for (const session of store.checkouts.values()) {
    if (session.status !== 'open') continue;
    yield {
      at: session.expiresAt,
      run: () => {
        session.status = 'expired';
        emit(world, 'checkout.session.expired', checkoutSession(world, session));
      },
    };
  }
}

function* ofSubscription(world: World, subscription: SubscriptionRecord): Generator<Due> {
  const { status, periodEnd, trialEnd, cancelAt, pendingUpdate } = subscription;
  if (status === 'incomplete') {
    yield { at: subscription.created + incompleteSeconds, run: () => giveUp(world, subscription) };
  }
  if (!['trialing', 'active', 'past_due', 'unpaid'].includes(status)) return;
  if (cancelAt !== null && cancelAt < periodEnd) {
    yield { at: cancelAt, run: () => cancelNow(world, subscription, 'cancellation_requested') };
  }
  if (pendingUpdate) yield { at: pendingUpdate.expiresAt, run: () => expirePendingUpdate(world, subscription) };
  if (status === 'trialing' && trialEnd !== null && !subscription.trialEndAnnounced) {
    const run = () => {
      subscription.trialEndAnnounced = true;
      emit(world, 'customer.subscription.trial_will_end', serializeSubscription(world, subscription));
    };
    yield { at: Math.max(subscription.created, trialEnd - trialNoticeDays * 86_400), run };
  }
  const continues = !subscription.cancelAtPeriodEnd && cancelAt === null && status === 'active';
  if (continues && subscription.announced !== periodEnd) {
    const run = () => {
      subscription.announced = periodEnd;
      emit(world, 'invoice.upcoming', serializeInvoice(world, previewInvoice(world, subscription)));
    };
    yield { at: Math.max(subscription.periodStart, periodEnd - upcomingDays * 86_400), run };
  }
  yield { at: periodEnd, run: () => endPeriod(world, subscription) };
}

/** A first payment that never came. */
function giveUp(world: World, subscription: SubscriptionRecord): void {
  subscriptionChange(world, subscription, () => {
    subscription.status = 'incomplete_expired';
    subscription.endedAt = world.clock.now();
  });
  const invoice = world.store.invoices.get(subscription.latestInvoice ?? '');
  if (invoice?.status === 'open') voidInvoice(world, invoice);
}
