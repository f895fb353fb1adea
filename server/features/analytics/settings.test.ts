import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditEvents } from '#server/db/schema.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ billing: 'stripe' });
});
afterAll(() => app.close());

async function newCompany(plan: 'basic' | 'professional', timeZone?: string) {
  const { company, token } = await app.signUp(timeZone === undefined ? {} : { timeZone });
  await app.setSubscription(company.id, { state: 'active', plan });
  return {
    id: company.id,
    settings: () => app.call('getAnalyticsSettings', null, { token }),
    update: (change: Parameters<typeof app.call<'updateAnalyticsSettings'>>[1]) =>
      app.call('updateAnalyticsSettings', change, { token }),
  };
}

test.each([
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Mars/Olympus Mons', 'UTC'],
  [undefined, 'UTC'],
])('a company that signs up from %s counts its days in %s', async (given, kept) => {
  const { settings } = await newCompany('basic', given);
  expect(await settings()).toEqual({
    timeZone: kept,
    showNames: true,
    questionRetentionDays: 400,
    monthlyReport: false,
  });
});

test('a change leaves what it does not name, and is in the audit log with what was before', async () => {
  const { id, settings, update } = await newCompany('professional', 'Europe/Berlin');
  await update({ monthlyReport: true });
  const after = await update({ showNames: false, questionRetentionDays: 90 });
  expect(after).toEqual({
    timeZone: 'Europe/Berlin',
    showNames: false,
    questionRetentionDays: 90,
    monthlyReport: true,
  });
  expect(await settings()).toEqual(after);
  const events = await app.app.db.asCompany(id, (tx) => tx.select().from(auditEvents).orderBy(auditEvents.at));
  const changes = events.filter(({ action }) => action === 'analytics-settings-changed');
  expect(changes.at(-1)?.details).toMatchObject({ before: { questionRetentionDays: 400 }, after });
});

test('the monthly report is switched on in a plan with usage analytics alone, and off in any', async () => {
  const { update } = await newCompany('basic');
  await expect(update({ monthlyReport: true })).rejects.toMatchObject({ code: 'feature-not-in-plan' });
  expect(await update({ monthlyReport: false })).toMatchObject({ monthlyReport: false });
});

test('two changes at once both hold', async () => {
  const { settings, update } = await newCompany('professional');
  for (let i = 0; i < 6; i++) {
    const [showNames, questionRetentionDays] = [i % 2 === 0, 60 + i];
    await Promise.all([update({ showNames }), update({ questionRetentionDays })]);
    expect(await settings()).toMatchObject({ showNames, questionRetentionDays });
  }
});
