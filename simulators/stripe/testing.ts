import Stripe from 'stripe';
import { type Simulator, type SimulatorOptions, startSimulator } from './simulator.ts';

/** 31 January 2026: its months are of different lengths. */
export const januaryEnd = Date.UTC(2026, 0, 31, 12) / 1000;

export interface TestProvider {
  simulator: Simulator;
  /** The SDK as it comes: only host and key are not the provider's. */
  stripe: Stripe;
  basic: Stripe.Price;
  professional: Stripe.Price;
  /** Of the basic plan, twelve months. */
  annual: Stripe.Price;
}

/** A simulator with two plans in its catalogue. */
export async function startProvider(options: SimulatorOptions = {}): Promise<TestProvider> {
  const simulator = await startSimulator({ frozenAt: januaryEnd, ...options });
  const stripe = clientOf(simulator);
  const [basic, professional] = await Promise.all([
    stripe.products.create({ name: 'Basic', metadata: { plan: 'basic' } }),
    stripe.products.create({ name: 'Professional', metadata: { plan: 'professional' } }),
  ]);
  const price = (product: Stripe.Product, unit_amount: number, months: number, lookup_key: string) =>
    stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount,
      recurring: { interval: 'month', interval_count: months },
      lookup_key,
    });
  return {
    simulator,
    stripe,
    basic: await price(basic, 179_400, 6, 'basic_semiannual'),
    professional: await price(professional, 419_400, 6, 'professional_semiannual'),
    annual: await price(basic, 305_000, 12, 'basic_annual'),
  };
}

export function clientOf({ port }: Simulator, options: { timeout?: number; maxNetworkRetries?: number } = {}): Stripe {
  return new Stripe('sk_test_simulator', {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
    ...options,
  });
}

/** What a person types into the hosted page. */
export function typedCard(number: string): Record<string, string> {
  return {
    card_number: number,
    exp_month: '12',
    exp_year: '2034',
    cvc: '123',
    name: 'Ada Example',
    email: 'ada@example.com',
  };
}

/** Posts a form as a browser does, without going on to where it leads. */
export function submit(url: string, form: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
}

/** A customer who has paid for the price on the hosted page. */
export async function subscribe(
  { stripe }: TestProvider,
  price: Stripe.Price,
  { card = '4242424242424242' }: { card?: string } = {},
): Promise<{ customer: Stripe.Customer; subscription: Stripe.Subscription }> {
  const customer = await stripe.customers.create({ email: 'ada@example.com' });
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'http://app.test/profile?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://app.test/pricing',
  });
  const paid = await submit(session.url ?? '', typedCard(card));
  const next = paid.headers.get('location') ?? '';
  if (next.endsWith('/authenticate')) await submit(new URL(next, session.url ?? '').href, { action: 'complete' });
  const done = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] });
  if (typeof done.subscription !== 'object' || done.subscription === null) throw new Error('nothing was bought');
  return { customer, subscription: done.subscription };
}

export function seconds(days: number): number {
  return days * 86_400;
}
