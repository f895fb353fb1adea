import type Stripe from 'stripe';
import { z } from 'zod';
import { existing, invalidRequest } from '../errors.ts';
import { clearable, flag, metadata, params, text, whole } from '../form.ts';
import type { EndpointRecord, PortalRecord } from '../records.ts';
import { merged, page, paging, route } from '../route.ts';
import * as serialize from '../serialize/other.ts';
import { newId } from '../store.ts';
import { liveCustomer } from './customers.ts';

const range = z.union([
  whole.transform((at) => ({ gte: at, lte: at, gt: undefined, lt: undefined })),
  z.strictObject({ gt: whole.optional(), gte: whole.optional(), lt: whole.optional(), lte: whole.optional() }),
]);

/** Billing portal, events, webhook endpoints. */
export const otherRoutes = [
  route(
    'POST',
    '/v1/billing_portal/sessions',
    params<Stripe.BillingPortal.SessionCreateParams>()({ customer: text, return_url: text.optional() }),
    (world, input) => {
      const record: PortalRecord = {
        id: newId('bps'),
        created: world.clock.now(),
        customer: liveCustomer(world, input.customer).id,
        returnUrl: input.return_url ?? null,
      };
      world.store.portals.set(record.id, record);
      return serialize.portalSession(world, record);
    },
  ),

  route('GET', '/v1/events/:id', z.strictObject({}), (world, _input, id) =>
    serialize.event(existing(world.store.events.get(id), 'event', id)),
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
      return page(found, input, '/v1/events', serialize.event);
    },
  ),

  route(
    'POST',
    '/v1/webhook_endpoints',
    params<Stripe.WebhookEndpointCreateParams>()({
      url: z.url(),
      enabled_events: z.array(text).min(1),
      description: text.optional(),
      metadata: metadata.optional(),
    }),
    (world, input) => {
      const record: EndpointRecord = {
        id: newId('we'),
        created: world.clock.now(),
        url: input.url,
        secret: newId('whsec', 32),
        enabledEvents: input.enabled_events,
        description: input.description ?? null,
        status: 'enabled',
        metadata: merged({}, input.metadata),
      };
      world.store.endpoints.set(record.id, record);
      return serialize.webhookEndpoint(record, true);
    },
  ),

  route('GET', '/v1/webhook_endpoints/:id', z.strictObject({}), (world, _input, id) =>
    serialize.webhookEndpoint(existing(world.store.endpoints.get(id), 'webhook endpoint', id)),
  ),

  route(
    'POST',
    '/v1/webhook_endpoints/:id',
    params<Stripe.WebhookEndpointUpdateParams>()({
      url: z.url().optional(),
      enabled_events: z.array(text).min(1).optional(),
      disabled: flag.optional(),
      description: clearable.optional(),
      metadata: metadata.optional(),
    }),
    (world, input, id) => {
      const record = existing(world.store.endpoints.get(id), 'webhook endpoint', id);
      record.url = input.url ?? record.url;
      record.enabledEvents = input.enabled_events ?? record.enabledEvents;
      if (input.disabled !== undefined) record.status = input.disabled ? 'disabled' : 'enabled';
      if (input.description !== undefined) record.description = input.description;
      record.metadata = merged(record.metadata, input.metadata);
      return serialize.webhookEndpoint(record);
    },
  ),

  route('DELETE', '/v1/webhook_endpoints/:id', z.strictObject({}), (world, _input, id) => {
    if (!world.store.endpoints.delete(id)) {
      throw invalidRequest(`No such webhook endpoint: '${id}'`, { code: 'resource_missing', param: 'id' });
    }
    return { id, object: 'webhook_endpoint', deleted: true } satisfies Stripe.DeletedWebhookEndpoint;
  }),

  route('GET', '/v1/webhook_endpoints', params<Stripe.WebhookEndpointListParams>()(paging), (world, input) =>
    page(world.store.endpoints.values(), input, '/v1/webhook_endpoints', (each) => serialize.webhookEndpoint(each)),
  ),
];

/** `invoice.*` names all of a kind. */
function matches(pattern: string, type: string): boolean {
  return pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));
}
