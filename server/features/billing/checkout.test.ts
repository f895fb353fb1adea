import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plans, pricesOnSale } from '#contract/plans.ts';
import { eq } from '#server/db/drizzle.ts';
import { paymentCustomers } from '#server/db/schema.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { goodPassword, insertUser, uniqueEmail } from '#server/testing/factories.ts';
import { goodCard, payingCompany, payOnPage, settled, simulatorOf } from '#server/testing/paying.ts';
import { clientOf } from '#simulators/stripe/testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ billing: 'stripe' });
});
afterAll(() => app.close());

const stripe = () => clientOf(simulatorOf(app));

async function customerOf(companyId: string): Promise<string> {
  const [row] = await app.app.db.asSystem((tx) =>
    tx.select().from(paymentCustomers).where(eq(paymentCustomers.companyId, companyId)),
  );
  return row?.customerId ?? '';
}

const subscriptionsOf = async (companyId: string) =>
  (await stripe().subscriptions.list({ customer: await customerOf(companyId), status: 'all' })).data;

describe('signing up for a plan', () => {
  const signUp = (priceId?: string) =>
    app.call('signUp', { companyName: 'New', email: uniqueEmail(), password: goodPassword, priceId });

  test('leads to the payment page, and from there to a company that may do everything', async () => {
    const { checkout, checkoutError, idToken, user } = await signUp('basic_annual');
    expect(checkoutError).toBeUndefined();
    const as = { token: idToken };
    const before = await app.call('syncSubscription', null, as);
    expect(before).toEqual({ state: 'none', plan: null, active: false });
    expect((await app.call('getSession', null, as)).entitlements.chat).toBe(false);
    const back = await payOnPage(checkout?.url ?? '');
    expect(back).toBe(`http://footnote.localhost/profile?session_id=${checkout?.sessionId}`);
    expect(await app.call('syncSubscription', null, as)).toEqual({ state: 'active', plan: 'basic', active: true });
    const { subscription, entitlements } = await app.call('getSession', null, as);
    expect(subscription).toEqual({ state: 'active', plan: 'basic', seats: 10, seatsUsed: 1 });
    expect(entitlements).toMatchObject({ chat: true, upload: true, invite: true, notice: null });
    expect(await subscriptionsOf(user.companyId)).toHaveLength(1);
  });

  test('with 3-D Secure, the bank has to agree first', async () => {
    const { checkout, idToken } = await signUp('professional_semiannual');
    await payOnPage(checkout?.url ?? '', '4000002500003155');
    const synced = await app.call('syncSubscription', null, { token: idToken });
    expect(synced).toEqual({ state: 'active', plan: 'professional', active: true });
  });

  test('with a card that is declined, nothing is active, and another card can be tried', async () => {
    const { checkout, idToken } = await signUp('basic_semiannual');
    const as = { token: idToken };
    expect(await payOnPage(checkout?.url ?? '', '4000000000000002')).toBeNull();
    expect(await app.call('syncSubscription', null, as)).toMatchObject({ active: false });
    await payOnPage(checkout?.url ?? '', goodCard);
    expect(await app.call('syncSubscription', null, as)).toMatchObject({ active: true });
  });

  test('is known by the events alone, without anyone coming back', async () => {
    const { checkout, idToken } = await signUp('basic_annual');
    await payOnPage(checkout?.url ?? '');
    await settled(app);
    const { subscription } = await app.call('getSession', null, { token: idToken });
    expect(subscription).toMatchObject({ state: 'active', plan: 'basic' });
  });

  test('that is not on sale keeps the account, and says so', async () => {
    const { checkout, checkoutError, idToken } = await signUp('enterprise_annual');
    expect([checkout, checkoutError]).toEqual([undefined, 'This plan is not on sale.']);
    await app.call('getSession', null, { token: idToken });
  });

  test('while the provider is away keeps the account; the page opens later', async () => {
    simulatorOf(app).setFaults({ api: { kind: 'status', status: 500, path: '/v1/', times: 20, afterwards: false } });
    const { checkout, checkoutError, idToken } = await signUp('basic_annual');
    simulatorOf(app).setFaults({});
    expect([checkout, checkoutError]).toEqual([undefined, 'Failed to create checkout session.']);
    const opened = await app.call('createCheckoutSession', { priceId: 'basic_annual' }, { token: idToken });
    expect(opened.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });

  test('without a price is just signing up', async () => {
    const session = await signUp();
    expect(session.checkout ?? session.checkoutError).toBeUndefined();
  });
});

describe('the payment page', () => {
  const open = (priceId: string, as: { token: string }) => app.call('createCheckoutSession', { priceId }, as);

  test('charges what the pricing page shows', async () => {
    const { plans: shown } = await app.call('getPlans', null);
    const onSale = shown.filter(({ priceId }) => priceId !== null);
    expect(onSale.map(({ priceId, amount }) => [priceId, amount])).toEqual([
      ['basic_annual', 305_000],
      ['basic_semiannual', 179_400],
      ['professional_annual', 712_900],
      ['professional_semiannual', 419_400],
    ]);
    for (const { priceId, amount, currency, period } of onSale) {
      const { company } = await payingCompany(app, priceId ?? '');
      const [subscription] = await subscriptionsOf(company.id);
      const [invoice] = (await stripe().invoices.list({ subscription: subscription?.id ?? '' })).data;
      expect(invoice).toMatchObject({ amount_paid: amount, currency, status: 'paid' });
      const price = subscription?.items.data[0]?.price;
      const months = period === 'annual' ? 12 : 6;
      expect(price).toMatchObject({ unit_amount: amount, recurring: { interval: 'month', interval_count: months } });
    }
  });

  test('that is open is given again; another price closes it', async () => {
    const { token, company } = await app.signUp();
    const as = { token };
    const first = await open('basic_annual', as);
    expect(await open('basic_annual', as)).toEqual(first);
    const second = await open('professional_annual', as);
    expect(second.sessionId).not.toBe(first.sessionId);
    expect((await fetch(first.url)).status).toBe(410);
    await payOnPage(first.url);
    await payOnPage(second.url);
    expect((await subscriptionsOf(company.id)).map(({ status }) => status)).toEqual(['active']);
  });

  test('asked for many times at once is one page, of one customer', async () => {
    const { token, company } = await app.signUp();
    const many = await Promise.all(Array.from({ length: 6 }, () => open('basic_annual', { token })));
    expect(new Set(many.map(({ sessionId }) => sessionId)).size).toBe(1);
    const all = await stripe().customers.list({ limit: 100 });
    expect(all.data.filter(({ metadata }) => metadata.companyId === company.id)).toHaveLength(1);
  });

  test('paid twice charges once', async () => {
    const { token, company } = await app.signUp();
    const { url } = await open('basic_annual', { token });
    await Promise.all([payOnPage(url), payOnPage(url)]);
    await payOnPage(url);
    expect(await subscriptionsOf(company.id)).toHaveLength(1);
    await expect(open('basic_annual', { token })).rejects.toMatchObject({ code: 'already-subscribed' });
  });

  test.each(['enterprise_annual', 'price_123', '', 'basic_annual '])('does not open for %j', async (priceId) => {
    const { token } = await app.signUp();
    await expect(open(priceId, { token })).rejects.toMatchObject({ code: 'unknown-price' });
  });

  test('is not for a plan that has too few seats for the people who are there', async () => {
    const { token, company } = await app.signUp();
    for (let i = 0; i < (plans.basic.seats ?? 0); i++) await insertUser(app.app.db, company.id);
    await expect(open('basic_annual', { token })).rejects.toMatchObject({ code: 'seats-in-use' });
    await open('professional_annual', { token });
  });

  test('gives a trial once, where one is configured', async () => {
    const trying = await startTestApp({ billing: 'stripe', trialDays: 14 });
    const { as } = await payingCompany(trying, 'basic_annual');
    expect(await trying.call('syncSubscription', null, as)).toEqual({ state: 'trialing', plan: 'basic', active: true });
    const { nextCharge } = await trying.call('getBilling', null, as);
    expect(nextCharge?.amount).toBe(305_000);
    await trying.close();
  });
});

test('every price on sale is in the catalogue once', () => {
  expect(pricesOnSale.map(({ id }) => id).toSorted()).toEqual([
    'basic_annual',
    'basic_semiannual',
    'professional_annual',
    'professional_semiannual',
  ]);
});

test('without payment no page opens, and everything is on', async () => {
  const free = await startTestApp();
  const { token } = await free.signUp({ priceId: 'basic_annual' });
  const refused = free.call('createCheckoutSession', { priceId: 'basic_annual' }, { token });
  await expect(refused).rejects.toMatchObject({ code: 'billing-off' });
  expect(await free.call('syncSubscription', null, { token })).toMatchObject({ active: true });
  expect(await free.call('getBilling', null, { token })).toMatchObject({ billing: 'off', seats: null, portal: false });
  expect((await free.fetch('/webhooks/stripe', { method: 'POST', body: '{}' })).status).toBe(404);
  await free.close();
});
