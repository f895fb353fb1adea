import type Stripe from 'stripe';

/**
 * What the simulator remembers: plain data, so that a snapshot is one JSON file. Times are unix seconds, amounts cents.
 */

export type Metadata = Record<string, string>;

export interface CustomerRecord {
  id: string;
  created: number;
  email: string | null;
  name: string | null;
  description: string | null;
  phone: string | null;
  metadata: Metadata;
  defaultPaymentMethod: string | null;
  /** Negative: a credit that the next invoices use up. */
  balance: number;
  deleted: boolean;
  nextInvoice: number;
}

export interface ProductRecord {
  id: string;
  created: number;
  updated: number;
  name: string;
  description: string | null;
  active: boolean;
  metadata: Metadata;
}

export interface PriceRecord {
  id: string;
  created: number;
  product: string;
  active: boolean;
  currency: string;
  unitAmount: number;
  recurring: { interval: Interval; count: number } | null;
  lookupKey: string | null;
  nickname: string | null;
  metadata: Metadata;
}

export type Interval = 'day' | 'week' | 'month' | 'year';

/** What a test card does; see `cards.ts`. */
export type CardBehaviour =
  | 'pays'
  | 'declines'
  | 'insufficient-funds'
  | 'fails-later'
  | 'authenticate-once'
  | 'authenticate-always';

export interface PaymentMethodRecord {
  id: string;
  created: number;
  customer: string | null;
  behaviour: CardBehaviour;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  name: string | null;
  email: string | null;
}

export interface ItemRecord {
  id: string;
  created: number;
  price: string;
  quantity: number;
  metadata: Metadata;
}

export type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled';

export interface SubscriptionRecord {
  id: string;
  created: number;
  customer: string;
  status: SubscriptionStatus;
  items: ItemRecord[];
  periodStart: number;
  periodEnd: number;
  /** The moment that fixes the day of all renewals. */
  anchor: number;
  cancelAt: number | null;
  cancelAtPeriodEnd: boolean;
  canceledAt: number | null;
  endedAt: number | null;
  cancellation: { comment: string | null; feedback: string | null; reason: string | null };
  trialStart: number | null;
  trialEnd: number | null;
  defaultPaymentMethod: string | null;
  latestInvoice: string | null;
  schedule: string | null;
  description: string | null;
  metadata: Metadata;
  /** Waits for its invoice to be paid. */
  pendingUpdate: { items: ItemRecord[]; anchorNow: boolean; invoice: string; expiresAt: number } | null;
  /** Prorations that the next invoice takes in. */
  pendingLines: LineRecord[];
  pausedAt: number | null;
  /** The period whose coming renewal has been announced (by its end). */
  announced: number | null;
  trialEndAnnounced: boolean;
}

export interface LineRecord {
  id: string;
  amount: number;
  description: string;
  price: string;
  quantity: number;
  item: string;
  proration: boolean;
  start: number;
  end: number;
}

export interface InvoiceRecord {
  id: string;
  created: number;
  customer: string;
  subscription: string;
  number: string | null;
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  currency: string;
  lines: LineRecord[];
  periodStart: number;
  periodEnd: number;
  startingBalance: number;
  endingBalance: number | null;
  attempts: number;
  nextAttempt: number | null;
  autoAdvance: boolean;
  finalizedAt: number | null;
  paidAt: number | null;
  voidedAt: number | null;
  uncollectibleAt: number | null;
}

export interface PhaseRecord {
  start: number;
  end: number;
  items: { price: string; quantity: number }[];
  proration: 'always_invoice' | 'create_prorations' | 'none';
}

export interface ScheduleRecord {
  id: string;
  created: number;
  customer: string;
  subscription: string | null;
  releasedSubscription: string | null;
  status: 'active' | 'canceled' | 'completed' | 'not_started' | 'released';
  endBehavior: 'release' | 'cancel';
  phases: PhaseRecord[];
  /** The place of the phase that is in force. */
  phase: number;
  metadata: Metadata;
  canceledAt: number | null;
  completedAt: number | null;
  releasedAt: number | null;
}

export interface CheckoutRecord {
  id: string;
  created: number;
  expiresAt: number;
  status: 'open' | 'complete' | 'expired';
  customer: string | null;
  customerEmail: string | null;
  lines: { id: string; price: string; quantity: number }[];
  successUrl: string;
  cancelUrl: string | null;
  clientReferenceId: string | null;
  metadata: Metadata;
  subscriptionMetadata: Metadata;
  trialDays: number | null;
  subscription: string | null;
  invoice: string | null;
  /** The card that waits for its holder's authentication. */
  authenticating: string | null;
}

export interface PortalRecord {
  id: string;
  created: number;
  customer: string;
  returnUrl: string | null;
}

export interface EventRecord {
  id: string;
  created: number;
  type: Stripe.Event.Type;
  /** The object as it was at that moment, as it goes over the wire. */
  object: object;
  previous: object | null;
  request: { id: string | null; key: string | null };
  /** Endpoints that have not taken it yet. */
  undelivered: string[];
}

export interface EndpointRecord {
  id: string;
  created: number;
  url: string;
  secret: string;
  enabledEvents: string[];
  description: string | null;
  status: 'enabled' | 'disabled';
  metadata: Metadata;
}

export interface IdempotencyRecord {
  id: string;
  created: number;
  fingerprint: string;
  status: number;
  body: string;
}
