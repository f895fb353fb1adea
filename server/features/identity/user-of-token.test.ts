import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#server/db/db.ts';
import { startTestIdentity, type TestIdentity } from '#server/testing/identity.ts';
import { createUserLookup } from './user-of-token.ts';

let subject: TestIdentity;
beforeAll(async () => {
  subject = await startTestIdentity();
});
afterAll(() => subject.close());

/** A lookup, and how many statements it has sent. */
function counted(): { find: ReturnType<typeof createUserLookup>; sent: () => number } {
  let sent = 0;
  const { db } = subject;
  const statement: Database['statement'] = (...of) => {
    sent++;
    return db.statement(...of);
  };
  return { find: createUserLookup({ ...db, statement }), sent: () => sent };
}

test('those that are asked for at once come with one statement, each its own or none', async () => {
  const [first, second] = [await subject.newCompany(), await subject.newCompany()];
  const { find, sent } = counted();
  const found = await Promise.all([
    find({ uid: second.uid, companyId: second.companyId }),
    find({ uid: randomUUID() }),
    find({ uid: first.uid }),
    find({ uid: first.uid, companyId: second.companyId }),
    find({ uid: second.uid, companyId: second.companyId, sessionId: randomUUID() }),
  ]);
  expect(sent()).toBe(1);
  expect(found.map((user) => user?.email)).toEqual([second.email, undefined, first.email, undefined, second.email]);
  expect(found[0]).toMatchObject({ companyId: second.companyId, role: 'admin', userState: 'active', seenAt: null });
});

test('of pages that look up when their timers end in the same moment, too', async () => {
  const { uid } = await subject.newCompany();
  const { find, sent } = counted();
  const pages = Array.from({ length: 20 }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return find({ uid });
  });
  // Nothing else runs until all of them are due, so that they end in one turn on a machine of any speed.
  const due = performance.now() + 50;
  while (performance.now() < due);
  const found = await Promise.all(pages);
  expect(found.every((user) => user?.id === found[0]?.id)).toBe(true);
  expect(sent()).toBe(1);
});

test('what has changed since is seen by the next one that asks', async () => {
  const { uid, companyId } = await subject.newCompany();
  const { find } = counted();
  const token = { uid };
  expect(await find(token)).toMatchObject({ role: 'admin' });
  await subject.db.asCompany(companyId, (tx) => subject.people.changeRole(tx, { companyId, uid }, 'member'));
  expect(await find(token)).toMatchObject({ role: 'member' });
});

test('an error reaches everybody who asked, and the next one is asked anew', async () => {
  const { uid } = await subject.newCompany();
  const { db } = subject;
  let fails = true;
  const statement: Database['statement'] = (...of) => (fails ? Promise.reject(new Error('gone')) : db.statement(...of));
  const find = createUserLookup({ ...db, statement });
  const token = { uid };
  const both = await Promise.allSettled([find(token), find(token)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await find(token)).toMatchObject({ role: 'admin' });
});
