import type Stripe from 'stripe';
import type { EndpointRecord } from '../../world/records.ts';

/** @param withSecret only the reply to its creation shows the secret */
export function webhookEndpoint(record: EndpointRecord, withSecret = false): Stripe.WebhookEndpoint {
  return {
    id: record.id,
    object: 'webhook_endpoint',
    api_version: null,
    application: null,
    created: record.created,
    description: record.description,
    enabled_events: record.enabledEvents,
    livemode: false,
    metadata: record.metadata,
    ...(withSecret && { secret: record.secret }),
    status: record.status,
    url: record.url,
  };
}
