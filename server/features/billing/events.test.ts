import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eq } from '#server/db/drizzle.ts';
import { paymentCustomers, paymentEvents, subscriptions } from '#server/db/schema.ts';
import { stripePayments } from '#server/ports/payments/stripe.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import fc from '#server/testing/fast-check.ts';
import { payOnPage } from '#server/testing/paying.ts';
import { type Simulator, startSimulator } from '#simulators/stripe/simulator.ts';
import { clientOf } from '#simulators/stripe/testing.ts';

const secret = 'whsec_test';
let simulator: Simulator;
let stripe: Stripe;
let app: TestApp;

// The provider sends nothing by itself: the test delivers its events as it likes.
beforeAll(async () => {
  simulator = await startSimulator({ frozenAt: Math.floor(Date.now() / 1000) });
  stripe = clientOf(simulator);
  const address = { host: '127.0.0.1', port: simulator.port };
  const options = { secretKey: 'sk_test_1', webhookSecret: secret, address };
  await stripePayments({ name: 'test', ...options }).ensureCatalogue();
  app = await startTestApp({ billing: 'stripe', stripe: options });
});
afterAll(async () => {
  await app.close();
  await simulator.close();
});

/** What can happen to a subscription at the provider; what it refuses in some state is left out there. */
const happenings = {
  upgrade: (id: string) => change(id, 'professional_annual'),
  downgrade: (id: string) => change(id, 'basic_semiannual'),
  cancel: (id: string) => stripe.subscriptions.update(id, { cancel_at_period_end: true }),
  resume: (id: string) => stripe.subscriptions.update(id, { cancel_at_period_end: false }),
  end: (id: string) => stripe.subscriptions.cancel(id),
  badCard: (id: string) => setCard(id, 'pm_card_chargeCustomerFail'),
  goodCard: (id: string) => setCard(id, 'pm_card_visa'),
  payOpen: async (id: string) => {
    const { data } = await stripe.invoices.list({ subscription: id, status: 'open' });
    for (const invoice of data) await stripe.invoices.pay(invoice.id);
  },
  month: async () => simulator.moveTo(simulator.now() + 31 * 86_400),
  halfYear: async () => simulator.moveTo(simulator.now() + 184 * 86_400),
};
type Happening = keyof typeof happenings;

async function change(id: string, key: string) {
  const [price] = (await stripe.prices.list({ lookup_keys: [key] })).data;
  const { items } = await stripe.subscriptions.retrieve(id);
  const item = { id: items.data[0]?.id ?? '', price: price?.id ?? '' };
  return stripe.subscriptions.update(id, { items: [item], proration_behavior: 'always_invoice' });
}

async function setCard(id: string, card: string) {
  const { customer } = await stripe.subscriptions.retrieve(id);
  const method = await stripe.paymentMethods.attach(card, { customer: String(customer) });
  return stripe.subscriptions.update(id, { default_payment_method: method.id });
}

async function deliver(event: Stripe.Event) {
  const payload = JSON.stringify(event);
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret });
  const response = await app.fetch('/webhooks/stripe', {
    method: 'POST',
    headers: { 'stripe-signature': header },
    body: payload,
  });
  expect(response.status).toBe(200);
}

test('any events in any order, twice or never: after one sync it is as the provider has it', {
  timeout: 180_000,
}, async () => {
  const seen = new Set<string>();
  let silent = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...(Object.keys(happenings) as Happening[])), { minLength: 1, maxLength: 6 }),
      fc.infiniteStream(fc.nat()),
      async (story, dice) => {
        const { company, token } = await app.signUp();
        const { url } = await app.call('createCheckoutSession', { priceId: 'basic_annual' }, { token });
        const began = simulator.now();
        await payOnPage(url);
        const [row] = await app.app.db.asSystem((tx) =>
          tx.select().from(paymentCustomers).where(eq(paymentCustomers.companyId, company.id)),
        );
        const customer = row?.customerId ?? '';
        const [bought] = (await stripe.subscriptions.list({ customer })).data;
        const id = bought?.id ?? '';
        for (const each of story) await happenings[each](id).catch(refused);

        const roll = () => dice.next().value ?? 0;
        const told = (await eventsSince(began)).filter(({ data: { object } }) => aboutCustomer(object, customer));
        // None, once or twice each, in an order of chance.
        const sent = told.flatMap((event) => Array.from({ length: roll() % 3 }, () => event));
        const shuffled = sent.map((event) => ({ event, at: roll() })).toSorted((a, b) => a.at - b.at);
        for (const { event } of shuffled) await deliver(event);
        await app.idle();
        // Whatever hints came were enough; where none did, the nightly run does it.
        const heard = await app.app.db.asSystem((tx) =>
          tx.select().from(paymentEvents).where(eq(paymentEvents.companyId, company.id)),
        );
        if (heard.length === 0) {
          silent += 1;
          await app.call('syncSubscription', null, { token });
        }

        const truth = await stripe.subscriptions.retrieve(id, { expand: ['items.data.price'] });
        const [written] = await app.app.db.asSystem((tx) =>
          tx.select().from(subscriptions).where(eq(subscriptions.companyId, company.id)),
        );
        seen.add(truth.status);
        expect(written).toMatchObject({
          state: truth.status,
          subscriptionId: id,
          priceId: truth.items.data[0]?.price.lookup_key,
          plan: truth.items.data[0]?.price.lookup_key?.split('_')[0],
          cancelAtPeriodEnd: truth.cancel_at_period_end,
          endsAt: truth.cancel_at === null ? null : new Date(truth.cancel_at * 1000),
        });
      },
    ),
    { numRuns: 15, seed: 20261121 },
  );
  // Or it would have proved little.
  expect(silent).toBeLessThan(8);
  expect([...seen]).toEqual(expect.arrayContaining(['active', 'canceled', 'past_due']));
});

function refused(error: unknown): void {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
}

async function eventsSince(moment: number): Promise<Stripe.Event[]> {
  return stripe.events.list({ created: { gte: moment }, limit: 100 }).autoPagingToArray({ limit: 1000 });
}

function aboutCustomer(object: object, customer: string): boolean {
  return 'customer' in object && object.customer === customer;
}
