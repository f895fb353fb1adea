import type Stripe from 'stripe';
import { z } from 'zod';
import { existing, invalidRequest } from '../../api/errors.ts';
import { clearable, flag, metadata, params, text, whole } from '../../api/form.ts';
import { merged, route } from '../../api/route.ts';
import { applyItems, cancelNow } from '../../lifecycle/collection.ts';
import { priceOf, subscriptionChange } from '../../lifecycle/invoicing.ts';
import { changeItems } from '../../lifecycle/item-changes.ts';
import { createSubscription, endPeriod } from '../../lifecycle/lifecycle.ts';
import { emitChange } from '../../world/events.ts';
import type { SubscriptionRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { liveCustomer } from '../customers/live-customer.ts';
import { ownCard } from '../payment-methods/payment-methods.ts';
import * as serialize from './serialize.ts';
import { changedItems, itemChanges, paymentBehavior, prorationBehavior, quantity } from './subscription-items.ts';
import { listRoute } from './subscription-list.ts';

const anchor = z.strictObject({ type: z.enum(['now', 'unchanged']) });
const cancellation = z.strictObject({ comment: clearable.optional(), feedback: clearable.optional() });
const trialEnd = z.union([z.literal('now'), whole]);

export const subscriptionRoutes = [
  route(
    'POST',
    '/v1/subscriptions',
    params<Stripe.SubscriptionCreateParams>()({
      customer: text,
      items: z.array(z.strictObject({ price: text, quantity: quantity.default(1) })).min(1),
      default_payment_method: text.optional(),
      payment_behavior: paymentBehavior.default('allow_incomplete'),
      trial_end: trialEnd.optional(),
      trial_period_days: quantity.optional(),
      description: text.optional(),
      metadata: metadata.optional(),
    }),
    (world, input) => {
      const customer = liveCustomer(world, input.customer);
      for (const item of input.items) priceOf(world, item);
      const days = input.trial_period_days;
      const record = createSubscription(world, {
        customer: customer.id,
        items: input.items,
        trialEnd:
          days !== undefined
            ? world.clock.now() + days * 86_400
            : typeof input.trial_end === 'number'
              ? input.trial_end
              : null,
        metadata: merged({}, input.metadata),
        description: input.description ?? null,
        defaultPaymentMethod:
          input.default_payment_method === undefined ? null : ownCard(world, input.default_payment_method, customer.id),
        behavior: input.payment_behavior,
        onPage: false,
      });
      return serialize.subscription(world, record);
    },
  ),

  route('GET', '/v1/subscriptions/:id', z.strictObject({}), (world, _input, id) =>
    serialize.subscription(world, known(world, id)),
  ),

  listRoute,

  route(
    'POST',
    '/v1/subscriptions/:id',
    params<Stripe.SubscriptionUpdateParams>()({
      items: itemChanges.optional(),
      proration_behavior: prorationBehavior.default('create_prorations'),
      proration_date: whole.optional(),
      payment_behavior: paymentBehavior.default('allow_incomplete'),
      billing_cycle_anchor: anchor.optional(),
      cancel_at_period_end: flag.optional(),
      cancel_at: z.union([z.literal('').transform(() => null), whole]).optional(),
      cancellation_details: cancellation.optional(),
      default_payment_method: clearable.optional(),
      trial_end: trialEnd.optional(),
      description: clearable.optional(),
      metadata: metadata.optional(),
    }),
    (world, input, id) => {
      const record = living(world, id);
      const simple = [input.cancel_at_period_end, input.cancel_at, input.metadata, input.description].some(
        (each) => each !== undefined,
      );
      if (input.payment_behavior === 'pending_if_incomplete' && simple) {
        throw invalidRequest(
          'When `payment_behavior` is set to `pending_if_incomplete`, only items, proration_behavior, proration_date, trial_end and billing_cycle_anchor can be changed.',
          { param: 'payment_behavior' },
        );
      }
      const canceling = input.cancel_at_period_end !== undefined || input.cancel_at !== undefined;
      if (canceling && record.schedule !== null) {
        throw invalidRequest(
          `The subscription is managed by the subscription schedule \`${record.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
        );
      }
      const items = input.items && changedItems(world, record, input.items);
      subscriptionChange(world, record, () => {
        if (input.cancel_at_period_end !== undefined) setCancel(world, record, input.cancel_at_period_end);
        if (input.cancel_at !== undefined) {
          record.cancelAt = input.cancel_at;
          record.canceledAt = input.cancel_at === null ? null : world.clock.now();
        }
        if (input.cancellation_details?.comment !== undefined)
          record.cancellation.comment = input.cancellation_details.comment;
        if (input.cancellation_details?.feedback !== undefined)
          record.cancellation.feedback = input.cancellation_details.feedback;
        if (input.default_payment_method !== undefined) {
          const card = input.default_payment_method;
          record.defaultPaymentMethod = card === null ? null : ownCard(world, card, record.customer);
        }
        if (input.description !== undefined) record.description = input.description;
        record.metadata = merged(record.metadata, input.metadata);
        if (typeof input.trial_end === 'number') {
          record.status = 'trialing';
          record.trialStart ??= world.clock.now();
          record.trialEnd = input.trial_end;
          record.periodEnd = input.trial_end;
        }
      });
      const anchorNow = input.billing_cycle_anchor?.type === 'now';
      if (items || anchorNow) {
        changeItems(world, record, {
          items: items ?? record.items,
          proration: input.proration_behavior,
          behavior: input.payment_behavior,
          prorationDate: input.proration_date,
          anchorNow,
        });
      }
      if (input.trial_end === 'now' && record.status === 'trialing') {
        record.trialEnd = world.clock.now();
        endPeriod(world, record);
      }
      return serialize.subscription(world, record);
    },
  ),

  route(
    'DELETE',
    '/v1/subscriptions/:id',
    params<Stripe.SubscriptionCancelParams>()({ cancellation_details: cancellation.optional() }),
    (world, input, id) => {
      const record = living(world, id);
      record.cancellation.comment = input.cancellation_details?.comment ?? null;
      record.cancellation.feedback = input.cancellation_details?.feedback ?? null;
      cancelNow(world, record, 'cancellation_requested');
      return serialize.subscription(world, record);
    },
  ),

  route('POST', '/v1/subscriptions/:id/pause', z.strictObject({ type: text.optional() }), (world, _input, id) => {
    const record = living(world, id);
    if (record.status !== 'active') throw invalidRequest('Only an active subscription can be paused.');
    const change = () => {
      record.status = 'paused';
      record.pausedAt = world.clock.now();
    };
    emitChange(world, 'customer.subscription.paused', () => serialize.subscription(world, record), change);
    return serialize.subscription(world, record);
  }),

  route(
    'POST',
    '/v1/subscriptions/:id/resume',
    params<Stripe.SubscriptionResumeParams>()({
      billing_cycle_anchor: anchor.optional(),
      proration_behavior: prorationBehavior.optional(),
    }),
    (world, input, id) => {
      const record = living(world, id);
      if (record.status !== 'paused') throw invalidRequest('Only a paused subscription can be resumed.');
      const change = () => {
        record.status = 'active';
        record.pausedAt = null;
        const over = record.periodEnd <= world.clock.now();
        applyItems(world, record, record.items, over && input.billing_cycle_anchor?.type !== 'unchanged');
      };
      emitChange(world, 'customer.subscription.resumed', () => serialize.subscription(world, record), change);
      return serialize.subscription(world, record);
    },
  ),
];

function setCancel(world: World, record: SubscriptionRecord, atPeriodEnd: boolean): void {
  record.cancelAtPeriodEnd = atPeriodEnd;
  record.cancelAt = null;
  record.canceledAt = atPeriodEnd ? world.clock.now() : null;
  record.cancellation.reason = atPeriodEnd ? 'cancellation_requested' : null;
}

function known(world: World, id: string): SubscriptionRecord {
  return existing(world.store.subscriptions.get(id), 'subscription', id);
}

/** A subscription that has ended can't be changed. */
function living(world: World, id: string): SubscriptionRecord {
  const record = known(world, id);
  if (record.endedAt !== null) {
    throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.', {
      code: 'resource_missing',
      param: 'id',
    });
  }
  return record;
}
