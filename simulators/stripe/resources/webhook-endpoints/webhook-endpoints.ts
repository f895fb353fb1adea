import type Stripe from 'stripe';
import { z } from 'zod';
import { existing, invalidRequest } from '../../api/errors.ts';
import { clearable, flag, metadata, params, text } from '../../api/form.ts';
import { merged, page, paging, route } from '../../api/route.ts';
import type { EndpointRecord } from '../../world/records.ts';
import { newId } from '../../world/store.ts';
import { webhookEndpoint } from './serialize.ts';

export const webhookEndpointRoutes = [
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
      return webhookEndpoint(record, true);
    },
  ),

  route('GET', '/v1/webhook_endpoints/:id', z.strictObject({}), (world, _input, id) =>
    webhookEndpoint(existing(world.store.endpoints.get(id), 'webhook endpoint', id)),
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
      return webhookEndpoint(record);
    },
  ),

  route('DELETE', '/v1/webhook_endpoints/:id', z.strictObject({}), (world, _input, id) => {
    if (!world.store.endpoints.delete(id)) {
      throw invalidRequest(`No such webhook endpoint: '${id}'`, { code: 'resource_missing', param: 'id' });
    }
    return { id, object: 'webhook_endpoint', deleted: true } satisfies Stripe.DeletedWebhookEndpoint;
  }),

  route('GET', '/v1/webhook_endpoints', params<Stripe.WebhookEndpointListParams>()(paging), (world, input) =>
    page(world.store.endpoints.values(), input, '/v1/webhook_endpoints', (each) => webhookEndpoint(each)),
  ),
];
