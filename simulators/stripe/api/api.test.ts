import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, startProvider, subscribe, type TestProvider } from '../testing.ts';

// Everything goes through the unmodified SDK, so what it can't read or would not send fails here.

let provider: TestProvider;
let stripe: Stripe;

beforeAll(async () => {
  provider = await startProvider();
  stripe = provider.stripe;
});
afterAll(() => provider.simulator.close());

describe('customers', () => {
  test('are made, read, changed and deleted', async () => {
    const made = await stripe.customers.create({ email: 'ada@example.com', metadata: { company: '1', old: 'x' } });
    expect(made).toMatchObject({ object: 'customer', email: 'ada@example.com', metadata: { company: '1' } });
    const changed = await stripe.customers.update(made.id, { name: 'Ada', metadata: { old: '' } });
    expect(changed.metadata).toEqual({ company: '1' });
    expect(await stripe.customers.retrieve(made.id)).toMatchObject({ name: 'Ada', email: 'ada@example.com' });
    expect(await stripe.customers.del(made.id)).toMatchObject({ deleted: true });
    expect(await stripe.customers.retrieve(made.id)).toMatchObject({ deleted: true });
    await expect(stripe.customers.update(made.id, { name: 'B' })).rejects.toThrow(/No such customer/);
  });

  test('come in pages, newest first', async () => {
    const email = 'many@example.com';
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift((await stripe.customers.create({ email })).id);
    const first = await stripe.customers.list({ email, limit: 2 });
    expect([first.data.map(({ id }) => id), first.has_more]).toEqual([ids.slice(0, 2), true]);
    const all = await stripe.customers.list({ email, limit: 2 }).autoPagingToArray({ limit: 100 });
    expect(all.map(({ id }) => id)).toEqual(ids);
    const before = await stripe.customers.list({ email, limit: 2, ending_before: ids[3] ?? '' });
    expect(before.data.map(({ id }) => id)).toEqual([ids[1], ids[2]]);
  });
});

describe('the catalogue', () => {
  test('is found by lookup key', async () => {
    const { data } = await stripe.prices.list({ lookup_keys: ['basic_semiannual'], expand: ['data.product'] });
    expect(data).toMatchObject([
      { unit_amount: 179_400, recurring: { interval: 'month', interval_count: 6 }, product: { name: 'Basic' } },
    ]);
    expect(data[0]?.unit_amount_decimal?.toString()).toBe('179400');
  });

  test('a lookup key belongs to one price, and can be taken over', async () => {
    const old = await stripe.prices.retrieve(provider.basic.id);
    const like = { product: String(old.product), currency: 'usd', unit_amount: 1, lookup_key: 'moves' } as const;
    const first = await stripe.prices.create(like);
    await expect(stripe.prices.create(like)).rejects.toThrow(/already uses that lookup key/);
    const second = await stripe.prices.create({ ...like, transfer_lookup_key: true });
    expect((await stripe.prices.list({ lookup_keys: ['moves'] })).data.map(({ id }) => id)).toEqual([second.id]);
    expect((await stripe.prices.update(first.id, { active: false })).active).toBe(false);
    expect((await stripe.prices.list({ active: false })).data.map(({ id }) => id)).toEqual([first.id]);
  });

  test('products are changed and listed', async () => {
    const made = await stripe.products.create({ id: 'prod_own', name: 'Own', metadata: { plan: 'own' } });
    expect(await stripe.products.update(made.id, { active: false, name: 'Own 2' })).toMatchObject({ name: 'Own 2' });
    expect((await stripe.products.retrieve('prod_own')).metadata.plan).toBe('own');
    expect((await stripe.products.list({ active: false })).data.map(({ id }) => id)).toEqual(['prod_own']);
    await expect(stripe.products.create({ id: 'prod_own', name: 'Own' })).rejects.toThrow(/already exists/);
  });
});

describe('payment methods', () => {
  test('are attached, made the default, listed and detached', async () => {
    const customer = await stripe.customers.create({ payment_method: 'pm_card_visa' });
    const [first] = (await stripe.paymentMethods.list({ customer: customer.id })).data;
    expect(first?.card).toMatchObject({ last4: '4242', brand: 'visa' });
    const second = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_mastercard' } });
    await stripe.paymentMethods.attach(second.id, { customer: customer.id });
    const changed = await stripe.customers.update(customer.id, {
      invoice_settings: { default_payment_method: second.id },
    });
    expect(changed.invoice_settings.default_payment_method).toBe(second.id);
    await stripe.paymentMethods.detach(second.id);
    expect((await stripe.customers.listPaymentMethods(customer.id)).data.map(({ id }) => id)).toEqual([first?.id]);
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({
      invoice_settings: { default_payment_method: null },
    });
    expect((await stripe.paymentMethods.retrieve(second.id)).customer).toBeNull();
  });

  test('one that its bank declines is a card error', async () => {
    const { id: customer } = await stripe.customers.create();
    const attached = stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer });
    await expect(attached).rejects.toBeInstanceOf(Stripe.errors.StripeCardError);
  });
});

describe('subscriptions', () => {
  const newCustomer = (card = 'pm_card_visa') => stripe.customers.create({ payment_method: card });
  const charged = async (card = 'pm_card_visa') => {
    const customer = await newCustomer(card);
    const [method] = (await stripe.paymentMethods.list({ customer: customer.id })).data;
    return { customer: customer.id, default_payment_method: method?.id ?? '' };
  };

  test('are made through the API, and listed by customer, state and price', async () => {
    const made = await stripe.subscriptions.create({
      ...(await charged()),
      items: [{ price: provider.basic.id }],
      metadata: { company: '1' },
      expand: ['latest_invoice'],
    });
    expect(made).toMatchObject({ status: 'active', latest_invoice: { status: 'paid', amount_paid: 179_400 } });
    const customer = String(made.customer);
    expect((await stripe.subscriptions.list({ customer })).data.map(({ id }) => id)).toEqual([made.id]);
    expect((await stripe.subscriptions.list({ customer, price: provider.annual.id })).data).toEqual([]);
    await stripe.subscriptions.cancel(made.id, { cancellation_details: { comment: 'enough' } });
    expect((await stripe.subscriptions.list({ customer })).data).toEqual([]);
    const [ended] = (await stripe.subscriptions.list({ customer, status: 'all' })).data;
    expect(ended).toMatchObject({ status: 'canceled', cancellation_details: { comment: 'enough' } });
    await expect(stripe.subscriptions.update(made.id, { description: 'x' })).rejects.toThrow(/canceled subscription/);
  });

  test('a first payment that fails leaves one incomplete, or none, as it is asked', async () => {
    const items = [{ price: provider.basic.id }];
    const failing = await charged('pm_card_chargeCustomerFail');
    const made = await stripe.subscriptions.create({ ...failing, items, expand: ['latest_invoice'] });
    expect(made).toMatchObject({ status: 'incomplete', latest_invoice: { status: 'open', amount_due: 179_400 } });
    const strict = stripe.subscriptions.create({ ...failing, items, payment_behavior: 'error_if_incomplete' });
    await expect(strict).rejects.toMatchObject({ type: 'StripeCardError', statusCode: 402, code: 'card_declined' });
    expect((await stripe.subscriptions.list({ customer: failing.customer, status: 'all' })).data).toHaveLength(1);
    const good = await stripe.paymentMethods.attach('pm_card_visa', { customer: failing.customer });
    await stripe.invoices.pay(invoiceId(made), { payment_method: good.id });
    expect((await stripe.subscriptions.retrieve(made.id)).status).toBe('active');
  });

  test('are paused and resumed', async () => {
    const made = await stripe.subscriptions.create({ ...(await charged()), items: [{ price: provider.basic.id }] });
    const paused = await stripe.subscriptions.pause(made.id, { type: 'subscription' });
    expect(paused).toMatchObject({ status: 'paused', status_details: { paused: { type: 'subscription' } } });
    expect((await stripe.subscriptions.resume(made.id, { billing_cycle_anchor: { type: 'unchanged' } })).status).toBe(
      'active',
    );
  });

  test('items are listed, read and changed on their own', async () => {
    const made = await stripe.subscriptions.create({ ...(await charged()), items: [{ price: provider.basic.id }] });
    const [item] = (await stripe.subscriptionItems.list({ subscription: made.id })).data;
    const changed = await stripe.subscriptionItems.update(item?.id ?? '', { price: provider.professional.id });
    expect(changed.price.id).toBe(provider.professional.id);
    expect((await stripe.subscriptionItems.retrieve(changed.id)).price.id).toBe(provider.professional.id);
  });
});

describe('what is wrong', () => {
  test('an unknown, a missing and an invalid parameter are named', async () => {
    const unknown = stripe.customers.create({ ['nickname' as 'name']: 'x' });
    await expect(unknown).rejects.toMatchObject({ code: 'parameter_unknown', param: 'nickname', statusCode: 400 });
    const missing = stripe.prices.create({ currency: 'usd', product: 'prod_x' });
    await expect(missing).rejects.toMatchObject({ code: 'parameter_missing', param: 'unit_amount' });
    const price = stripe.subscriptions.create({ customer: 'cus_x', items: [{ price: 'a', quantity: -1 }] });
    await expect(price).rejects.toMatchObject({ param: 'items[0][quantity]' });
  });

  test('an id that does not exist is a 404', async () => {
    const absent = stripe.subscriptions.retrieve('sub_absent');
    await expect(absent).rejects.toMatchObject({ code: 'resource_missing', statusCode: 404 });
    await expect(absent).rejects.toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
  });

  test('an address that does not exist is told as an error that the SDK understands', async () => {
    await expect(stripe.refunds.list()).rejects.toThrow(/Unrecognized request URL/);
  });

  test('a property that is no object can not be expanded', async () => {
    const session = stripe.customers.list({ expand: ['data.nothing'] });
    await expect(session).rejects.toThrow(/cannot be expanded/);
  });

  test('a live key is refused: it must never leave for here', async () => {
    const live = new Stripe('sk_live_secret', { host: '127.0.0.1', port: provider.simulator.port, protocol: 'http' });
    await expect(live.customers.list()).rejects.toMatchObject({ type: 'StripeAuthenticationError' });
    await expect(live.customers.list()).rejects.not.toThrow(/secret/);
  });
});

describe('idempotency keys', () => {
  test('the same request is done once', async () => {
    const options = { idempotencyKey: 'once' };
    const first = await stripe.customers.create({ email: 'once@example.com' }, options);
    const second = await stripe.customers.create({ email: 'once@example.com' }, options);
    expect(second.id).toBe(first.id);
    expect((await stripe.customers.list({ email: 'once@example.com' })).data).toHaveLength(1);
  });

  test('another request with the same key is refused', async () => {
    const options = { idempotencyKey: 'twice' };
    await stripe.customers.create({ email: 'a@example.com' }, options);
    const other = stripe.customers.create({ email: 'b@example.com' }, options);
    await expect(other).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  });

  test('a request whose answer was lost is tried again by the SDK, and done once', async () => {
    const patient = clientOf(provider.simulator, { maxNetworkRetries: 2, timeout: 5000 });
    const api = { kind: 'reset', status: 500, path: '/v1/customers', times: 1, afterwards: true } as const;
    provider.simulator.setFaults({ api });
    await patient.customers.create({ email: 'lost@example.com' });
    expect((await stripe.customers.list({ email: 'lost@example.com' })).data).toHaveLength(1);
  });
});

describe('faults on demand', () => {
  const fault = (kind: 'status' | 'timeout' | 'reset', status = 500) =>
    provider.simulator.setFaults({ api: { kind, status, path: '/v1/', times: 1, afterwards: false } });

  test.each([
    [429, 'StripeRateLimitError'],
    [500, 'StripeAPIError'],
  ])('the API answers %i', async (status, type) => {
    fault('status', status);
    await expect(stripe.customers.list()).rejects.toMatchObject({ type });
    await expect(stripe.customers.list()).resolves.toBeDefined();
  });

  test('the API does not answer', async () => {
    fault('timeout');
    await expect(clientOf(provider.simulator, { timeout: 200 }).customers.list()).rejects.toMatchObject({
      type: 'StripeConnectionError',
    });
  });

  test('every card is refused', async () => {
    const { subscription } = await subscribe(provider, provider.basic);
    provider.simulator.setFaults({ refuseCards: true });
    const [item] = subscription.items.data;
    const change = stripe.subscriptions.update(subscription.id, {
      items: [{ id: item?.id ?? '', price: provider.professional.id }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
    });
    await expect(change).rejects.toMatchObject({ code: 'card_declined' });
    provider.simulator.setFaults({});
  });

  test('are set over HTTP too', async () => {
    const post = (body: string) => fetch(`${provider.simulator.url}/_control/faults`, { method: 'POST', body });
    expect((await post('{"api":{"status":503}}')).status).toBe(200);
    await expect(stripe.customers.list()).rejects.toMatchObject({ statusCode: 503 });
    expect((await post('{"unknown":1}')).status).toBe(400);
    expect((await post('not JSON')).status).toBe(400);
  });
});

function invoiceId({ latest_invoice: invoice }: Stripe.Subscription): string {
  return typeof invoice === 'string' ? invoice : (invoice?.id ?? '');
}
