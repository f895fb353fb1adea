import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AuditAction } from '#contract/audit.ts';
import { type Database, openDatabase } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { companies } from '#server/db/schema.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/postgres.ts';
import { audit } from './audit.ts';
import { clearAudit, sealAudit } from './seal.ts';
import { verifyAudit } from './verify.ts';

let database: TestDatabase;
let db: Database;
let companyId: string;
const dayMs = 86_400_000;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDatabase(database.connection, { name: 'test', log: pino({ level: 'silent' }) });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  companyId = await newCompany();
});

async function newCompany(): Promise<string> {
  const id = randomUUID();
  await db.asSystem((tx) => tx.insert(companies).values({ id, name: id, ownerId: randomUUID() }));
  return id;
}

/** Writes events of so many days ago, one after the other, as a feature would. */
async function write(...daysAgo: number[]): Promise<void> {
  for (const [i, days] of daysAgo.entries())
    await writeOne(new Date(Date.now() - days * dayMs + i), `File ${days}.pdf`);
}

function writeOne(at: Date, target: string, action: AuditAction = 'file-opened'): Promise<void> {
  const by = { companyId, userId: randomUUID(), email: 'ada@nordwind.example', ip: '203.0.113.7' };
  const details = { version: 1, other: { b: [1, 'ü'], a: null }, '2': 'two', '10': 'ten' };
  return db.asCompany(companyId, (tx) => audit(tx, { action, by, target, details, at }));
}

/** As whoever has the whole database in hand. */
const tamper = (statement: string) => database.administer(statement.replaceAll('$company', `'${companyId}'`));
const seal = () => sealAudit(db);
const verify = () => verifyAudit(db, companyId);
const findings = async () => (await verify()).findings.map(({ kind, sequence, through }) => [kind, sequence, through]);

test('a log that nobody has touched is whole, and says how much of it is sealed', async () => {
  expect(await verify()).toMatchObject({ sealed: 0, unsealed: 0, findings: [] });
  await write(3, 2, 1);
  expect(await verify()).toMatchObject({ sealed: 0, unsealed: 3, findings: [] });
  await seal();
  await write(0);
  expect(await verify()).toMatchObject({ sealed: 3, oldest: 1, unsealed: 1, head: { sequence: 3 }, findings: [] });
  await seal();
  expect(await verify()).toMatchObject({ sealed: 4, unsealed: 0, findings: [] });
});

test.each([
  ['its person', `actor_email = 'eve@nordwind.example'`],
  ['its time, by a millionth of a second', `at = at + interval '1 microsecond'`],
  ['a detail', `details = jsonb_set(details, '{other,b,0}', '2')`],
  ['an address that is taken away', 'ip = null'],
  ['what it says of the event before', `previous_hash = sha256('x')`],
])('an event that was changed is named: %s', async (_, change) => {
  await write(3, 2, 1);
  await seal();
  await tamper(`update audit_events set ${change} where company_id = $company and sequence = 2`);
  const found = await findings();
  expect(found).toContainEqual(['changed', 2, undefined]);
  expect(found.some(([kind]) => kind === 'removed' || kind === 'inserted')).toBe(false);
});

test('so is the newest', async () => {
  await write(2, 1);
  await seal();
  await tamper(`update audit_events set target = 'x' where company_id = $company and sequence = 2`);
  expect(await findings()).toEqual([['changed', 2, undefined]]);
});

test('events that were removed are counted, from the middle and from either end', async () => {
  await write(6, 5, 4, 3, 2, 1);
  await seal();
  await tamper(`delete from audit_events where company_id = $company and sequence in (1, 3, 4, 6)`);
  expect(await findings()).toEqual([
    ['removed', 1, 1],
    ['removed', 3, 4],
    ['removed', 6, 6],
  ]);
});

test('with all of them, or with the record of both ends, they are missed, too', async () => {
  await write(2, 1);
  await seal();
  await tamper('delete from audit_events where company_id = $company');
  expect(await findings()).toEqual([['removed', 1, 2]]);
  companyId = await newCompany();
  await write(2, 1);
  await seal();
  await tamper('delete from audit_chains where company_id = $company');
  expect(await findings()).toEqual([['chain-missing', undefined, undefined]]);
});

test('an event that was inserted is named, before it is sealed and after', async () => {
  await write(3, 2, 1);
  await seal();
  const insert = (more: string, values: string) =>
    tamper(`insert into audit_events (company_id, id, at, action, target, details ${more})
      values ($company, gen_random_uuid(), now() - interval '60 hours', 'file-deleted', 'Planted.pdf', '{}' ${values})`);
  await insert('', '');
  expect(await findings()).toEqual([['inserted', undefined, undefined]]);
  await seal();
  expect(await findings()).toEqual([['inserted', 4, undefined]]);
  // Whoever gives it a place behind the end has not reckoned with the record of the end.
  await insert(', sequence, previous_hash', `, 5, sha256('x')`);
  expect(await findings()).toContainEqual(['inserted', 5, undefined]);
});

test('a chain that was made anew as a whole is told by an end that was noted', async () => {
  await write(3, 2, 1);
  await seal();
  const { head } = await verify();
  await tamper(
    `update audit_events set target = 'x', sequence = null, previous_hash = null where company_id = $company`,
  );
  await tamper('delete from audit_chains where company_id = $company');
  await seal();
  expect(await findings()).toEqual([]);
  expect((await verifyAudit(db, companyId, head)).findings).toEqual([{ kind: 'other-head', sequence: 3 }]);
});

test('what is removed for its age leaves a chain that is whole from the oldest event that is kept', async () => {
  await write(12, 11, 9, 1);
  await clearAudit(db, { days: 10 });
  expect(await verify()).toMatchObject({ sealed: 2, oldest: 3, findings: [] });
  await write(0);
  await seal();
  expect(await verify()).toMatchObject({ sealed: 3, oldest: 3, findings: [] });
  await tamper('delete from audit_events where company_id = $company and sequence = 3');
  expect(await findings()).toEqual([['removed', 3, 3]]);
});

test('a log all of which is too old goes on from where it was', async () => {
  await write(12, 11);
  await clearAudit(db, { days: 10 });
  await write(0);
  await seal();
  expect(await verify()).toMatchObject({ sealed: 1, oldest: 3, head: { sequence: 3 }, findings: [] });
});

test('many who write and seal at once make one chain', async () => {
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let i = 0; i < 25; i++) await writeOne(new Date(), `File ${writer}-${i}.pdf`);
  });
  const sealers = Array.from({ length: 3 }, async () => {
    for (let i = 0; i < 10; i++) await seal();
  });
  await Promise.all([...writers, ...sealers]);
  await seal();
  expect(await verify()).toMatchObject({ sealed: 200, unsealed: 0, head: { sequence: 200 }, findings: [] });
});

test('a company that ends while its log is sealed ends, and takes its chain along', async () => {
  await write(...Array.from({ length: 50 }, () => 1));
  const ends = db.asSystem((tx) => tx.execute(sql`delete from companies where id = ${companyId}`));
  await Promise.all([ends, seal(), seal()]);
  expect(await verify()).toMatchObject({ sealed: 0, unsealed: 0, findings: [] });
});

test('a company can give no event a place, and change neither end of its chain', async () => {
  await write(1);
  await seal();
  const refused = { cause: { message: expect.stringContaining('permission denied') } };
  const as = (statement: string) => db.asCompany(companyId, (tx) => tx.execute(sql.raw(statement)));
  await expect(
    as(`insert into audit_events (company_id, id, at, action, details, sequence)
      values ('${companyId}', gen_random_uuid(), now(), 'file-deleted', '{}', 2)`),
  ).rejects.toMatchObject(refused);
  await expect(as('update audit_events set sequence = null')).rejects.toMatchObject(refused);
  await expect(as('update audit_chains set sequence = 0')).rejects.toMatchObject(refused);
});

test('the command says what it has found, and its exit code too', async () => {
  await write(3, 2, 1);
  await seal();
  const run = (...args: string[]) =>
    new Promise<{ code: number; out: string }>((resolve) => {
      const { host, user, password, database: name } = database.connection;
      const DATABASE_URL = `postgresql://${user}:${password}@localhost/${name}?host=${encodeURIComponent(host ?? '')}`;
      const env = { PATH: process.env.PATH, DATABASE_URL, BILLING: 'off' };
      execFile(process.execPath, ['scripts/audit.ts', 'verify', ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), out: stdout + stderr }),
      );
    });
  const [whole, none, wrong] = await Promise.all([run(companyId), run(randomUUID()), run('--head', 'x')]);
  expect(whole).toMatchObject({ code: 0, out: expect.stringContaining('whole: 3 events from place 1 on; head 3:') });
  expect(none).toMatchObject({ code: 2, out: expect.stringContaining('There is no company') });
  expect(wrong).toMatchObject({ code: 2, out: expect.stringContaining('usage') });
  await tamper(`update audit_events set target = 'x' where company_id = $company and sequence = 2`);
  expect(await run()).toMatchObject({
    code: 1,
    out: expect.stringMatching(/event \S+ at place 2 \(\S+\) was changed/),
  });
});
