import type Stripe from 'stripe';
import type { PhaseRecord, ScheduleRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { billingMode } from '../subscriptions/serialize.ts';

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
