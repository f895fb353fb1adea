import type Stripe from 'stripe';
import { existing } from '../errors.ts';
import type { ItemRecord, PhaseRecord, ScheduleRecord, SubscriptionRecord } from '../records.ts';
import type { World } from '../world.ts';
import { plan, price } from './catalogue.ts';
import { listOf } from './list.ts';

const billingMode = { type: 'flexible' as const, flexible: { proration_discounts: 'included' as const } };

export function subscription(world: World, record: SubscriptionRecord): Stripe.Subscription {
  const items = record.items.map((each) => subscriptionItem(world, record, each));
  const paused: Stripe.Subscription.StatusDetails | undefined =
    record.status === 'paused' && record.pausedAt !== null
      ? {
          paused: {
            subscription: { type: 'pause_requested' },
            transitioned_at: record.pausedAt,
            type: 'subscription',
          },
        }
      : undefined;
  return {
    id: record.id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: record.anchor,
    billing_cycle_anchor_config: null,
    billing_mode: billingMode,
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: record.cancelAtPeriodEnd ? record.periodEnd : record.cancelAt,
    cancel_at_period_end: record.cancelAtPeriodEnd,
    canceled_at: record.canceledAt,
    cancellation_details: { ...record.cancellation, feedback_option: null },
    collection_method: 'charge_automatically',
    created: record.created,
    currency: items[0]?.price.currency ?? 'usd',
    customer: record.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: record.defaultPaymentMethod,
    default_source: null,
    default_tax_rates: [],
    description: record.description,
    discounts: [],
    ended_at: record.endedAt,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: listOf(items, `/v1/subscription_items?subscription=${record.id}`),
    latest_invoice: record.latestInvoice,
    livemode: false,
    managed_payments: null,
    metadata: record.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: record.pendingUpdate && {
      billing_cycle_anchor: null,
      cancel_at_period_end: null,
      discount: null,
      discounts: null,
      expires_at: record.pendingUpdate.expiresAt,
      metadata: null,
      subscription_items: record.pendingUpdate.items.map((each) => subscriptionItem(world, record, each)),
      trial_end: null,
      trial_from_plan: null,
    },
    schedule: record.schedule,
    start_date: record.created,
    status: record.status,
    ...(paused && { status_details: paused }),
    test_clock: null,
    transfer_data: null,
    trial_end: record.trialEnd,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
    trial_start: record.trialStart,
  };
}

export function subscriptionItem(world: World, of: SubscriptionRecord, record: ItemRecord): Stripe.SubscriptionItem {
  const its = existing(world.store.prices.get(record.price), 'price', record.price);
  return {
    id: record.id,
    object: 'subscription_item',
    billing_thresholds: null,
    created: record.created,
    current_period_end: of.periodEnd,
    current_period_start: of.periodStart,
    current_trial: null,
    discounts: [],
    metadata: record.metadata,
    plan: plan(its),
    price: price(its),
    quantity: record.quantity,
    subscription: of.id,
    tax_rates: [],
  };
}

export function schedule(world: World, record: ScheduleRecord): Stripe.SubscriptionSchedule {
  const now = world.clock.now();
  const current = record.phases.find(({ start, end }) => start <= now && now < end);
  return {
    id: record.id,
    object: 'subscription_schedule',
    application: null,
    billing_mode: billingMode,
    canceled_at: record.canceledAt,
    completed_at: record.completedAt,
    created: record.created,
    current_phase: record.status === 'active' && current ? { start_date: current.start, end_date: current.end } : null,
    customer: record.customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      automatic_tax: { disabled_reason: null, enabled: false, liability: null },
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: record.endBehavior,
    livemode: false,
    metadata: record.metadata,
    pause_schedules: [],
    phases: record.phases.map(phase),
    released_at: record.releasedAt,
    released_subscription: record.releasedSubscription,
    status: record.status,
    subscription: record.subscription,
    test_clock: null,
  };
}

function phase(record: PhaseRecord): Stripe.SubscriptionSchedule.Phase {
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency: 'usd',
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    end_date: record.end,
    invoice_settings: null,
    items: record.items.map(({ price: id, quantity }) => ({
      billing_thresholds: null,
      discounts: [],
      metadata: {},
      plan: id,
      price: id,
      quantity,
      tax_rates: [],
    })),
    metadata: {},
    on_behalf_of: null,
    proration_behavior: record.proration,
    start_date: record.start,
    transfer_data: null,
    trial_end: null,
  };
}
