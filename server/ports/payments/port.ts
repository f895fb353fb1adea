import type { SubscriptionState } from '#contract/entitlements.ts';
import type { PlanName } from '#contract/plans.ts';

/**
 * The payment provider. It holds the truth about subscriptions; we keep a projection of it. Reads may be repeated
 * freely; what changes something says below whether it may be. Every method can throw AppError `unavailable` when the
 * provider is out of reach, answers with an error of its own, or asks us to slow down.
 */
export interface Payments {
  /** The implementation's name, for `/readyz`. */
  readonly name: string;

  /**
   * Makes the products and prices of our catalogue where they are missing or differ; safe to repeat. Says what it did.
   */
  ensureCatalogue(): Promise<string[]>;
  /** What of our catalogue is missing or different at the provider; empty when all is well. */
  checkCatalogue(): Promise<string[]>;

  /**
   * Has events sent to the address; safe to repeat.
   * @returns the secret that signs them; null when they were sent there already, since it is told once
   */
  ensureWebhook(url: string): Promise<string | null>;

  /** A customer of this company. Repeated for the same company within a day it is the same one. */
  createCustomer(of: { companyId: string; companyName: string; email: string }): Promise<string>;

  /** Removes a customer for good, with every subscription and card, at once; safe to repeat. Invoices stay there. */
  forgetCustomer(customerId: string): Promise<void>;

  /** The hosted payment pages of the customer that wait to be paid, newest first. */
  openCheckouts(customerId: string): Promise<Checkout[]>;
  /**
   * Opens a hosted payment page. Not repeatable: look at `openCheckouts` first.
   * @throws Error when the provider's price is not the one that we show: nobody may be charged another amount
   */
  createCheckout(of: CheckoutRequest): Promise<Checkout>;
  /** Closes a page, so that it can't be paid any more; one that is paid or closed already stays as it is. */
  closeCheckout(id: string): Promise<void>;

  /** The provider's page for card, invoices, plan and cancellation. */
  createPortal(of: { customerId: string; returnUrl: string }): Promise<string>;

  /** Every subscription that the customer has or had. */
  subscriptions(customerId: string): Promise<ProviderSubscription[]>;
  /** Newest first, at most 24. */
  invoices(customerId: string): Promise<ProviderInvoice[]>;
  /** The card that is charged; null when there is none. */
  card(subscriptionId: string): Promise<Card | null>;
  /** What comes next; null when the subscription ends with its period. */
  nextCharge(subscriptionId: string): Promise<{ amount: number; currency: string; at: Date } | null>;

  /** What a change at this moment would cost. @param at what has been used of the period is counted up to here */
  previewChange(subscription: ProviderSubscription, priceId: string, at: Date): Promise<Quote>;
  /**
   * Changes the price at once, charging the difference. When the payment fails nothing changes, until the invoice whose
   * page is returned has been paid. Not repeatable.
   */
  changeNow(subscription: ProviderSubscription, priceId: string, at: Date): Promise<{ invoiceUrl: string | null }>;
  /** Changes the price when the present period ends; takes the place of an earlier such plan. */
  changeAtPeriodEnd(subscription: ProviderSubscription, priceId: string): Promise<void>;
  /** Ends the subscription with its period; safe to repeat. */
  cancel(subscription: ProviderSubscription): Promise<void>;
  /** Takes back `cancel` and `changeAtPeriodEnd`; safe to repeat. */
  resume(subscription: ProviderSubscription): Promise<void>;

  /**
   * Verifies what came to our webhook address.
   * @param signature as the header has it; it must be younger than five minutes
   * @returns null when it is not from the provider
   */
  readEvent(body: Buffer, signature: string): ProviderEvent | null;
}

export interface CheckoutRequest {
  customerId: string;
  companyId: string;
  /** Of our catalogue. */
  priceId: string;
  successUrl: string;
  cancelUrl: string;
  /** null: charged at once. */
  trialDays: number | null;
}

export interface Checkout {
  id: string;
  url: string;
  /** Of our catalogue; null for another one. */
  priceId: string | null;
}

export interface ProviderSubscription {
  id: string;
  state: SubscriptionState;
  /** As the product says; null for a product that names none of our plans. */
  plan: PlanName | null;
  /** Of our catalogue; null for a price that is not in it (any more). */
  priceId: string | null;
  /** Months of one period. */
  months: number;
  itemId: string;
  periodStart: Date;
  periodEnd: Date;
  /** The end of the time that is paid for: that of the period, unless its invoice was never paid. */
  paidUntil: Date;
  /** When the oldest open invoice should have been paid; null when nothing is open. */
  overdueSince: Date | null;
  /** When it ends, where that has been decided. */
  endsAt: Date | null;
  cancelAtPeriodEnd: boolean;
  scheduleId: string | null;
  /** The change that waits for the end of the period. */
  scheduled: { priceId: string; at: Date } | null;
  createdAt: Date;
}

export interface ProviderInvoice {
  id: string;
  number: string | null;
  date: Date;
  /** Cents: what was due, before any payment. */
  amount: number;
  currency: string;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  /** The provider's page of it. */
  url: string | null;
}

export interface Card {
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
}

export interface Quote {
  /** Cents, charged at once. */
  amountDue: number;
  currency: string;
  lines: { description: string; amount: number }[];
}

export interface ProviderEvent {
  id: string;
  type: string;
  /** Whom it is about; null when it is about no customer. */
  customerId: string | null;
}
