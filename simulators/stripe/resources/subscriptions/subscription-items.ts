import type Stripe from 'stripe';
import { z } from 'zod';
import { existing, invalidRequest, noSuch } from '../../api/errors.ts';
import { flag, metadata, params, text, whole } from '../../api/form.ts';
import { page, paging, route } from '../../api/route.ts';
import { priceOf } from '../../lifecycle/invoicing.ts';
import { changeItems } from '../../lifecycle/item-changes.ts';
import type { ItemRecord, SubscriptionRecord } from '../../world/records.ts';
import { newId } from '../../world/store.ts';
import type { World } from '../../world/world.ts';
import * as serialize from './serialize.ts';

export const quantity = whole.pipe(z.int().min(1));

/** A change of items as updates and previews take it. */
export const itemChanges = z
  .array(
    z.strictObject({
      id: text.optional(),
      price: text.optional(),
      quantity: quantity.optional(),
      deleted: flag.optional(),
      metadata: metadata.optional(),
    }),
  )
  .max(20);

export const prorationBehavior = z.enum(['always_invoice', 'create_prorations', 'none']);
export const paymentBehavior = z.enum([
  'allow_incomplete',
  'default_incomplete',
  'error_if_incomplete',
  'pending_if_incomplete',
]);
export const subscriptionItemRoutes = [
  route('GET', '/v1/subscription_items', z.strictObject({ ...paging, subscription: text }), (world, input) => {
    const record = existing(world.store.subscriptions.get(input.subscription), 'subscription', input.subscription);
    return page(record.items, input, '/v1/subscription_items', (each) =>
      serialize.subscriptionItem(world, record, each),
    );
  }),

  route('GET', '/v1/subscription_items/:id', z.strictObject({}), (world, _input, id) => {
    const { record, item } = ofItem(world, id);
    return serialize.subscriptionItem(world, record, item);
  }),

  route(
    'POST',
    '/v1/subscription_items/:id',
    params<Stripe.SubscriptionItemUpdateParams>()({
      price: text.optional(),
      quantity: quantity.optional(),
      proration_behavior: prorationBehavior.default('create_prorations'),
      payment_behavior: paymentBehavior.default('allow_incomplete'),
    }),
    (world, input, id) => {
      const { record } = ofItem(world, id);
      changeItems(world, record, {
        items: changedItems(world, record, [{ id, price: input.price, quantity: input.quantity }]),
        proration: input.proration_behavior,
        behavior: input.payment_behavior,
      });
      const { item } = ofItem(world, id);
      return serialize.subscriptionItem(world, record, item);
    },
  ),
];

/** The items after a change: named ones changed or taken away, others added. */
export function changedItems(
  world: World,
  record: SubscriptionRecord,
  changes: z.infer<typeof itemChanges>,
): ItemRecord[] {
  const items = record.items.map((item) => ({ ...item }));
  for (const [index, change] of changes.entries()) {
    if (change.price !== undefined) {
      const price = existing(world.store.prices.get(change.price), 'price', change.price, `items[${index}][price]`);
      if (!price.recurring) throw invalidRequest('The price specified is not recurring.');
    }
    const item = items.find(({ id }) => id === change.id);
    if (change.id !== undefined && !item) {
      throw invalidRequest(`No such subscription item: '${change.id}'`, { param: `items[${index}][id]` });
    }
    if (item && change.deleted) items.splice(items.indexOf(item), 1);
    else if (item) {
      item.price = change.price ?? item.price;
      item.quantity = change.quantity ?? item.quantity;
    } else if (change.price !== undefined) {
      const id = newId('si', 14);
      items.push({ id, created: world.clock.now(), price: change.price, quantity: change.quantity ?? 1, metadata: {} });
    } else throw invalidRequest('An item needs an id or a price.', { param: `items[${index}]` });
  }
  if (items.length === 0) throw invalidRequest('A subscription must have at least one item.', { param: 'items' });
  const intervals = new Set(items.map((item) => JSON.stringify(priceOf(world, item).recurring)));
  if (intervals.size > 1) {
    throw invalidRequest('If you would like to subscribe to prices with different intervals, use two subscriptions.');
  }
  return items;
}

function ofItem(world: World, id: string): { record: SubscriptionRecord; item: ItemRecord } {
  for (const record of world.store.subscriptions.values()) {
    const item = record.items.find((each) => each.id === id);
    if (item) return { record, item };
  }
  throw noSuch('subscription_item', id);
}
