import type Stripe from 'stripe';
import { params, text } from '../../api/form.ts';
import { route } from '../../api/route.ts';
import type { PortalRecord } from '../../world/records.ts';
import { newId } from '../../world/store.ts';
import { liveCustomer } from '../customers/live-customer.ts';
import { portalSession } from './serialize.ts';

export const portalSessionRoutes = [
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
      return portalSession(world, record);
    },
  ),
];
