import Stripe from 'stripe';
import { priceOnSale } from '#contract/plans.ts';
import { type Catalogue, openCatalogue } from './catalogue.ts';
import type { Checkout, Payments, ProviderInvoice } from './port.ts';
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

    async openCheckouts(customer) {
      const { data } = await stripe.checkout.sessions.list({
        customer,
        status: 'open',
        limit: 20,
        expand: ['data.line_items'],
      });
      return data.flatMap((session) => checkoutOf(session) ?? []);
    },

    async createCheckout({ customerId, companyId, priceId, successUrl, cancelUrl, trialDays }) {
      const price = await catalogue.find(priceId);
      const session = await stripe.checkout.sessions.create({
        mode: 'subscription',
        customer: customerId,
        client_reference_id: companyId,
        line_items: [{ price: price.id, quantity: 1 }],
        success_url: successUrl,
        cancel_url: cancelUrl,
        subscription_data: {
          metadata: { companyId },
          ...(trialDays !== null && { trial_period_days: trialDays }),
        },
      });
      if (!session.url) throw new Error('the payment page has no address');
      return { id: session.id, url: session.url, priceId };
    },

    async closeCheckout(id) {
      try {
        await stripe.checkout.sessions.expire(id);
      } catch (error) {
        // Paid or expired in the meantime: there is nothing left to close.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      }
    },

    async createPortal({ customerId, returnUrl }) {
      const { url } = await stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl });
      return url;
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

    async nextCharge(subscription) {
      try {
        const next = await stripe.invoices.createPreview({ subscription });
        const at = next.next_payment_attempt ?? next.period_end;
        return { amount: next.amount_due, currency: next.currency, at: new Date(at * 1000) };
      } catch (error) {
        if (error instanceof Stripe.errors.StripeError && error.code === 'invoice_upcoming_none') return null;
        throw error;
      }
    },

    async previewChange(subscription, priceId, at) {
      const price = await catalogue.find(priceId);
      const preview = await stripe.invoices.createPreview({
        subscription: subscription.id,
        subscription_details: {
          items: [{ id: subscription.itemId, price: price.id }],
          proration_behavior: 'always_invoice',
          proration_date: Math.floor(at.getTime() / 1000),
        },
      });
      return {
        amountDue: preview.amount_due,
        currency: preview.currency,
        lines: preview.lines.data.map(({ description, amount }) => ({ description: description ?? '', amount })),
      };
    },

    async changeNow(subscription, priceId, at) {
      const price = await catalogue.find(priceId);
      // A plan for later would undo the change at the end of the period.
      if (subscription.scheduleId) await stripe.subscriptionSchedules.release(subscription.scheduleId);
      const changed = await stripe.subscriptions.update(subscription.id, {
        items: [{ id: subscription.itemId, price: price.id }],
        proration_behavior: 'always_invoice',
        proration_date: Math.floor(at.getTime() / 1000),
        payment_behavior: 'pending_if_incomplete',
        expand: ['latest_invoice'],
      });
      const invoice = typeof changed.latest_invoice === 'object' ? changed.latest_invoice : null;
      return { invoiceUrl: changed.pending_update ? (invoice?.hosted_invoice_url ?? null) : null };
    },

    async changeAtPeriodEnd(subscription, priceId) {
      const [price, onSale] = [await catalogue.find(priceId), priceOnSale(priceId)];
      const schedule = subscription.scheduleId
        ? await stripe.subscriptionSchedules.retrieve(subscription.scheduleId)
        : await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
      const now = schedule.current_phase;
      const current = schedule.phases.find(({ start_date }) => start_date === now?.start_date) ?? schedule.phases[0];
      if (!current || !onSale) throw new Error('the schedule has no present phase');
      await stripe.subscriptionSchedules.update(schedule.id, {
        end_behavior: 'release',
        phases: [
          {
            items: current.items.map((item) => ({ price: idOf(item.price), quantity: item.quantity ?? 1 })),
            start_date: current.start_date,
            end_date: Math.floor(subscription.periodEnd.getTime() / 1000),
          },
          {
            items: [{ price: price.id, quantity: 1 }],
            duration: { interval: 'month', interval_count: onSale.months },
            proration_behavior: 'none',
          },
        ],
      });
    },

    async cancel(subscription) {
      if (subscription.scheduleId) await stripe.subscriptionSchedules.release(subscription.scheduleId);
      await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    },

    async resume(subscription) {
      if (subscription.scheduleId) await stripe.subscriptionSchedules.release(subscription.scheduleId);
      if (subscription.cancelAtPeriodEnd) {
        await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
      } else if (subscription.endsAt) await stripe.subscriptions.update(subscription.id, { cancel_at: '' });
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

  function checkoutOf(session: Stripe.Checkout.Session): Checkout | null {
    if (!session.url) return null;
    const price = session.line_items?.data[0]?.price;
    return { id: session.id, url: session.url, priceId: catalogueId(catalogue, price?.id) };
  }
}

/** Of our catalogue; null for a price that is not in it. */
function catalogueId(catalogue: Catalogue, price: string | undefined): string | null {
  return price === undefined ? null : catalogue.idOf(price);
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

function idOf(reference: string | { id: string }): string {
  return typeof reference === 'string' ? reference : reference.id;
}
