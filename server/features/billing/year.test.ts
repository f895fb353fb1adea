import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallOutput } from '#contract/calls.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { failsLaterCard, goodCard, payingCompany, payOnPage, settled, simulatorOf } from '#server/testing/paying.ts';
import { submit, typedCard } from '#simulators/stripe/testing.ts';

// Two years in the life of a company, told in order: each test goes on where the one before ended.

let app: TestApp;
let as: { token: string };
let admin: string;
let charged = 0;

beforeAll(async () => {
  app = await startTestApp({ billing: 'stripe' });
  const company = await payingCompany(app, 'basic_semiannual');
  as = company.as;
  admin = company.admin.email;
});
afterAll(() => app.close());

const days = (count: number) => count * 86_400;

async function pass(seconds: number) {
  simulatorOf(app).moveTo(simulatorOf(app).now() + seconds);
  await settled(app);
}

/** Moves to a moment before (after) the end of the period. */
async function toPeriodEnd(secondsAfter: number) {
  const { currentPeriodEnd } = await billing();
  simulatorOf(app).moveTo(Date.parse(currentPeriodEnd ?? '') / 1000 + secondsAfter);
  await settled(app);
}

async function night() {
  await app.app.db.asSystem((tx) => app.app.jobs.enqueue(tx, 'sync-subscriptions', {}));
  await app.idle();
}

const billing = () => app.call('getBilling', null, as);
const session = () => app.call('getSession', null, as);
const may = async () => {
  const { chat, upload, invite, notice } = (await session()).entitlements;
  return { chat, upload, invite, notice };
};
const everything = { chat: true, upload: true, invite: true, notice: null };
const nothing = { chat: false, upload: false, invite: false, notice: 'subscription-inactive' };

/** What has been paid since it was last asked, in cents. */
async function newlyCharged(): Promise<number> {
  const all = (await billing()).invoices.filter(({ status }) => status === 'paid');
  const sum = all.reduce((total, { amount }) => total + amount, 0);
  const since = sum - charged;
  charged = sum;
  return since;
}

async function subjects(): Promise<string[]> {
  const mails: { to: string; subject: string }[] = await (await app.fetch('/dev/outbox.json')).json();
  return mails.filter(({ to }) => to === admin).map(({ subject }) => subject);
}

async function changeCard(number: string) {
  const { url } = await app.call('createPortalSession', null, as);
  await submit(url, { action: 'card', ...typedCard(number) });
}

async function changeTo(priceId: string): Promise<CallOutput<'previewPlanChange'> & CallOutput<'changePlan'>> {
  const preview = await app.call('previewPlanChange', { priceId }, as);
  const { amountDue, prorationDate } = preview;
  return { ...preview, ...(await app.call('changePlan', { priceId, amountDue, prorationDate }, as)) };
}

test('the first half year is paid, and everything works', async () => {
  expect(await newlyCharged()).toBe(179_400);
  expect(await may()).toEqual(everything);
  expect(await billing()).toMatchObject({
    state: 'active',
    plan: 'basic',
    period: 'semiannual',
    card: { brand: 'visa', last4: '4242' },
    nextCharge: { amount: 179_400, currency: 'usd' },
    openInvoice: null,
    portal: true,
  });
});

test('the second half year is paid when it begins', async () => {
  await toPeriodEnd(-days(1));
  expect(await newlyCharged()).toBe(0);
  await pass(days(2));
  expect(await newlyCharged()).toBe(179_400);
  expect(await may()).toEqual(everything);
  expect(await subjects()).toEqual([]);
});

test('a renewal that fails leaves fourteen days, tells the admins, and shows the way to pay', async () => {
  await changeCard(failsLaterCard);
  await toPeriodEnd(days(1));
  expect(await may()).toEqual({ ...everything, notice: 'payment-overdue' });
  expect(await billing()).toMatchObject({
    state: 'past_due',
    pastDueSince: expect.any(String),
    openInvoice: { amount: 179_400, url: expect.stringMatching(/^http/) },
  });
  expect(await newlyCharged()).toBe(0);
  expect(await subjects()).toEqual(['A payment for Footnote failed']);
  // The retries of the provider fail as well; nobody is mailed the same again.
  await pass(days(8));
  await night();
  expect(await subjects()).toHaveLength(1);
});

test('near their end a second mail goes out; after them asking stops, and reading does not', async () => {
  await pass(days(3));
  await night();
  expect((await subjects())[0]).toMatch(/^Footnote stops on .*: a payment is missing$/);
  expect((await may()).chat).toBe(true);
  await pass(days(2));
  expect(await may()).toEqual(nothing);
  await night();
  expect((await subjects())[0]).toBe('Footnote has stopped: a payment is missing');
  const question = app.call('query', { history: [{ role: 'user', parts: [{ text: 'Why?' }] }] }, as);
  await expect(question).rejects.toMatchObject({ code: 'subscription-required' });
  expect(await app.call('getCompanyFiles', null, as)).toEqual([]);
  await expect(app.call('previewPlanChange', { priceId: 'basic_annual' }, as)).rejects.toMatchObject({
    code: 'payment-overdue',
  });
  await expect(app.call('createCheckoutSession', { priceId: 'basic_annual' }, as)).rejects.toMatchObject({
    code: 'payment-overdue',
  });
  // The provider gives up as well.
  await pass(days(3));
  expect(await billing()).toMatchObject({ state: 'unpaid' });
  expect(await may()).toEqual(nothing);
});

test('the open invoice, paid with another card, brings everything back at once', async () => {
  const { openInvoice } = await billing();
  await submit(openInvoice?.url ?? '', typedCard(goodCard));
  await settled(app);
  expect(await newlyCharged()).toBe(179_400);
  expect(await may()).toEqual(everything);
  expect(await billing()).toMatchObject({ state: 'active', openInvoice: null, pastDueSince: null });
});

test('an upgrade comes at once, and charges to the cent what the preview showed', async () => {
  await pass(days(60));
  const { when, amountDue, nextAmount, status } = await changeTo('professional_semiannual');
  expect({ when, status, nextAmount }).toEqual({ when: 'now', status: 'changed', nextAmount: 419_400 });
  expect(amountDue).toBeGreaterThan(0);
  expect(amountDue).toBeLessThan(419_400 - 179_400);
  expect(await newlyCharged()).toBe(amountDue);
  const { subscription, entitlements } = await session();
  expect(subscription).toMatchObject({ plan: 'professional', seats: 25 });
  expect(entitlements.features).toContain('api-keys');
});

test('an amount that was not shown is not charged', async () => {
  const preview = await app.call('previewPlanChange', { priceId: 'professional_annual' }, as);
  const change = (given: { amountDue: number; prorationDate: number }) =>
    app.call('changePlan', { priceId: 'professional_annual', ...given }, as);
  const { amountDue, prorationDate } = preview;
  const outdated = { code: 'quote-outdated' };
  await expect(change({ amountDue: amountDue - 1, prorationDate })).rejects.toMatchObject(outdated);
  await expect(change({ amountDue, prorationDate: prorationDate - 4000 })).rejects.toMatchObject(outdated);
  await expect(change({ amountDue, prorationDate: prorationDate + 4000 })).rejects.toMatchObject(outdated);
  expect(await newlyCharged()).toBe(0);
  expect((await billing()).priceId).toBe('professional_semiannual');
});

test('an upgrade whose payment fails changes nothing until it is paid', async () => {
  await changeCard(failsLaterCard);
  const { status, url, amountDue } = await changeTo('professional_annual');
  expect(status).toBe('payment-required');
  expect(await billing()).toMatchObject({ priceId: 'professional_semiannual', state: 'active' });
  expect(await may()).toEqual(everything);
  await submit(url ?? '', typedCard(goodCard));
  await settled(app);
  expect(await newlyCharged()).toBe(amountDue);
  expect((await billing()).priceId).toBe('professional_annual');
});

test('a downgrade waits for the end of the period, and can be taken back until then', async () => {
  const { status, when, amountDue } = await changeTo('basic_semiannual');
  expect({ status, when, amountDue }).toEqual({ status: 'scheduled', when: 'period-end', amountDue: 0 });
  expect(await billing()).toMatchObject({
    plan: 'professional',
    scheduled: { priceId: 'basic_semiannual', plan: 'basic', period: 'semiannual' },
    nextCharge: { amount: 179_400 },
  });
  await app.call('resumeSubscription', null, as);
  expect(await billing()).toMatchObject({ scheduled: null, nextCharge: { amount: 712_900 } });
  await changeTo('basic_semiannual');
  await toPeriodEnd(-days(1));
  expect((await session()).subscription.plan).toBe('professional');
  await pass(days(2));
  expect((await session()).subscription).toMatchObject({ plan: 'basic', seats: 10, state: 'active' });
  expect(await newlyCharged()).toBe(179_400);
});

test('a cancellation ends with the period, and can be taken back until then', async () => {
  const { endsAt } = await app.call('cancelSubscription', null, as);
  expect(await app.call('cancelSubscription', null, as)).toEqual({ endsAt });
  expect(await billing()).toMatchObject({ endsAt, nextCharge: null, state: 'active' });
  await app.idle();
  expect((await subjects())[0]).toMatch(/^Your subscription to Footnote ends on /);
  await expect(app.call('previewPlanChange', { priceId: 'basic_annual' }, as)).rejects.toMatchObject({
    code: 'subscription-ending',
  });
  await app.call('resumeSubscription', null, as);
  await app.call('resumeSubscription', null, as);
  expect(await billing()).toMatchObject({ endsAt: null, nextCharge: { amount: 179_400 } });
  await app.call('cancelSubscription', null, as);
  await toPeriodEnd(-days(1));
  expect(await may()).toEqual(everything);
  await pass(days(2));
  expect(await may()).toEqual(nothing);
  expect((await session()).subscription.state).toBe('canceled');
  expect((await subjects())[0]).toBe('Your subscription to Footnote has ended');
  expect(await newlyCharged()).toBe(0);
  await expect(app.call('resumeSubscription', null, as)).rejects.toMatchObject({ code: 'no-subscription' });
});

test('who comes back pays again, and has everything that was there', async () => {
  const { url } = await app.call('createCheckoutSession', { priceId: 'professional_annual' }, as);
  await payOnPage(url);
  await settled(app);
  expect(await newlyCharged()).toBe(712_900);
  expect(await may()).toEqual(everything);
  expect((await session()).subscription).toMatchObject({ state: 'active', plan: 'professional', seats: 25 });
});

test('what was changed in the portal is known as well', async () => {
  const { url } = await app.call('createPortalSession', null, as);
  await submit(url, { action: 'cancel' });
  await settled(app);
  expect((await billing()).endsAt).not.toBeNull();
  await submit(url, { action: 'renew' });
  expect((await app.call('syncSubscription', null, as)).active).toBe(true);
  expect((await billing()).endsAt).toBeNull();
});
