import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { exports } from '#server/db/schema.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { meanwhile } from '#server/testing/hold.ts';
import { renewExports } from './renew-exports.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('two who take exports back at the same time do not wait for each other', async () => {
  const { company, admin } = await app.signUp();
  const { db, jobs } = app.app;
  const [first = '', second = ''] = [randomUUID(), randomUUID()].sort();
  const values = { companyId: company.id, startedBy: admin.uid, state: 'failed', personId: null } as const;
  await db.asCompany(company.id, async (tx) => {
    // What stands first in the table is not what is first in order.
    await tx.insert(exports).values({ ...values, id: second });
    await tx.insert(exports).values({ ...values, id: first, personId: admin.uid });
  });
  const change = (id: string) => (tx: Tx) => tx.update(exports).set({ size: 1 }).where(eq(exports.id, id));
  const renew = () => db.asCompany(company.id, (tx) => renewExports(tx, jobs, company.id));
  expect(await meanwhile(db, company.id, renew, [change(first), change(second)])).toBe('done');
  const sizes = await db.asCompany(company.id, (tx) => tx.select({ size: exports.size }).from(exports));
  expect(sizes).toEqual([{ size: null }, { size: null }]);
});
