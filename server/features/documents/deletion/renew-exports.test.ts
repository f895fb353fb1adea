import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eq, sql } from '#server/db/drizzle.ts';
import { exports } from '#server/db/schema.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { waitedFor } from '#server/testing/hold.ts';
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
  const mark = (id: string) => ({ where: eq(exports.id, id), size: sql<number>`coalesce(${exports.size}, 0) + 1` });
  await db.asCompany(company.id, async (tx) => {
    // What stands first in the table is not what is first in order.
    await tx.insert(exports).values({ ...values, id: second });
    await tx.insert(exports).values({ ...values, id: first, personId: admin.uid });
  });
  const renewed = await db.asCompany(company.id, async (tx) => {
    const change = async (id: string) => {
      const { where, size } = mark(id);
      await tx.update(exports).set({ size }).where(where);
    };
    await change(first);
    const other = db
      .asCompany(company.id, (their) => renewExports(their, jobs, company.id))
      .then(
        () => 'renewed',
        (error) => error,
      );
    await waitedFor(tx);
    await change(second);
    return { other };
  });
  expect(await renewed.other).toBe('renewed');
});
