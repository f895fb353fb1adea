import { createServer } from 'node:http';
import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seconds, startProvider, subscribe, type TestProvider } from './testing.ts';

const secret = 'whsec_test';

interface Received {
  event: Stripe.Event;
  body: string;
  signature: string;
}

/** An endpoint that verifies and keeps what comes, and answers as it is told. */
async function startReceiver() {
  const received: Received[] = [];
  const answers = { status: 200 };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    const signature = String(request.headers['stripe-signature']);
    if (answers.status < 300) {
      received.push({ event: Stripe.webhooks.constructEvent(body, signature, secret), body, signature });
    }
    response.writeHead(answers.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`,
    received,
    types: () => received.map(({ event }) => event.type),
    answers,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

let provider: TestProvider;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeEach(async () => {
  provider = await startProvider({ settings: { redeliveryMs: () => 20 } });
  receiver = await startReceiver();
  provider.simulator.deliverTo(receiver.url, secret);
});
afterEach(async () => {
  await provider.simulator.close();
  await receiver.close();
});

const newCustomer = () => provider.stripe.customers.create({ email: 'ada@example.com' });

test('a checkout tells of everything that happened, signed, each event once', async () => {
  await subscribe(provider, provider.basic);
  await provider.simulator.delivered();
  expect(receiver.types()).toEqual(
    expect.arrayContaining<string>([
      'customer.created',
      'payment_method.attached',
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'invoice.paid',
      'checkout.session.completed',
    ]),
  );
  const ids = receiver.received.map(({ event }) => event.id);
  expect(new Set(ids).size).toBe(ids.length);
  const [first] = receiver.received;
  expect(first?.event).toMatchObject({ object: 'event', api_version: '2026-10-28.endive', livemode: false });
});

test('a changed payload, another secret and an old signature are refused by the SDK', async () => {
  await newCustomer();
  await provider.simulator.delivered();
  const { body = '', signature = '' } = receiver.received[0] ?? {};
  const verify = (payload: string, header: string, key: string, at?: number) => () =>
    Stripe.webhooks.constructEvent(payload, header, key, undefined, undefined, at);
  expect(verify(body, signature, secret)).not.toThrow();
  expect(verify(body.replace('ada', 'eve'), signature, secret)).toThrow(/signature/);
  expect(verify(body, signature, 'whsec_other')).toThrow(/signature/);
  expect(verify(body, signature, secret, Date.now() + 400_000)).toThrow(/tolerance/);
});

test('an event tells what was there before', async () => {
  const { id } = await newCustomer();
  await provider.stripe.customers.update(id, { name: 'Ada' });
  await provider.simulator.delivered();
  expect(receiver.received.at(-1)?.event).toMatchObject({
    type: 'customer.updated',
    data: { object: { name: 'Ada' }, previous_attributes: { name: null } },
    request: { idempotency_key: expect.stringContaining('stripe-node-retry') },
  });
});

test('what is not taken comes again until it is', async () => {
  receiver.answers.status = 503;
  await newCustomer();
  const missing = () => provider.stripe.events.list({ delivery_success: false });
  expect((await missing()).data).toMatchObject([{ type: 'customer.created', pending_webhooks: 1 }]);
  receiver.answers.status = 200;
  await provider.simulator.delivered();
  expect(receiver.types()).toEqual(['customer.created']);
  expect((await missing()).data).toEqual([]);
});

test('what is not taken for three days is given up', async () => {
  receiver.answers.status = 500;
  await newCustomer();
  provider.simulator.moveTo(provider.simulator.now() + seconds(4));
  await provider.simulator.delivered();
  expect(receiver.types()).toEqual([]);
});

describe('on demand', () => {
  test('events are dropped', async () => {
    provider.simulator.setFaults({ dropEvents: 1 });
    const [lost, sent] = [await newCustomer(), await newCustomer()];
    await provider.simulator.delivered();
    expect(receiver.received.map(({ event }) => event.data.object)).toMatchObject([{ id: sent.id }]);
    const { data } = await provider.stripe.events.list({ delivery_success: false });
    expect(data.map(({ data: { object } }) => object)).toMatchObject([{ id: lost.id }]);
  });

  test('events are duplicated', async () => {
    provider.simulator.setFaults({ duplicateEvents: 2 });
    await newCustomer();
    await provider.simulator.delivered();
    expect(receiver.types()).toEqual(['customer.created', 'customer.created', 'customer.created']);
    expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(1);
  });

  test('events are delayed', async () => {
    provider.simulator.setFaults({ delayEventsMs: 3_600_000 });
    await newCustomer();
    expect(receiver.types()).toEqual([]);
    provider.simulator.moveTo(provider.simulator.now() + 3600);
    await provider.simulator.delivered();
    expect(receiver.types()).toEqual(['customer.created']);
  });

  test('events are held back until there are enough of them', async () => {
    provider.simulator.setFaults({ reorderEvents: 3 });
    const made = [await newCustomer(), await newCustomer()];
    await provider.simulator.delivered();
    expect(receiver.types()).toEqual([]);
    made.push(await newCustomer());
    await provider.simulator.delivered();
    const ids = receiver.received.map(({ event }) => event.data.object);
    expect(ids).toHaveLength(3);
    expect(ids).toEqual(expect.arrayContaining(made.map(({ id }) => expect.objectContaining({ id }))));
  });
});

describe('endpoints', () => {
  test('are made, changed and deleted; each gets the events that it asked for', async () => {
    const { stripe } = provider;
    const other = await startReceiver();
    const made = await stripe.webhookEndpoints.create({ url: other.url, enabled_events: ['product.created'] });
    expect(made.secret).toMatch(/^whsec_/);
    expect((await stripe.webhookEndpoints.retrieve(made.id)).secret).toBeUndefined();
    await stripe.webhookEndpoints.update(made.id, { disabled: true });
    expect((await stripe.webhookEndpoints.list()).data.map(({ status }) => status)).toContain('disabled');
    await stripe.products.create({ name: 'Not told' });
    await provider.simulator.delivered();
    expect(other.types()).toEqual([]);
    expect(await stripe.webhookEndpoints.del(made.id)).toMatchObject({ deleted: true });
    await expect(stripe.webhookEndpoints.del(made.id)).rejects.toThrow(/No such webhook endpoint/);
    await other.close();
  });
});

test('events are listed by kind and time, and kept for 30 days', async () => {
  const { stripe, simulator } = provider;
  const start = simulator.now();
  const { id } = await newCustomer();
  const { data } = await stripe.events.list({ types: ['customer.*'], created: { gte: start } });
  expect(data.map(({ data: { object } }) => object)).toMatchObject([{ id }]);
  expect((await stripe.events.retrieve(data[0]?.id ?? '')).type).toBe('customer.created');
  expect((await stripe.events.list({ created: { gt: start } })).data).toEqual([]);
  simulator.moveTo(start + seconds(31));
  expect((await stripe.events.list()).data).toEqual([]);
});
