import type Stripe from 'stripe';
import { z } from 'zod';
import { existing, invalidRequest } from '../../api/errors.ts';
import { clearable, flag, metadata, params, text } from '../../api/form.ts';
import { merged, page, paging, route } from '../../api/route.ts';
import { emit, emitChange } from '../../world/events.ts';
import type { ProductRecord } from '../../world/records.ts';
import { newId } from '../../world/store.ts';
import * as serialize from './serialize.ts';

export const productRoutes = [
  route(
    'POST',
    '/v1/products',
    params<Stripe.ProductCreateParams>()({
      id: text.optional(),
      name: text,
      description: text.optional(),
      active: flag.default(true),
      metadata: metadata.optional(),
    }),
    (world, input) => {
      const id = input.id ?? newId('prod', 14);
      if (world.store.products.has(id)) {
        throw invalidRequest(`Product already exists: ${id}`, { code: 'resource_already_exists', param: 'id' });
      }
      const now = world.clock.now();
      const record: ProductRecord = {
        id,
        created: now,
        updated: now,
        name: input.name,
        description: input.description ?? null,
        active: input.active,
        metadata: merged({}, input.metadata),
      };
      world.store.products.set(id, record);
      emit(world, 'product.created', serialize.product(record));
      return serialize.product(record);
    },
  ),

  route('GET', '/v1/products/:id', z.strictObject({}), (world, _input, id) =>
    serialize.product(existing(world.store.products.get(id), 'product', id)),
  ),

  route(
    'POST',
    '/v1/products/:id',
    params<Stripe.ProductUpdateParams>()({
      name: text.optional(),
      description: clearable.optional(),
      active: flag.optional(),
      metadata: metadata.optional(),
    }),
    (world, input, id) => {
      const record = existing(world.store.products.get(id), 'product', id);
      emitChange(
        world,
        'product.updated',
        () => serialize.product(record),
        () => {
          record.name = input.name ?? record.name;
          if (input.description !== undefined) record.description = input.description;
          record.active = input.active ?? record.active;
          record.metadata = merged(record.metadata, input.metadata);
          record.updated = world.clock.now();
        },
      );
      return serialize.product(record);
    },
  ),

  route(
    'GET',
    '/v1/products',
    params<Stripe.ProductListParams>()({ ...paging, active: flag.optional(), ids: z.array(text).optional() }),
    (world, input) => {
      const found = [...world.store.products.values()].filter(
        (each) =>
          (input.active === undefined || each.active === input.active) && (input.ids?.includes(each.id) ?? true),
      );
      return page(found, input, '/v1/products', serialize.product);
    },
  ),
];
