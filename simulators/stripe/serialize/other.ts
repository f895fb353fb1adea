import type Stripe from 'stripe';
import type { EndpointRecord, EventRecord, PortalRecord } from '../records.ts';
import type { World } from '../world.ts';

export const apiVersion = '2026-10-28.endive';

export function event(record: EventRecord): Stripe.EventBase {
  return {
    id: record.id,
    object: 'event',
    api_version: apiVersion,
    created: record.created,
    data: { object: record.object, ...(record.previous && { previous_attributes: record.previous }) },
    livemode: false,
    pending_webhooks: record.undelivered.length,
    request: { id: record.request.id, idempotency_key: record.request.key },
    type: record.type,
  };
}

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

export function portalSession(world: World, record: PortalRecord): Stripe.BillingPortal.Session {
  return {
    id: record.id,
    object: 'billing_portal.session',
    configuration: 'bpc_simulator',
    created: record.created,
    customer: record.customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: record.returnUrl,
    url: `${world.baseUrl()}/p/session/${record.id}`,
  };
}
