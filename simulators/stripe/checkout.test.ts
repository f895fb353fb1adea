import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator } from './simulator.ts';
import {
  clientOf,
  januaryEnd,
  seconds,
  startProvider,
  submit,
  subscribe,
  type TestProvider,
  typedCard,
} from './testing.ts';

let provider: TestProvider;
let stripe: Stripe;

beforeAll(async () => {
  provider = await startProvider();
  stripe = provider.stripe;
});
afterAll(() => provider.simulator.close());

const open = async (more: Partial<Stripe.Checkout.SessionCreateParams> = {}) => {
  const customer = await stripe.customers.create({ email: 'ada@example.com' });
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price: provider.basic.id, quantity: 1 }],
    success_url: 'http://app.test/profile?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://app.test/pricing',
    ...more,
  });
  return { customer, session, url: session.url ?? '' };
};

const subscriptionsOf = async (customer: Stripe.Customer) =>
  (await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data;

describe('the hosted page', () => {
  test('shows what is bought, what is due and the way back', async () => {
    const { url } = await open();
    const html = await (await fetch(url)).text();
    for (const each of ['Basic', '$1,794.00', 'http://app.test/pricing', 'name="card_number"', 'name="cvc"']) {
      expect(html).toContain(each);
    }
  });

  test('takes a card, and leads to the success address with the id of the session', async () => {
    const { customer, session, url } = await open({
      subscription_data: { metadata: { company: '7' } },
      metadata: { attempt: '1' },
    });
    const paid = await submit(url, typedCard('4242 4242 4242 4242'));
    expect(paid.status).toBe(303);
    expect(paid.headers.get('location')).toBe(`http://app.test/profile?session_id=${session.id}`);
    const done = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription.latest_invoice'] });
    expect(done).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
      amount_total: 179_400,
      subscription: {
        status: 'active',
        customer: customer.id,
        metadata: { company: '7' },
        latest_invoice: { status: 'paid', amount_paid: 179_400, billing_reason: 'subscription_create' },
      },
    });
    const { data } = await stripe.checkout.sessions.listLineItems(session.id);
    expect(data).toMatchObject([{ amount_total: 179_400, price: { id: provider.basic.id } }]);
  });

  test.each([
    ['4000000000000002', 'Your card was declined.'],
    ['4000000000009995', 'Your card has insufficient funds.'],
    ['4111111111111112', 'Your card number is incorrect.'],
    ['<script>', 'Your card number is incorrect.'],
  ])('with %s it says what is wrong, and takes another card', async (number, message) => {
    const { customer, session, url } = await open();
    const refused = await submit(url, typedCard(number));
    expect(refused.status).toBe(402);
    const html = await refused.text();
    expect(html).toContain(message);
    expect(html).not.toContain('<script>');
    expect(await subscriptionsOf(customer)).toEqual([]);
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
    expect((await submit(url, typedCard('4242424242424242'))).status).toBe(303);
    expect(await subscriptionsOf(customer)).toHaveLength(1);
  });

  test.each([
    ['exp_year', '2020', 'Your card has expired.'],
    ['exp_month', '13', 'expiration month is invalid'],
    ['cvc', '1', 'security code is invalid'],
  ])('checks %s', async (field, value, message) => {
    const { url } = await open();
    const refused = await submit(url, { ...typedCard('4242424242424242'), [field]: value });
    expect((await refused.text()).replace('&#39;', "'")).toContain(message);
  });

  test('asks the bank where the card wants it: completed it pays, failed it does not', async () => {
    for (const card of ['4000002500003155', '4000000000003220']) {
      const { customer, session, url } = await open();
      const asked = await submit(url, typedCard(card));
      const bank = new URL(asked.headers.get('location') ?? '', url).href;
      expect(await (await fetch(bank)).text()).toContain('Complete');
      const failed = await submit(bank, { action: 'fail' });
      expect(await failed.text()).toContain('unable to authenticate');
      expect(await subscriptionsOf(customer)).toEqual([]);
      await submit(url, typedCard(card));
      const paid = await submit(bank, { action: 'complete' });
      expect(paid.headers.get('location')).toContain(session.id);
      expect(await subscriptionsOf(customer)).toMatchObject([{ status: 'active' }]);
    }
  });

  test('paid twice buys once', async () => {
    const { customer, session, url } = await open();
    await submit(url, typedCard('4242424242424242'));
    const again = await submit(url, typedCard('4242424242424242'));
    expect(again.headers.get('location')).toBe(`http://app.test/profile?session_id=${session.id}`);
    expect(await (await fetch(url)).text()).toContain('already paid');
    expect(await subscriptionsOf(customer)).toHaveLength(1);
  });

  test('of an expired session takes nothing', async () => {
    const { customer, session, url } = await open();
    expect((await stripe.checkout.sessions.expire(session.id)).status).toBe('expired');
    expect((await submit(url, typedCard('4242424242424242'))).status).toBe(410);
    expect(await subscriptionsOf(customer)).toEqual([]);
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toThrow(/status of `expired`/);
    expect((await fetch(`${provider.simulator.url}/c/pay/absent`)).status).toBe(404);
  });

  test('makes a customer where none is given', async () => {
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: provider.annual.id, quantity: 1 }],
      success_url: 'http://app.test/',
      customer_email: 'new@example.com',
    });
    await submit(session.url ?? '', typedCard('4242424242424242'));
    const done = await stripe.checkout.sessions.retrieve(session.id, { expand: ['customer'] });
    expect(done.customer).toMatchObject({ email: 'new@example.com' });
  });

  test('with a trial charges nothing yet', async () => {
    const { customer, url } = await open({ subscription_data: { trial_period_days: 14 } });
    expect(await (await fetch(url)).text()).toContain('$0.00');
    await submit(url, typedCard('4242424242424242'));
    expect(await subscriptionsOf(customer)).toMatchObject([
      { status: 'trialing', trial_end: provider.simulator.now() + seconds(14) },
    ]);
  });
});

describe('a session', () => {
  test('is refused for a price that does not exist, is inactive or does not recur', async () => {
    const once = await stripe.prices.create({
      product: String(provider.basic.product),
      currency: 'usd',
      unit_amount: 1,
    });
    const gone = await stripe.prices.create({
      product: String(provider.basic.product),
      currency: 'usd',
      unit_amount: 1,
      recurring: { interval: 'month' },
    });
    await stripe.prices.update(gone.id, { active: false });
    for (const price of ['price_absent', once.id, gone.id]) {
      await expect(open({ line_items: [{ price, quantity: 1 }] })).rejects.toMatchObject({
        type: 'StripeInvalidRequestError',
      });
    }
  });

  test('expires by itself, and is found by customer and state', async () => {
    const own = await startProvider();
    const customer = await own.stripe.customers.create();
    const session = await own.stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: own.basic.id }],
      success_url: 'http://app.test/',
    });
    const found = () => own.stripe.checkout.sessions.list({ customer: customer.id, status: 'open' });
    expect((await found()).data.map(({ id }) => id)).toEqual([session.id]);
    own.simulator.moveTo(januaryEnd + seconds(1));
    expect((await found()).data).toEqual([]);
    const [event] = (await own.stripe.events.list({ type: 'checkout.session.expired' })).data;
    expect(event?.data.object).toMatchObject({ id: session.id });
    await own.simulator.close();
  });
});

describe('the portal', () => {
  const portal = async (customer: string) =>
    (await stripe.billingPortal.sessions.create({ customer, return_url: 'http://app.test/admin/settings' })).url;

  test('shows the plan, the card, the invoices and the way back', async () => {
    const { customer } = await subscribe(provider, provider.basic);
    const html = await (await fetch(await portal(customer.id))).text();
    for (const each of ['Basic', '4242', 'http://app.test/admin/settings', '/i/in_']) expect(html).toContain(each);
  });

  test('changes the plan, the card, cancels and renews', async () => {
    const { customer, subscription } = await subscribe(provider, provider.basic);
    const url = await portal(customer.id);
    const now = () => stripe.subscriptions.retrieve(subscription.id, { expand: ['default_payment_method'] });
    expect((await submit(url, { action: 'plan', price: provider.professional.id })).status).toBe(303);
    expect((await now()).items.data[0]?.price.id).toBe(provider.professional.id);
    await submit(url, { ...typedCard('5555555555554444'), action: 'card' });
    expect((await now()).default_payment_method).toMatchObject({ card: { last4: '4444' } });
    expect((await submit(url, { ...typedCard('4000000000000002'), action: 'card' })).status).toBe(402);
    await submit(url, { action: 'cancel' });
    expect((await now()).cancel_at_period_end).toBe(true);
    await submit(url, { action: 'renew' });
    expect((await now()).cancel_at_period_end).toBe(false);
    expect((await submit(url, { action: 'plan', price: 'price_absent' })).status).toBe(402);
  });
});

test('everything is still there after a restart, the moved clock too', async () => {
  const file = join(tmpdir(), `simulator-${process.pid}-${Date.now()}.json`);
  const first = await startProvider({ file });
  const { subscription } = await subscribe(first, first.basic);
  first.simulator.moveTo(januaryEnd + seconds(200));
  const before = await first.stripe.subscriptions.retrieve(subscription.id);
  await first.simulator.close();
  const second = await startSimulator({ file, frozenAt: januaryEnd });
  expect(second.now()).toBe(januaryEnd + seconds(200));
  const after = await clientOf(second).subscriptions.retrieve(subscription.id);
  expect(JSON.parse(JSON.stringify(after))).toEqual(JSON.parse(JSON.stringify(before)));
  await second.close();
  await rm(file);
});
