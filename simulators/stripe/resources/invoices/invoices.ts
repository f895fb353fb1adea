import type Stripe from 'stripe';
import { z } from 'zod';
import { existing, invalidRequest } from '../../api/errors.ts';
import { flag, params, text, whole } from '../../api/form.ts';
import { listOf } from '../../api/list.ts';
import { having, page, paging, route } from '../../api/route.ts';
import { attemptPayment, paymentFailure, voidInvoice } from '../../lifecycle/collection.ts';
import { previewInvoice } from '../../lifecycle/item-changes.ts';
import { emit } from '../../world/events.ts';
import type { InvoiceRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { ownCard } from '../payment-methods/payment-methods.ts';
import { changedItems, itemChanges, prorationBehavior } from '../subscriptions/subscription-items.ts';
import { invoice as serialize } from './serialize.ts';

export const invoiceRoutes = [
  route(
    'POST',
    '/v1/invoices/create_preview',
    params<Stripe.InvoiceCreatePreviewParams>()({
      customer: text.optional(),
      subscription: text,
      preview_mode: z.literal('next').optional(),
      subscription_details: z
        .strictObject({
          items: itemChanges.optional(),
          proration_behavior: prorationBehavior.default('create_prorations'),
          proration_date: whole.optional(),
          billing_cycle_anchor: z.strictObject({ type: z.enum(['now', 'unchanged']) }).optional(),
        })
        .optional(),
    }),
    (world, input) => {
      const id = input.subscription;
      const subscription = existing(world.store.subscriptions.get(id), 'subscription', id, 'subscription');
      if (input.customer !== undefined && input.customer !== subscription.customer) {
        throw invalidRequest('The subscription does not belong to the customer.', { param: 'customer' });
      }
      const details = input.subscription_details;
      if (!details?.items && details?.billing_cycle_anchor?.type !== 'now') {
        return serialize(world, previewInvoice(world, subscription));
      }
      return serialize(
        world,
        previewInvoice(world, subscription, {
          items: details.items ? changedItems(world, subscription, details.items) : subscription.items,
          proration: details.proration_behavior,
          prorationDate: details.proration_date,
          anchorNow: details.billing_cycle_anchor?.type === 'now',
        }),
      );
    },
  ),

  route('GET', '/v1/invoices/:id', z.strictObject({}), (world, _input, id) => serialize(world, known(world, id))),

  route('GET', '/v1/invoices/:id/lines', z.strictObject(paging), (world, _input, id) =>
    listOf(serialize(world, known(world, id)).lines.data, `/v1/invoices/${id}/lines`),
  ),

  route(
    'GET',
    '/v1/invoices',
    params<Stripe.InvoiceListParams>()({
      ...paging,
      customer: text.optional(),
      subscription: text.optional(),
      status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
    }),
    (world, input) => {
      const { customer, subscription, status } = input;
      const found = having(world.store.invoices.values(), { customer, subscription, status });
      return page(found, input, '/v1/invoices', (each) => serialize(world, each));
    },
  ),

  route(
    'POST',
    '/v1/invoices/:id/pay',
    params<Stripe.InvoicePayParams>()({ payment_method: text.optional(), off_session: flag.optional() }),
    (world, input, id) => {
      const record = known(world, id);
      if (record.status === 'paid') throw invalidRequest('Invoice is already paid', { code: 'invoice_already_paid' });
      if (record.status !== 'open') throw invalidRequest('This invoice can not be paid: it is not open.');
      const own = input.payment_method && ownCard(world, input.payment_method, record.customer);
      const card = own ? world.store.paymentMethods.get(own) : undefined;
      const result = attemptPayment(world, record, 'later', card);
      if (result.outcome !== 'paid') throw paymentFailure(result);
      return serialize(world, record);
    },
  ),

  route('POST', '/v1/invoices/:id/void', z.strictObject({}), (world, _input, id) => {
    const record = open(world, id);
    voidInvoice(world, record);
    return serialize(world, record);
  }),

  route('POST', '/v1/invoices/:id/mark_uncollectible', z.strictObject({}), (world, _input, id) => {
    const record = open(world, id);
    record.status = 'uncollectible';
    record.uncollectibleAt = world.clock.now();
    record.nextAttempt = null;
    emit(world, 'invoice.marked_uncollectible', serialize(world, record));
    return serialize(world, record);
  }),
];

function known(world: World, id: string): InvoiceRecord {
  return existing(world.store.invoices.get(id), 'invoice', id);
}

function open(world: World, id: string): InvoiceRecord {
  const record = known(world, id);
  if (record.status !== 'open') throw invalidRequest('You can only do this with an open invoice.');
  return record;
}
