import { afterAll, beforeAll, expect, test } from 'vitest';
import { eq, sql } from '#server/db/drizzle.ts';
import { companies, subscriptions } from '#server/db/schema.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { payingCompany, settled, simulatorOf } from '#server/testing/paying.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ billing: 'stripe' });
});
afterAll(() => app.close());

const day = 86_400;

test('a company that ends is charged no more, and goes on being charged where it is kept', async () => {
  const { company, as } = await payingCompany(app, 'basic_semiannual');
  const billing = () => app.call('getBilling', null, as);
  await app.call('deleteCompany', { companyName: company.name }, as);
  await settled(app);
  const [canceled] = await app.app.db.asCompany(company.id, (tx) => tx.select().from(subscriptions));
  expect(canceled?.cancelAtPeriodEnd).toBe(true);
  await app.call('keepCompany', null, as);
  await settled(app);
  expect((await billing()).endsAt).toBeNull();
  // What was canceled before stays so.
  const { endsAt } = await app.call('cancelSubscription', null, as);
  await app.call('deleteCompany', { companyName: company.name }, as);
  await settled(app);
  await app.call('keepCompany', null, as);
  await settled(app);
  expect((await billing()).endsAt).toBe(endsAt);
});

test('its customer and subscription at the provider end with it', async () => {
  const { company, as } = await payingCompany(app, 'basic_annual');
  await app.call('deleteCompany', { companyName: company.name }, as);
  await settled(app);
  const { db, jobs } = app.app;
  await db.asSystem((tx) => tx.update(companies).set({ endsAt: sql`now()` }).where(eq(companies.id, company.id)));
  await db.asSystem((tx) => jobs.enqueue(tx, 'end-companies', {}));
  await settled(app);
  expect(await db.asSystem((tx) => tx.select().from(companies).where(eq(companies.id, company.id)))).toEqual([]);
  // A year on, nothing is charged or told of it.
  simulatorOf(app).moveTo(simulatorOf(app).now() + 400 * day);
  await settled(app);
  const mails: { subject: string }[] = await (await app.fetch('/dev/outbox.json')).json();
  expect(mails.filter(({ subject }) => subject.includes('payment'))).toEqual([]);
});
