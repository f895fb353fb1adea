import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallInput, CallName } from '#contract/calls.ts';
import { plans } from '#contract/plans.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { insertUser, uniqueEmail } from '#server/testing/factories.ts';
import { goodCard, payingCompany, settled, simulatorOf } from '#server/testing/paying.ts';
import { clientOf, submit, typedCard } from '#simulators/stripe/testing.ts';
import { grantPlan } from './grant.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ billing: 'stripe' });
});
afterAll(() => app.close());

async function fill(companyId: string, count: number) {
  const invitationExpiresAt = new Date(Date.now() + 86_400_000);
  for (let i = 0; i < count; i++) await insertUser(app.app.db, companyId, { invitationExpiresAt });
}

describe('seats', () => {
  test('a smaller plan than the people in it is refused, with the list', async () => {
    const { company, admin, as } = await payingCompany(app, 'professional_annual');
    await fill(company.id, 10);
    const preview = () => app.call('previewPlanChange', { priceId: 'basic_annual' }, as);
    const error = await preview().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'seats-in-use', details: { plan: 'basic', seats: 10 } });
    const people = (error as { details: { people: string[] } }).details.people;
    expect(people).toHaveLength(11);
    expect(people).toContain(admin.email);
    const quote = { amountDue: 0, prorationDate: Math.floor(simulatorOf(app).now()) };
    const change = app.call('changePlan', { priceId: 'basic_annual', ...quote }, as);
    await expect(change).rejects.toMatchObject({ code: 'seats-in-use' });
    const [invited] = (await app.call('listUsers', null, as)).filter(({ state }) => state === 'invited');
    await app.call('withdrawInvitation', { uid: invited?.uid ?? '' }, as);
    expect(await preview()).toMatchObject({ when: 'period-end', amountDue: 0 });
  });

  test('a smaller plan that was chosen in the portal removes nobody, and lets nobody in', async () => {
    const { company, as } = await payingCompany(app, 'professional_semiannual');
    await fill(company.id, 12);
    const stripe = clientOf(simulatorOf(app));
    const [basic] = (await stripe.prices.list({ lookup_keys: ['basic_semiannual'] })).data;
    const { url } = await app.call('createPortalSession', null, as);
    await submit(url, { action: 'plan', price: basic?.id ?? '' });
    await settled(app);
    expect((await app.call('getSession', null, as)).subscription).toMatchObject({
      plan: 'basic',
      seats: 10,
      seatsUsed: 13,
    });
    expect(await app.call('listUsers', null, as)).toHaveLength(13);
    const invite = app.call('inviteUser', { email: uniqueEmail(), companyId: company.id }, as);
    await expect(invite).rejects.toMatchObject({ code: 'seats-used-up' });
    expect((await app.call('getSession', null, as)).entitlements.chat).toBe(true);
  });

  test('an upgrade gives its seats at once', async () => {
    const { company, as } = await payingCompany(app, 'basic_annual');
    await fill(company.id, 9);
    const invite = () => app.call('inviteUser', { email: uniqueEmail(), companyId: company.id }, as);
    await expect(invite()).rejects.toMatchObject({
      code: 'seats-used-up',
      details: { seats: 10, plan: 'professional' },
    });
    const priceId = 'professional_annual';
    const { amountDue, prorationDate } = await app.call('previewPlanChange', { priceId }, as);
    await app.call('changePlan', { priceId, amountDue, prorationDate }, as);
    await invite();
  });
});

describe('a plan', () => {
  test('that was granted opens everything it has, and is never charged', async () => {
    const { company, token } = await app.signUp();
    const as = { token };
    await grantPlan(app.app.db, company.id, 'enterprise');
    const { subscription, entitlements } = await app.call('getSession', null, as);
    expect(subscription).toMatchObject({ state: 'active', plan: 'enterprise', seats: null });
    expect(entitlements.features).toEqual(plans.enterprise.features);
    const checkout = app.call('createCheckoutSession', { priceId: 'basic_annual' }, as);
    await expect(checkout).rejects.toMatchObject({ code: 'already-subscribed' });
    expect(await app.call('syncSubscription', null, as)).toMatchObject({ plan: 'enterprise', active: true });
    expect(await app.call('getBilling', null, as)).toMatchObject({ granted: true, plan: 'enterprise' });
    await grantPlan(app.app.db, company.id, null);
    expect((await app.call('getSession', null, as)).subscription.state).toBe('none');
  });

  test('that sales made stands in the metadata of its product', async () => {
    const { company, as } = await payingCompany(app, 'basic_annual');
    const stripe = clientOf(simulatorOf(app));
    const product = await stripe.products.create({ name: 'For you alone', metadata: { plan: 'enterprise' } });
    const recurring = { interval: 'month', interval_count: 12 } as const;
    const price = await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 99, recurring });
    const all = await stripe.customers.list({ limit: 100 });
    const customer = all.data.find(({ metadata }) => metadata.companyId === company.id)?.id ?? '';
    const [subscription] = (await stripe.subscriptions.list({ customer })).data;
    await stripe.subscriptions.update(subscription?.id ?? '', {
      items: [{ id: subscription?.items.data[0]?.id ?? '', price: price.id }],
    });
    await settled(app);
    expect((await app.call('getSession', null, as)).subscription).toMatchObject({ plan: 'enterprise', seats: null });
    expect(await app.call('getBilling', null, as)).toMatchObject({ plan: 'enterprise', priceId: null });
  });
});

test.each(['previewPlanChange', 'changePlan', 'createCheckoutSession'] as const)(
  '%s takes no price that is not on sale',
  async (name) => {
    const { as } = await payingCompany(app, 'basic_annual');
    const quote = name === 'changePlan' ? { amountDue: 0, prorationDate: simulatorOf(app).now() } : {};
    for (const priceId of ['enterprise_annual', 'price_1', '__proto__']) {
      const input = { priceId, ...quote } as CallInput<typeof name & CallName>;
      await expect(app.call(name, input, as)).rejects.toMatchObject({ code: 'unknown-price' });
    }
    const same = { priceId: 'basic_annual', ...quote } as CallInput<typeof name & CallName>;
    const code = name === 'createCheckoutSession' ? 'already-subscribed' : 'same-plan';
    await expect(app.call(name, same, as)).rejects.toMatchObject({ code });
  },
);

test('what is paid is not lost by a restart', async () => {
  const first = await startTestApp({ billing: 'stripe' });
  const { as, admin } = await payingCompany(first, 'basic_annual');
  const { invoices } = await first.call('getBilling', null, as);
  await first.app.close();
  const { createApp } = await import('#server/app.ts');
  const again = await createApp(first.config);
  const url = await again.listen();
  const call = async (name: string, data: unknown, token = '') => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${url}/v1/${name}`, { method: 'POST', headers, body: JSON.stringify({ data }) });
    return (await response.json()).result;
  };
  const { idToken } = await call('signIn', { email: admin.email, password: admin.password });
  expect(await call('syncSubscription', null, idToken)).toMatchObject({ plan: 'basic', active: true });
  const after = await call('getBilling', null, idToken);
  expect(after.invoices.map(({ id }: { id: string }) => id)).toEqual(invoices.map(({ id }) => id));
  // And the same prices are charged: paying goes on where it was.
  const { url: portal } = await call('createPortalSession', null, idToken);
  expect((await submit(portal, { action: 'card', ...typedCard(goodCard) })).status).toBe(303);
  await again.close();
  await first.close().catch(() => {});
});
