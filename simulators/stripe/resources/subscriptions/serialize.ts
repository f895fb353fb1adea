import type Stripe from 'stripe';
import { existing } from '../../api/errors.ts';
import { listOf } from '../../api/list.ts';
import type { ItemRecord, SubscriptionRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { plan, price } from '../prices/serialize.ts';

export const billingMode = { type: 'flexible' as const, flexible: { proration_discounts: 'included' as const } };

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
