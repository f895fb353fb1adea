import Stripe from 'stripe';
import type { PriceRecord } from '../../world/records.ts';

export function price(record: PriceRecord): Stripe.Price {
  const { recurring } = record;
  return {
    id: record.id,
    object: 'price',
    active: record.active,
    billing_scheme: 'per_unit',
    created: record.created,
    currency: record.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: record.lookupKey,
    metadata: record.metadata,
    nickname: record.nickname,
    product: record.product,
    recurring: recurring && {
      interval: recurring.interval,
      interval_count: recurring.count,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount: record.unitAmount,
    unit_amount_decimal: Stripe.Decimal.from(record.unitAmount),
  };
}

/** The older form of a price, which subscription items still carry. */
export function plan(record: PriceRecord): Stripe.Plan {
  return {
    id: record.id,
    object: 'plan',
    active: record.active,
    amount: record.unitAmount,
    amount_decimal: Stripe.Decimal.from(record.unitAmount),
    billing_scheme: 'per_unit',
    created: record.created,
    currency: record.currency,
    interval: record.recurring?.interval ?? 'month',
    interval_count: record.recurring?.count ?? 1,
    livemode: false,
    metadata: record.metadata,
    meter: null,
    nickname: record.nickname,
    product: record.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}
