import Stripe from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pricesOnSale } from '#contract/plans.ts';
import { type Simulator, startSimulator } from '#simulators/stripe/simulator.ts';
import { clientOf } from '#simulators/stripe/testing.ts';
import type { Payments } from './port.ts';
import { stripePayments } from './stripe.ts';

let simulator: Simulator;
let stripe: Stripe;
const webhookSecret = 'whsec_test';

/** As after a start: nothing of the catalogue is known yet. */
function open(): Payments {
  const address = { host: '127.0.0.1', port: simulator.port };
  return stripePayments({ name: 'test', secretKey: 'sk_test_1', webhookSecret, address });
}

beforeEach(async () => {
  simulator = await startSimulator();
  stripe = clientOf(simulator);
});
afterEach(() => simulator.close());

const checkoutOf = (customerId: string) => ({
  customerId,
  companyId: '7e7d9b9e-0000-4000-8000-000000000001',
  priceId: 'professional_annual',
  successUrl: 'http://app.test/profile',
  cancelUrl: 'http://app.test/pricing',
  trialDays: null,
});

async function setPrice(amount: number, months: number) {
  const [old] = (await stripe.prices.list({ lookup_keys: ['professional_annual'] })).data;
  return stripe.prices.create({
    product: String(old?.product),
    currency: 'usd',
    unit_amount: amount,
    recurring: { interval: 'month', interval_count: months },
    lookup_key: 'professional_annual',
    transfer_lookup_key: true,
  });
}

test('the catalogue is made once, as it is shown', async () => {
  const payments = open();
  expect(await payments.checkCatalogue()).toHaveLength(4);
  expect(await payments.ensureCatalogue()).toHaveLength(6);
  expect(await payments.ensureCatalogue()).toEqual([]);
  expect(await open().checkCatalogue()).toEqual([]);
  for (const { id, amount, months } of pricesOnSale) {
    const { data } = await stripe.prices.list({ lookup_keys: [id] });
    expect(data).toMatchObject([
      { unit_amount: amount, currency: 'usd', recurring: { interval: 'month', interval_count: months } },
    ]);
  }
});

test.each([
  [1, 12, 'price professional_annual is 1 usd, not 712900 usd'],
  [712_900, 6, 'price professional_annual is for 6 months, not 12'],
])('nobody can pay a price that is not the one shown: %i for %i months', async (amount, months, problem) => {
  await open().ensureCatalogue();
  await setPrice(amount, months);
  const payments = open();
  expect(await payments.checkCatalogue()).toEqual([problem]);
  const { id } = await stripe.customers.create({});
  await expect(payments.createCheckout(checkoutOf(id))).rejects.toThrow(/not at the provider as it is shown/);
  await payments.ensureCatalogue();
  expect((await payments.createCheckout(checkoutOf(id))).url).toMatch(/^http/);
});

test('a provider that is away is unavailable, and what it refuses is our mistake', async () => {
  const payments = open();
  await payments.ensureCatalogue();
  simulator.setFaults({ api: { kind: 'status', status: 500, path: '/v1/', times: 9, afterwards: false } });
  await expect(payments.subscriptions('cus_1')).rejects.toMatchObject({ code: 'unavailable' });
  simulator.setFaults({ api: { kind: 'reset', status: 500, path: '/v1/', times: 9, afterwards: false } });
  await expect(payments.subscriptions('cus_1')).rejects.toMatchObject({ code: 'unavailable' });
  simulator.setFaults({});
  await expect(payments.createPortal({ customerId: 'cus_none', returnUrl: 'http://app.test' })).rejects.toThrow(
    /No such customer/,
  );
});

test('a customer whose answer was lost is not made twice', async () => {
  const payments = open();
  simulator.setFaults({
    api: { kind: 'reset', status: 500, path: '/v1/customers', times: 1, afterwards: true },
  });
  const company = { companyId: 'c1', companyName: 'Example', email: 'ada@example.com' };
  const id = await payments.createCustomer(company);
  expect(await payments.createCustomer(company)).toBe(id);
  expect((await stripe.customers.list()).data.map((each) => each.id)).toEqual([id]);
});

test('events are sent to an address once', async () => {
  const payments = open();
  expect(await payments.ensureWebhook('https://app.example/webhooks/stripe')).toMatch(/^whsec_/);
  expect(await payments.ensureWebhook('https://app.example/webhooks/stripe')).toBeNull();
  expect((await stripe.webhookEndpoints.list()).data.map(({ url }) => url)).toEqual([
    'https://app.example/webhooks/stripe',
  ]);
});

test('an event is read when it is signed, whole and young', () => {
  const payments = open();
  const payload = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'invoice.paid',
    data: { object: { object: 'invoice', customer: 'cus_1' } },
  });
  const header = (secret: string, secondsAgo = 0) =>
    Stripe.webhooks.generateTestHeaderString({
      payload,
      secret,
      timestamp: Math.floor(Date.now() / 1000) - secondsAgo,
    });
  const body = Buffer.from(payload);
  const right = { id: 'evt_1', type: 'invoice.paid', customerId: 'cus_1' };
  expect(payments.readEvent(body, header(webhookSecret))).toEqual(right);
  expect(payments.readEvent(body, header(webhookSecret, 290))).toEqual(right);
  expect(payments.readEvent(body, header(webhookSecret, 310))).toBeNull();
  expect(payments.readEvent(body, header('whsec_other'))).toBeNull();
  expect(payments.readEvent(Buffer.from(payload.replace('cus_1', 'cus_2')), header(webhookSecret))).toBeNull();
  expect(payments.readEvent(body, '')).toBeNull();
  expect(payments.readEvent(Buffer.from('no json'), header(webhookSecret))).toBeNull();
});
