import Stripe from 'stripe';
import type { Catalogue } from './catalogue.ts';
import type { Checkout, Payments } from './port.ts';

/** The provider's pages on which a company buys, and looks after its card. */
export function stripeCheckout(
  stripe: Stripe,
  catalogue: Catalogue,
): Pick<Payments, 'openCheckouts' | 'createCheckout' | 'closeCheckout' | 'createPortal'> {
  return {
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
  };

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
