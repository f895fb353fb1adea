import type Stripe from 'stripe';
import { z } from 'zod';
import { existing } from '../../api/errors.ts';
import { flag, params, text, whole } from '../../api/form.ts';
import { page, paging, route } from '../../api/route.ts';
import { event } from './serialize.ts';

const range = z.union([
  whole.transform((at) => ({ gte: at, lte: at, gt: undefined, lt: undefined })),
  z.strictObject({ gt: whole.optional(), gte: whole.optional(), lt: whole.optional(), lte: whole.optional() }),
]);

export const eventRoutes = [
  route('GET', '/v1/events/:id', z.strictObject({}), (world, _input, id) =>
    event(existing(world.store.events.get(id), 'event', id)),
  ),

  route(
    'GET',
    '/v1/events',
    params<Stripe.EventListParams>()({
      ...paging,
      type: text.optional(),
      types: z.array(text).max(20).optional(),
      created: range.optional(),
      delivery_success: flag.optional(),
    }),
    (world, input) => {
      const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = input.created ?? {};
      const kept = world.clock.now() - 30 * 86_400;
      const found = [...world.store.events.values()].filter(
        (each) =>
          each.created > kept &&
          (input.type === undefined || matches(input.type, each.type)) &&
          (input.types?.some((type) => matches(type, each.type)) ?? true) &&
          each.created > gt &&
          each.created >= gte &&
          each.created < lt &&
          each.created <= lte &&
          (input.delivery_success === undefined || (each.undelivered.length === 0) === input.delivery_success),
      );
      return page(found, input, '/v1/events', event);
    },
  ),
];

/** `invoice.*` names all of a kind. */
function matches(pattern: string, type: string): boolean {
  return pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));
}
