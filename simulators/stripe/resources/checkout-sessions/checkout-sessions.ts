import type Stripe from 'stripe';
import { z } from 'zod';
import { existing, invalidRequest } from '../../api/errors.ts';
import { metadata, params, text, whole } from '../../api/form.ts';
import { listOf } from '../../api/list.ts';
import { having, merged, page, paging, route } from '../../api/route.ts';
import { emit } from '../../world/events.ts';
import type { CheckoutRecord } from '../../world/records.ts';
import { newId } from '../../world/store.ts';
import { liveCustomer } from '../customers/live-customer.ts';
import * as serialize from './serialize.ts';

/** How long a session stays open where its maker does not say. */
const usualSeconds = 86_400;

export const checkoutRoutes = [
  route(
    'POST',
    '/v1/checkout/sessions',
    params<Stripe.Checkout.SessionCreateParams>()({
      mode: z.literal('subscription', 'the simulator knows sessions in subscription mode only'),
      ui_mode: z.literal('hosted_page').optional(),
      line_items: z
        .array(z.strictObject({ price: text, quantity: whole.pipe(z.int().min(1)).default(1) }))
        .min(1)
        .max(20),
      success_url: text,
      cancel_url: text.optional(),
      customer: text.optional(),
      customer_email: text.optional(),
      client_reference_id: text.optional(),
      expires_at: whole.optional(),
      metadata: metadata.optional(),
      subscription_data: z
        .strictObject({
          metadata: metadata.optional(),
          trial_period_days: whole.pipe(z.int().min(1).max(730)).optional(),
          description: text.optional(),
        })
        .optional(),
      payment_method_collection: z.literal('always').optional(),
    }),
    (world, input) => {
      const now = world.clock.now();
      const expiresAt = input.expires_at ?? now + usualSeconds;
      if (expiresAt < now + 1800 || expiresAt > now + usualSeconds) {
        throw invalidRequest('The `expires_at` timestamp must be between 30 minutes and 24 hours from now.', {
          param: 'expires_at',
        });
      }
      if (input.customer !== undefined && input.customer_email !== undefined) {
        throw invalidRequest('You may only specify one of these parameters: customer, customer_email.');
      }
      for (const [index, line] of input.line_items.entries()) {
        const price = existing(world.store.prices.get(line.price), 'price', line.price, `line_items[${index}][price]`);
        if (!price.active) throw invalidRequest('The price specified is inactive.', { param: `line_items[${index}]` });
        if (!price.recurring) {
          throw invalidRequest('You must provide at least one recurring price in `subscription` mode.');
        }
      }
      const record: CheckoutRecord = {
        id: newId('cs_test', 58),
        created: now,
        expiresAt,
        status: 'open',
        customer: input.customer === undefined ? null : liveCustomer(world, input.customer).id,
        customerEmail: input.customer_email ?? null,
        lines: input.line_items.map((line) => ({ id: newId('li'), ...line })),
        successUrl: input.success_url,
        cancelUrl: input.cancel_url ?? null,
        clientReferenceId: input.client_reference_id ?? null,
        metadata: merged({}, input.metadata),
        subscriptionMetadata: merged({}, input.subscription_data?.metadata),
        trialDays: input.subscription_data?.trial_period_days ?? null,
        subscription: null,
        invoice: null,
        authenticating: null,
      };
      world.store.checkouts.set(record.id, record);
      return serialize.checkoutSession(world, record);
    },
  ),

  route('GET', '/v1/checkout/sessions/:id', z.strictObject({}), (world, _input, id) =>
    serialize.checkoutSession(world, existing(world.store.checkouts.get(id), 'checkout.session', id)),
  ),

  route('GET', '/v1/checkout/sessions/:id/line_items', z.strictObject(paging), (world, _input, id) => {
    const record = existing(world.store.checkouts.get(id), 'checkout.session', id);
    return listOf(serialize.lineItems(world, record), `/v1/checkout/sessions/${id}/line_items`);
  }),

  route('POST', '/v1/checkout/sessions/:id/expire', z.strictObject({}), (world, _input, id) => {
    const record = existing(world.store.checkouts.get(id), 'checkout.session', id);
    if (record.status !== 'open') {
      throw invalidRequest(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${record.status}\`.`,
      );
    }
    record.status = 'expired';
    emit(world, 'checkout.session.expired', serialize.checkoutSession(world, record));
    return serialize.checkoutSession(world, record);
  }),

  route(
    'GET',
    '/v1/checkout/sessions',
    params<Stripe.Checkout.SessionListParams>()({
      ...paging,
      customer: text.optional(),
      subscription: text.optional(),
      status: z.enum(['open', 'complete', 'expired']).optional(),
    }),
    (world, input) => {
      const { customer, subscription, status } = input;
      const found = having(world.store.checkouts.values(), { customer, subscription, status });
      return page(found, input, '/v1/checkout/sessions', (each) => serialize.checkoutSession(world, each));
    },
  ),
];
