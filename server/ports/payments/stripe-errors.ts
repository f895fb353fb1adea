import Stripe from 'stripe';
import { AppError } from '#contract/errors.ts';
import type { Payments } from './port.ts';

/** The same port, whose methods throw errors of the catalogue where the provider is to blame and not we. */
export function translated(payments: Payments): Payments {
  return {
    ...payments,
    ensureCatalogue: () => translate(payments.ensureCatalogue()),
    checkCatalogue: () => translate(payments.checkCatalogue()),
    ensureWebhook: (url) => translate(payments.ensureWebhook(url)),
    createCustomer: (of) => translate(payments.createCustomer(of)),
    forgetCustomer: (id) => translate(payments.forgetCustomer(id)),
    openCheckouts: (id) => translate(payments.openCheckouts(id)),
    createCheckout: (of) => translate(payments.createCheckout(of)),
    closeCheckout: (id) => translate(payments.closeCheckout(id)),
    createPortal: (of) => translate(payments.createPortal(of)),
    subscriptions: (id) => translate(payments.subscriptions(id)),
    invoices: (id) => translate(payments.invoices(id)),
    card: (id) => translate(payments.card(id)),
    nextCharge: (id) => translate(payments.nextCharge(id)),
    previewChange: (of, priceId, at) => translate(payments.previewChange(of, priceId, at)),
    changeNow: (of, priceId, at) => translate(payments.changeNow(of, priceId, at)),
    changeAtPeriodEnd: (of, priceId) => translate(payments.changeAtPeriodEnd(of, priceId)),
    cancel: (of) => translate(payments.cancel(of)),
    resume: (of) => translate(payments.resume(of)),
  };
}

async function translate<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const away =
      cause instanceof Stripe.errors.StripeConnectionError ||
      cause instanceof Stripe.errors.StripeAPIError ||
      cause instanceof Stripe.errors.StripeRateLimitError;
    throw away ? new AppError('unavailable', { cause }) : cause;
  }
}
