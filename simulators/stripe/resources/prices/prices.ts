import type Stripe from 'stripe';
import { z } from 'zod';
import { existing, invalidRequest } from '../../api/errors.ts';
import { clearable, flag, metadata, params, text, whole } from '../../api/form.ts';
import { merged, page, paging, route } from '../../api/route.ts';
import { emit, emitChange } from '../../world/events.ts';
import type { PriceRecord } from '../../world/records.ts';
import { newId } from '../../world/store.ts';
import type { World } from '../../world/world.ts';
import * as serialize from './serialize.ts';

export const priceRoutes = [
  route(
    'POST',
    '/v1/prices',
    params<Stripe.PriceCreateParams>()({
      currency: text,
      product: text,
      unit_amount: whole,
      active: flag.default(true),
      nickname: text.optional(),
      lookup_key: text.optional(),
      transfer_lookup_key: flag.default(false),
      recurring: z
        .strictObject({
          interval: z.enum(['day', 'week', 'month', 'year']),
          interval_count: whole.pipe(z.int().min(1)).default(1),
        })
        .optional(),
      metadata: metadata.optional(),
    }),
    (world, input) => {
      existing(world.store.products.get(input.product), 'product', input.product, 'product');
      const record: PriceRecord = {
        id: newId('price'),
        created: world.clock.now(),
        product: input.product,
        active: input.active,
        currency: input.currency,
        unitAmount: input.unit_amount,
        recurring: input.recurring
          ? { interval: input.recurring.interval, count: input.recurring.interval_count }
          : null,
        lookupKey: null,
        nickname: input.nickname ?? null,
        metadata: merged({}, input.metadata),
      };
      takeLookupKey(world, record, input);
      world.store.prices.set(record.id, record);
      emit(world, 'price.created', serialize.price(record));
      return serialize.price(record);
    },
  ),

  route('GET', '/v1/prices/:id', z.strictObject({}), (world, _input, id) =>
    serialize.price(existing(world.store.prices.get(id), 'price', id)),
  ),

  route(
    'POST',
    '/v1/prices/:id',
    params<Stripe.PriceUpdateParams>()({
      active: flag.optional(),
      nickname: clearable.optional(),
      lookup_key: text.optional(),
      transfer_lookup_key: flag.default(false),
      metadata: metadata.optional(),
    }),
    (world, input, id) => {
      const record = existing(world.store.prices.get(id), 'price', id);
      emitChange(
        world,
        'price.updated',
        () => serialize.price(record),
        () => {
          record.active = input.active ?? record.active;
          if (input.nickname !== undefined) record.nickname = input.nickname;
          record.metadata = merged(record.metadata, input.metadata);
          takeLookupKey(world, record, input);
        },
      );
      return serialize.price(record);
    },
  ),

  route(
    'GET',
    '/v1/prices',
    params<Stripe.PriceListParams>()({
      ...paging,
      active: flag.optional(),
      product: text.optional(),
      lookup_keys: z.array(text).max(10).optional(),
      type: z.enum(['one_time', 'recurring']).optional(),
    }),
    (world, input) => {
      const found = [...world.store.prices.values()].filter(
        (each) =>
          (input.active === undefined || each.active === input.active) &&
          (input.product === undefined || each.product === input.product) &&
          (input.type === undefined || (each.recurring ? 'recurring' : 'one_time') === input.type) &&
          (input.lookup_keys === undefined || input.lookup_keys.includes(each.lookupKey ?? '')),
      );
      return page(found, input, '/v1/prices', serialize.price);
    },
  ),
];

/** A lookup key belongs to one price; it can be taken over from another. */
function takeLookupKey(
  world: World,
  record: PriceRecord,
  { lookup_key: key, transfer_lookup_key: transfer }: { lookup_key?: string | undefined; transfer_lookup_key: boolean },
): void {
  if (key === undefined) return;
  const holder = [...world.store.prices.values()].find((each) => each.lookupKey === key && each.id !== record.id);
  if (holder && !transfer) {
    throw invalidRequest(`A price (\`${holder.id}\`) already uses that lookup key.`, { param: 'lookup_key' });
  }
  if (holder) holder.lookupKey = null;
  record.lookupKey = key;
}
