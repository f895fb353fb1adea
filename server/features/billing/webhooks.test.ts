import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eq } from '#server/db/drizzle.ts';
import { paymentCustomers, paymentEvents } from '#server/db/schema.ts';
import { stripePayments } from '#server/ports/payments/stripe.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { payingCompany, payOnPage } from '#server/testing/paying.ts';
import { type Simulator, startSimulator } from '#simulators/stripe/simulator.ts';
import { clientOf } from '#simulators/stripe/testing.ts';

const secret = 'whsec_test';
let simulator: Simulator;
let app: TestApp;

// A provider of its own that sends nothing, so that each test decides what comes.
beforeAll(async () => {
  simulator = await startSimulator();
  const address = { host: '127.0.0.1', port: simulator.port };
  const stripe = { secretKey: 'sk_test_1', webhookSecret: secret, address };
  await stripePayments({ name: 'test', ...stripe }).ensureCatalogue();
  app = await startTestApp({ billing: 'stripe', stripe });
});
afterAll(async () => {
  await app.close();
  await simulator.close();
});

let number = 0;
function eventFor(customer: string | null, { type = 'customer.subscription.updated', id = `evt_${++number}` } = {}) {
  const object = { object: type.startsWith('invoice') ? 'invoice' : 'subscription', customer, padding: '' };
  return { id, object: 'event', type, api_version: '2026-10-28.endive', data: { object } };
}

function send(event: object, { key = secret, age = 0, header }: { key?: string; age?: number; header?: string } = {}) {
  const payload = JSON.stringify(event);
  const timestamp = Math.floor(Date.now() / 1000) - age;
  const signature = header ?? Stripe.webhooks.generateTestHeaderString({ payload, secret: key, timestamp });
  return app.fetch('/webhooks/stripe', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(signature !== 'none' && { 'stripe-signature': signature }) },
    body: payload,
  });
}

const customerOf = (companyId: string) =>
  app.app.db.asSystem(async (tx) => {
    const rows = await tx.select().from(paymentCustomers).where(eq(paymentCustomers.companyId, companyId));
    return rows[0]?.customerId ?? '';
  });
const stored = () => app.app.db.asSystem((tx) => tx.select().from(paymentEvents));
const stateOf = async (as: { token: string }) => (await app.call('getSession', null, as)).subscription.state;

/** A company that has paid, of which we have heard nothing yet. */
async function paidUnheard() {
  const { token, company } = await app.signUp();
  const { url } = await app.call('createCheckoutSession', { priceId: 'basic_annual' }, { token });
  await payOnPage(url);
  return { as: { token }, customer: await customerOf(company.id) };
}

test('a signed event is a hint: what is written down is the truth of the provider', async () => {
  const { as, customer } = await paidUnheard();
  expect(await stateOf(as)).toBe('none');
  // It tells the opposite of what is so.
  const response = await send(eventFor(customer, { type: 'customer.subscription.deleted' }));
  expect([response.status, await response.json()]).toEqual([200, { received: true }]);
  await app.idle();
  expect(await stateOf(as)).toBe('active');
});

test('the same event again is taken, and stored once', async () => {
  const { customer } = await paidUnheard();
  const event = eventFor(customer);
  const all = await Promise.all(Array.from({ length: 5 }, () => send(event)));
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect((await stored()).filter(({ id }) => id === event.id)).toHaveLength(1);
});

describe('refused, and nothing is stored:', () => {
  test.each([
    ['another secret', { key: 'whsec_other' }],
    ['an old signature', { age: 400 }],
    ['no signature', { header: 'none' }],
    ['an empty signature', { header: 't=1,v1=' }],
    ['rubbish for a signature', { header: 'rubbish' }],
  ])('%s', async (_, how) => {
    const { customer } = await paidUnheard();
    const before = (await stored()).length;
    const response = await send(eventFor(customer), how);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { details: { code: 'bad-signature' } } });
    expect(await stored()).toHaveLength(before);
  });

  test('a customer of somebody else', async () => {
    const before = (await stored()).length;
    const { id } = await clientOf(simulator).customers.create({ email: 'eve@example.com' });
    for (const customer of [id, 'cus_none', "'; drop table companies; --"]) {
      const response = await send(eventFor(customer));
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { details: { code: 'unknown-customer' } } });
    }
    expect(await stored()).toHaveLength(before);
  });

  test('ten megabytes, signed or not', async () => {
    const { customer } = await paidUnheard();
    const before = (await stored()).length;
    const event = eventFor(customer);
    event.data.object.padding = 'x'.repeat(10 * 1024 * 1024);
    for (const key of [secret, 'whsec_other']) {
      const response = await send(event, { key });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { details: { code: 'too-large' } } });
    }
    expect(await stored()).toHaveLength(before);
  });

  test('no body, and no JSON', async () => {
    const post = (body: string) => {
      const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret });
      return app.fetch('/webhooks/stripe', { method: 'POST', headers: { 'stripe-signature': header }, body });
    };
    for (const body of ['', 'no json', '[]', 'null']) expect((await post(body)).status, body).toBe(400);
  });
});

test('what is of no interest is taken and forgotten', async () => {
  const before = (await stored()).length;
  for (const event of [
    eventFor(null),
    eventFor('cus_none', { type: 'customer.created' }),
    eventFor(null, { type: 'price.updated' }),
  ]) {
    expect((await send(event)).status).toBe(200);
  }
  expect(await stored()).toHaveLength(before);
});

test('while the provider is away the event is kept, and tried until it is back', async () => {
  const { as, customer } = await paidUnheard();
  simulator.setFaults({ api: { kind: 'status', status: 500, path: '/v1/', times: 3, afterwards: false } });
  expect((await send(eventFor(customer))).status).toBe(200);
  await app.idle();
  expect(await stateOf(as)).toBe('active');
});

test('every night whatever was missed is put right', async () => {
  const { as } = await paidUnheard();
  expect(await stateOf(as)).toBe('none');
  await app.app.db.asSystem((tx) => app.app.jobs.enqueue(tx, 'sync-subscriptions', {}));
  await app.idle();
  expect(await stateOf(as)).toBe('active');
});

test("events of one company leave another's subscription alone", async () => {
  const { as } = await payingCompany(app, 'basic_annual');
  const { customer } = await paidUnheard();
  await send(eventFor(customer));
  await app.idle();
  expect(await stateOf(as)).toBe('active');
});
