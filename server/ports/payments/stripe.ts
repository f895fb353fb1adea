import Stripe from 'stripe';
import { openCatalogue } from './catalogue.ts';
import type { Payments, ProviderInvoice } from './port.ts';
import { stripeChanges } from './stripe-changes.ts';
import { stripeCheckout } from './stripe-checkout.ts';
import { translated } from './stripe-errors.ts';
import { readSubscription, subscriptionParts } from './subscription.ts';

export interface StripeOptions {
  name: string;
  secretKey: string;
  webhookSecret: string;
  /** Where the API is; absent: at the provider. */
  address?: { host: string; port: number };
}

/** Seconds between an event's signature and its arrival. */
const toleranceSeconds = 300;

/** What can change a subscription, or whether it is paid. */
const eventsWanted: Stripe.WebhookEndpointCreateParams.EnabledEvent[] = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.trial_will_end',
  'customer.subscription.pending_update_applied',
  'customer.subscription.pending_update_expired',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.finalization_failed',
  'invoice.marked_uncollectible',
  'invoice.voided',
];

/** Stripe through its own SDK, unchanged: the simulator differs in host and key only. */
export function stripePayments({ name, secretKey, webhookSecret, address }: StripeOptions): Payments {
  const stripe = new Stripe(secretKey, {
    telemetry: false,
    timeout: 15_000,
    // With the same idempotency key each time, so that what was done is not done again.
    maxNetworkRetries: 2,
    ...(address && { ...address, protocol: 'http' }),
  });
  const catalogue = openCatalogue(stripe);

  const payments: Payments = {
    name,
    ensureCatalogue: () => catalogue.ensure(),
    checkCatalogue: () => catalogue.check(),
    ...stripeCheckout(stripe, catalogue),
    ...stripeChanges(stripe, catalogue),

    async ensureWebhook(url) {
      const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
      if (data.some((each) => each.url === url && each.status === 'enabled')) return null;
      const { secret } = await stripe.webhookEndpoints.create({ url, enabled_events: eventsWanted });
      return secret ?? null;
    },

    async createCustomer({ companyId, companyName, email }) {
      const { id } = await stripe.customers.create(
        { name: companyName, email, metadata: { companyId } },
        { idempotencyKey: `customer:${companyId}:${email}:${companyName}`.slice(0, 255) },
      );
      return id;
    },

    async forgetCustomer(customer) {
      try {
        await stripe.customers.del(customer);
      } catch (error) {
        // Removed by an earlier try.
        if (!(error instanceof Stripe.errors.StripeError && error.code === 'resource_missing')) throw error;
      }
    },

    async subscriptions(customer) {
      const { data } = await stripe.subscriptions.list({
        customer,
        status: 'all',
        limit: 100,
        expand: subscriptionParts,
      });
      return Promise.all(data.map((each) => readSubscription(stripe, catalogue, each)));
    },

    async invoices(customer) {
      const { data } = await stripe.invoices.list({ customer, limit: 24 });
      return data.map(invoiceOf);
    },

    async card(subscriptionId) {
      const { default_payment_method: own, customer } = await stripe.subscriptions.retrieve(subscriptionId, {
        expand: ['default_payment_method', 'customer.invoice_settings.default_payment_method'],
      });
      const usual =
        typeof customer === 'object' && !customer.deleted ? customer.invoice_settings.default_payment_method : null;
      const method = own ?? usual;
      const card = typeof method === 'object' ? method?.card : undefined;
      if (!card) return null;
      return { brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year };
    },

    readEvent(body, signature) {
      try {
        const event = stripe.webhooks.constructEvent(body, signature, webhookSecret, toleranceSeconds);
        return { id: event.id, type: event.type, customerId: customerOf(event.data.object) };
      } catch {
        return null;
      }
    },
  };
  return translated(payments);
}

function invoiceOf(invoice: Stripe.Invoice): ProviderInvoice {
  const { status } = invoice;
  return {
    id: invoice.id,
    number: invoice.number,
    date: new Date(invoice.created * 1000),
    amount: invoice.amount_due,
    currency: invoice.currency,
    status: statuses.find((each) => each === status) ?? 'draft',
    url: invoice.hosted_invoice_url ?? null,
  };
}

const statuses = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const;

/** Whom an event is about: the customer itself, or what names one. */
function customerOf(object: object): string | null {
  if ('object' in object && object.object === 'customer' && 'id' in object) return String(object.id);
  if (!('customer' in object)) return null;
  const { customer } = object;
  if (typeof customer === 'string') return customer;
  if (typeof customer === 'object' && customer !== null && 'id' in customer) return String(customer.id);
  return null;
}
