import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { januaryEnd, seconds, startProvider, submit, subscribe, type TestProvider, typedCard } from '../testing.ts';

let provider: TestProvider;
let stripe: Stripe;

beforeEach(async () => {
  provider = await startProvider();
  stripe = provider.stripe;
});
afterEach(() => provider.simulator.close());

const at = (iso: string) => Date.parse(`${iso}T12:00:00Z`) / 1000;
const moveTo = (iso: string) => provider.simulator.moveTo(at(iso));
const read = (id: string) => stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
const itemOf = (subscription: Stripe.Subscription) => subscription.items.data[0]?.id ?? '';
const invoicesOf = async (subscription: string) => (await stripe.invoices.list({ subscription, limit: 100 })).data;
const eventTypes = async () => (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type);

describe('renewal', () => {
  test('falls on the last day of shorter months, and on the 31st again', async () => {
    const monthly = await stripe.prices.create({
      product: String(provider.basic.product),
      currency: 'usd',
      unit_amount: 1000,
      recurring: { interval: 'month' },
    });
    const { subscription } = await subscribe(provider, monthly);
    const ends: string[] = [];
    for (const day of ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']) {
      expect((await read(subscription.id)).items.data[0]?.current_period_end).toBe(at(day));
      moveTo(day);
      ends.push(day);
    }
    expect((await invoicesOf(subscription.id)).map(({ amount_paid }) => amount_paid)).toEqual(Array(5).fill(1000));
  });

  test('charges each period once, however far the clock is moved at a time', async () => {
    const { subscription } = await subscribe(provider, provider.basic);
    moveTo('2028-02-01');
    const invoices = await invoicesOf(subscription.id);
    expect(invoices.map(({ created, amount_paid }) => [created, amount_paid])).toEqual(
      ['2028-01-31', '2027-07-31', '2027-01-31', '2026-07-31', '2026-01-31'].map((day) => [at(day), 179_400]),
    );
    expect(await eventTypes()).toContain('invoice.upcoming');
  });

  test('fails, is tried again after 3, 5 and 7 days, and ends unpaid; its invoice can be paid on its page', async () => {
    const { subscription } = await subscribe(provider, provider.basic, { card: '4000000000000341' });
    moveTo('2026-07-31');
    const failed = await read(subscription.id);
    expect(failed).toMatchObject({
      status: 'past_due',
      latest_invoice: { status: 'open', attempt_count: 1, next_payment_attempt: at('2026-08-03') },
    });
    moveTo('2026-08-09');
    expect(await read(subscription.id)).toMatchObject({ status: 'past_due', latest_invoice: { attempt_count: 3 } });
    moveTo('2026-08-16');
    const given = await read(subscription.id);
    expect(given).toMatchObject({ status: 'unpaid', latest_invoice: { attempt_count: 4, next_payment_attempt: null } });
    const page = (typeof given.latest_invoice === 'object' && given.latest_invoice?.hosted_invoice_url) || '';
    expect(await (await fetch(page)).text()).toContain('$1,794.00');
    expect(await (await submit(page, typedCard('4000000000000002'))).text()).toContain('declined');
    expect((await submit(page, typedCard('4242424242424242'))).status).toBe(303);
    expect(await read(subscription.id)).toMatchObject({ status: 'active', latest_invoice: { status: 'paid' } });
    moveTo('2027-02-01');
    expect((await read(subscription.id)).status).toBe('active');
  });

  test('of a card that asks every time waits for its holder', async () => {
    const { subscription } = await subscribe(provider, provider.basic, { card: '4000000000003220' });
    moveTo('2026-07-31');
    const waiting = await read(subscription.id);
    expect(waiting).toMatchObject({ status: 'past_due', latest_invoice: { status: 'open' } });
    expect(await eventTypes()).toContain('invoice.payment_action_required');
    const page = (typeof waiting.latest_invoice === 'object' && waiting.latest_invoice?.hosted_invoice_url) || '';
    const asked = await submit(page, { action: 'saved' });
    const bank = new URL(asked.headers.get('location') ?? '', page).href;
    expect(await (await submit(bank, { action: 'fail' })).text()).toContain('unable to authenticate');
    await submit(bank, { action: 'complete' });
    expect((await read(subscription.id)).status).toBe('active');
  });

  test('of a card that asked once is charged without asking', async () => {
    const { subscription } = await subscribe(provider, provider.basic, { card: '4000002500003155' });
    moveTo('2026-07-31');
    expect(await read(subscription.id)).toMatchObject({ status: 'active', latest_invoice: { status: 'paid' } });
  });
});

describe('a trial', () => {
  test('is announced, and then charged', async () => {
    const customer = await stripe.customers.create({ payment_method: 'pm_card_visa' });
    const [card] = (await stripe.paymentMethods.list({ customer: customer.id })).data;
    const { id } = await stripe.subscriptions.create({
      customer: customer.id,
      default_payment_method: card?.id ?? '',
      items: [{ price: provider.basic.id }],
      trial_period_days: 14,
    });
    expect(await read(id)).toMatchObject({ status: 'trialing', latest_invoice: { total: 0, status: 'paid' } });
    provider.simulator.moveTo(januaryEnd + seconds(12));
    expect(await eventTypes()).toContain('customer.subscription.trial_will_end');
    provider.simulator.moveTo(januaryEnd + seconds(14));
    expect(await read(id)).toMatchObject({ status: 'active', latest_invoice: { amount_paid: 179_400 } });
  });
});

test('a first payment that never comes expires after 23 hours', async () => {
  const customer = await stripe.customers.create();
  const { id } = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: provider.basic.id }],
    payment_behavior: 'default_incomplete',
  });
  provider.simulator.moveTo(januaryEnd + 23 * 3600);
  expect(await read(id)).toMatchObject({ status: 'incomplete_expired', latest_invoice: { status: 'void' } });
});

describe('a change of price', () => {
  const upgrade = (subscription: Stripe.Subscription, more: Stripe.SubscriptionUpdateParams = {}) =>
    stripe.subscriptions.update(subscription.id, {
      items: [{ id: itemOf(subscription), price: provider.professional.id }],
      proration_behavior: 'always_invoice',
      ...more,
    });

  test('is charged as it was previewed: the unused time of the old is credited, the rest of the new charged', async () => {
    const { subscription } = await subscribe(provider, provider.basic);
    const [start, end] = [at('2026-01-31'), at('2026-07-31')];
    const now = at('2026-05-01');
    provider.simulator.moveTo(now);
    const share = (end - now) / (end - start);
    const preview = await stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: {
        items: [{ id: itemOf(subscription), price: provider.professional.id }],
        proration_behavior: 'always_invoice',
      },
    });
    expect(preview.lines.data.map(({ amount }) => amount)).toEqual([
      -Math.round(179_400 * share),
      Math.round(419_400 * share),
    ]);
    expect((await invoicesOf(subscription.id)).length).toBe(1);
    await upgrade(subscription, { payment_behavior: 'pending_if_incomplete' });
    const changed = await read(subscription.id);
    expect(changed).toMatchObject({
      status: 'active',
      pending_update: null,
      latest_invoice: { amount_paid: preview.amount_due, billing_reason: 'subscription_update' },
      items: { data: [{ price: { id: provider.professional.id }, current_period_end: end }] },
    });
  });

  test('whose payment fails waits for it, and takes effect when the invoice is paid', async () => {
    const { customer, subscription } = await subscribe(provider, provider.basic, { card: '4000000000000341' });
    const pending = await upgrade(subscription, { payment_behavior: 'pending_if_incomplete' });
    expect(pending).toMatchObject({
      status: 'active',
      items: { data: [{ price: { id: provider.basic.id } }] },
      pending_update: { subscription_items: [{ price: { id: provider.professional.id } }] },
    });
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    await stripe.invoices.pay(String(pending.latest_invoice), { payment_method: card.id });
    expect(await read(subscription.id)).toMatchObject({
      pending_update: null,
      items: { data: [{ price: { id: provider.professional.id } }] },
    });
    expect(await eventTypes()).toContain('customer.subscription.pending_update_applied');
  });

  test('whose payment never comes is given up, and nothing is owed', async () => {
    const { subscription } = await subscribe(provider, provider.basic, { card: '4000000000000341' });
    await upgrade(subscription, { payment_behavior: 'pending_if_incomplete' });
    provider.simulator.moveTo(januaryEnd + seconds(1));
    expect(await read(subscription.id)).toMatchObject({
      status: 'active',
      pending_update: null,
      items: { data: [{ price: { id: provider.basic.id } }] },
      latest_invoice: { status: 'void' },
    });
  });

  test('that must not wait takes effect only with the payment', async () => {
    const { subscription } = await subscribe(provider, provider.basic, { card: '4000000000000341' });
    const change = upgrade(subscription, { payment_behavior: 'error_if_incomplete' });
    await expect(change).rejects.toMatchObject({ code: 'card_declined' });
    expect((await read(subscription.id)).items.data[0]?.price.id).toBe(provider.basic.id);
    expect(await invoicesOf(subscription.id)).toHaveLength(1);
  });

  test('to one of another length begins a new period', async () => {
    const { subscription } = await subscribe(provider, provider.basic);
    moveTo('2026-05-01');
    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: itemOf(subscription), price: provider.annual.id }],
    });
    const changed = await read(subscription.id);
    expect(changed.items.data[0]).toMatchObject({
      current_period_start: at('2026-05-01'),
      current_period_end: at('2027-05-01'),
    });
    const unused = Math.round(
      (179_400 * (at('2026-07-31') - at('2026-05-01'))) / (at('2026-07-31') - at('2026-01-31')),
    );
    expect(changed.latest_invoice).toMatchObject({ amount_paid: 305_000 - unused });
  });

  test('to a cheaper one leaves a credit, which the next invoices use up', async () => {
    const { customer, subscription } = await subscribe(provider, provider.professional);
    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: itemOf(subscription), price: provider.basic.id }],
      proration_behavior: 'always_invoice',
    });
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: 179_400 - 419_400 });
    moveTo('2027-02-01');
    const paid = (await invoicesOf(subscription.id)).map(({ amount_paid }) => amount_paid).reverse();
    expect(paid).toEqual([419_400, 0, 0, 179_400 - (240_000 - 179_400)]);
  });

  test('without proration is charged from the next period on', async () => {
    const { subscription } = await subscribe(provider, provider.basic);
    await upgrade(subscription, { proration_behavior: 'none' });
    moveTo('2026-07-31');
    expect((await invoicesOf(subscription.id)).map(({ amount_paid }) => amount_paid)).toEqual([419_400, 179_400]);
  });

  test('prorated without an invoice of its own is settled with the next one, as previewed', async () => {
    const { subscription } = await subscribe(provider, provider.basic);
    await upgrade(subscription, { proration_behavior: 'create_prorations' });
    const preview = await stripe.invoices.createPreview({ subscription: subscription.id });
    expect(preview.amount_due).toBe(419_400 + (419_400 - 179_400));
    moveTo('2026-07-31');
    expect(await read(subscription.id)).toMatchObject({ latest_invoice: { amount_paid: preview.amount_due } });
  });
});

describe('a schedule', () => {
  const downgrade = async (subscription: Stripe.Subscription) => {
    const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    const [current] = phases;
    return stripe.subscriptionSchedules.update(id, {
      end_behavior: 'release',
      phases: [
        {
          items: [{ price: provider.professional.id, quantity: 1 }],
          start_date: current?.start_date ?? 0,
          end_date: current?.end_date ?? 0,
        },
        {
          items: [{ price: provider.basic.id, quantity: 1 }],
          duration: { interval: 'month', interval_count: 6 },
          proration_behavior: 'none',
        },
      ],
    });
  };

  test('changes the price at the end of the period, and then lets go of the subscription', async () => {
    const { subscription } = await subscribe(provider, provider.professional);
    const schedule = await downgrade(subscription);
    expect((await read(subscription.id)).schedule).toBe(schedule.id);
    const preview = await stripe.invoices.createPreview({ subscription: subscription.id });
    expect(preview.amount_due).toBe(179_400);
    moveTo('2026-07-30');
    expect((await read(subscription.id)).items.data[0]?.price.id).toBe(provider.professional.id);
    moveTo('2026-07-31');
    expect(await read(subscription.id)).toMatchObject({
      items: { data: [{ price: { id: provider.basic.id } }] },
      latest_invoice: { amount_paid: 179_400 },
    });
    moveTo('2027-01-31');
    expect(await read(subscription.id)).toMatchObject({ status: 'active', schedule: null });
    expect((await stripe.subscriptionSchedules.retrieve(schedule.id)).status).toBe('released');
  });

  test('to a price of another length begins a whole period of it', async () => {
    const { subscription } = await subscribe(provider, provider.basic);
    const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    await stripe.subscriptionSchedules.update(id, {
      phases: [
        {
          items: [{ price: provider.basic.id }],
          start_date: phases[0]?.start_date ?? 0,
          end_date: phases[0]?.end_date ?? 0,
        },
        { items: [{ price: provider.annual.id }] },
      ],
    });
    moveTo('2026-07-31');
    expect((await read(subscription.id)).items.data[0]).toMatchObject({
      current_period_start: at('2026-07-31'),
      current_period_end: at('2027-07-31'),
    });
  });

  test('can be released before, and forbids a cancellation beside it', async () => {
    const { subscription } = await subscribe(provider, provider.professional);
    const schedule = await downgrade(subscription);
    const cancel = () => stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    await expect(cancel()).rejects.toThrow(/managed by the subscription schedule/);
    await stripe.subscriptionSchedules.release(schedule.id);
    expect((await cancel()).cancel_at_period_end).toBe(true);
    await expect(stripe.subscriptionSchedules.release(schedule.id)).rejects.toThrow(/`released` status/);
    moveTo('2026-07-31');
    expect((await read(subscription.id)).status).toBe('canceled');
  });

  test('canceled ends its subscription', async () => {
    const { customer, subscription } = await subscribe(provider, provider.professional);
    const schedule = await downgrade(subscription);
    expect((await stripe.subscriptionSchedules.list({ customer: customer.id })).data).toHaveLength(1);
    expect((await stripe.subscriptionSchedules.cancel(schedule.id)).status).toBe('canceled');
    expect((await read(subscription.id)).status).toBe('canceled');
  });

  test.each([
    ['without its present phase', [{ items: [{ price: '' }], start_date: januaryEnd + 5 }]],
    ['with an end before its start', [{ items: [{ price: '' }], start_date: januaryEnd, end_date: januaryEnd - 5 }]],
  ])('is refused %s', async (_, phases) => {
    const { subscription } = await subscribe(provider, provider.basic);
    const { id } = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    const priced = phases.map((phase) => ({ ...phase, items: [{ price: provider.basic.id }] }));
    await expect(stripe.subscriptionSchedules.update(id, { phases: priced })).rejects.toThrow();
  });
});

describe('a cancellation', () => {
  test('at the end of the period keeps it until then, and can be taken back', async () => {
    const { subscription } = await subscribe(provider, provider.basic);
    const cancel = (cancel_at_period_end: boolean) =>
      stripe.subscriptions.update(subscription.id, { cancel_at_period_end });
    expect(await cancel(true)).toMatchObject({ cancel_at: at('2026-07-31'), status: 'active' });
    await expect(stripe.invoices.createPreview({ subscription: subscription.id })).rejects.toMatchObject({
      code: 'invoice_upcoming_none',
    });
    expect(await cancel(false)).toMatchObject({ cancel_at: null, canceled_at: null });
    await cancel(true);
    moveTo('2026-07-31');
    expect(await read(subscription.id)).toMatchObject({ status: 'canceled', ended_at: at('2026-07-31') });
    expect(await invoicesOf(subscription.id)).toHaveLength(1);
  });

  test('on a day comes on that day', async () => {
    const { subscription } = await subscribe(provider, provider.basic);
    await stripe.subscriptions.update(subscription.id, { cancel_at: at('2026-03-15') });
    moveTo('2026-07-31');
    expect(await read(subscription.id)).toMatchObject({ status: 'canceled', ended_at: at('2026-03-15') });
  });
});

test('an invoice can be voided, or given up', async () => {
  const { subscription } = await subscribe(provider, provider.basic, { card: '4000000000000341' });
  moveTo('2026-07-31');
  const [open] = (await stripe.invoices.list({ subscription: subscription.id, status: 'open' })).data;
  const id = open?.id ?? '';
  await expect(stripe.invoices.pay(id)).rejects.toMatchObject({ code: 'card_declined' });
  expect((await stripe.invoices.markUncollectible(id)).status).toBe('uncollectible');
  await expect(stripe.invoices.voidInvoice(id)).rejects.toThrow(/open invoice/);
  expect((await stripe.invoices.listLineItems(id)).data).toHaveLength(1);
});

test('the clock moves over HTTP too, and never back', async () => {
  const post = async (body: object) =>
    fetch(`${provider.simulator.url}/_control/clock`, { method: 'POST', body: JSON.stringify(body) });
  expect(await (await post({ advanceDays: 1 })).json()).toEqual({ now: januaryEnd + seconds(1) });
  expect(await (await post({ to: januaryEnd + seconds(2) })).json()).toEqual({ now: januaryEnd + seconds(2) });
  expect((await post({ to: januaryEnd })).status).toBe(400);
  expect((await post({ advanceDays: -1 })).status).toBe(400);
});
