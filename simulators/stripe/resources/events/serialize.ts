import type Stripe from 'stripe';
import type { EventRecord } from '../../world/records.ts';

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
