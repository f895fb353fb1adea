import type Stripe from 'stripe';
import { existing } from '../../api/errors.ts';
import { listOf } from '../../api/list.ts';
import type { CheckoutRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { price } from '../prices/serialize.ts';

export function checkoutSession(world: World, record: CheckoutRecord): Stripe.Checkout.Session {
  const total = lineItems(world, record).reduce((sum, { amount_total }) => sum + amount_total, 0);
  const customer = record.customer === null ? undefined : world.store.customers.get(record.customer);
  const email = customer?.email ?? record.customerEmail;
  return {
    id: record.id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: record.cancelUrl,
    client_reference_id: record.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: record.created,
    currency: 'usd',
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: record.customer,
    customer_account: null,
    customer_creation: record.customer === null ? 'always' : null,
    customer_details:
      email === null
        ? null
        : {
            address: null,
            business_name: null,
            email,
            individual_name: null,
            name: customer?.name ?? null,
            phone: null,
            tax_exempt: 'none',
            tax_ids: [],
          },
    customer_email: record.customerEmail,
    discounts: [],
    expires_at: record.expiresAt,
    integration_identifier: null,
    invoice: record.invoice,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: record.metadata,
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'always',
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_status:
      record.status !== 'complete' ? 'unpaid' : record.trialDays === null ? 'paid' : 'no_payment_required',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: record.status,
    submit_type: null,
    subscription: record.subscription,
    success_url: record.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: record.status === 'open' ? `${world.baseUrl()}/c/pay/${record.id}` : null,
    wallet_options: null,
  };
}

export function lineItems(world: World, record: CheckoutRecord): Stripe.LineItem[] {
  return record.lines.map(({ id, price: priceId, quantity }) => {
    const its = existing(world.store.prices.get(priceId), 'price', priceId);
    const amount = its.unitAmount * quantity;
    return {
      id,
      object: 'item',
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: amount,
      amount_tax: 0,
      amount_total: amount,
      currency: its.currency,
      description: world.store.products.get(its.product)?.name ?? null,
      metadata: null,
      price: price(its),
      quantity,
    };
  });
}

/** The list of a session's line items, which is sent only when it is asked for. */
export function lineItemList(world: World, record: CheckoutRecord): Stripe.ApiList<Stripe.LineItem> {
  return listOf(lineItems(world, record), `/v1/checkout/sessions/${record.id}/line_items`);
}
