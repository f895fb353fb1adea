import type Stripe from 'stripe';
import type { PortalRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';

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
