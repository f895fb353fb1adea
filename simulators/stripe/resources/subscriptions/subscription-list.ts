import type Stripe from 'stripe';
import { z } from 'zod';
import { params, text } from '../../api/form.ts';
import { page, paging, route } from '../../api/route.ts';
import type { SubscriptionRecord } from '../../world/records.ts';
import * as serialize from './serialize.ts';

export const listRoute = route(
  'GET',
  '/v1/subscriptions',
  params<Stripe.SubscriptionListParams>()({
    ...paging,
    customer: text.optional(),
    price: text.optional(),
    status: z
      .enum([
        'active',
        'all',
        'canceled',
        'ended',
        'incomplete',
        'incomplete_expired',
        'past_due',
        'paused',
        'trialing',
        'unpaid',
      ])
      .optional(),
  }),
  (world, input) => {
    const found = [...world.store.subscriptions.values()].filter(
      (each) =>
        (input.customer === undefined || each.customer === input.customer) &&
        (input.price === undefined || each.items.some(({ price }) => price === input.price)) &&
        hasStatus(each, input.status),
    );
    return page(found, input, '/v1/subscriptions', (each) => serialize.subscription(world, each));
  },
);

function hasStatus(record: SubscriptionRecord, status: string | undefined): boolean {
  if (status === 'all') return true;
  if (status === 'ended') return ['canceled', 'incomplete_expired'].includes(record.status);
  return status === undefined ? record.status !== 'canceled' : record.status === status;
}
