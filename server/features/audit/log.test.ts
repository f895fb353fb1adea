import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import type { CallInput } from '#contract/calls.ts';
import { sql } from '#server/db/drizzle.ts';
import { type Company, companyTest, newCompany } from '#server/testing/company.ts';
import fc from '#server/testing/fast-check.ts';
import { audit } from './audit.ts';
import { sealAudit } from './seal.ts';

// Where companies pay: the plan decides how far back the log is shown.
const test = companyTest({ config: { billing: 'stripe' } });
const dayMs = 86_400_000;
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);

async function on({ id, app }: Company, plan: 'basic' | 'enterprise'): Promise<void> {
  await app.setSubscription(id, { state: 'active', plan });
}

/** Events of so many days ago, as a feature would write them. */
async function write({ id, admin, app }: Company, ...daysAgo: number[]): Promise<void> {
  const by = { companyId: id, userId: admin.uid, email: admin.email, ip: '203.0.113.7' };
  await app.app.db.asCompany(id, async (tx) => {
    for (const days of daysAgo) {
      const at = new Date(Date.now() - days * dayMs);
      await audit(tx, { action: 'file-opened', by, target: `File ${days}.pdf`, details: { version: 2 }, at });
    }
  });
}

async function targets({ client }: Company, input: CallInput<'getAuditLog'> = {}): Promise<(string | undefined)[]> {
  const { events } = await client.call('getAuditLog', { action: 'file-opened', ...input });
  return events.map(({ target }) => target);
}

test('an event says who, what, when, from where and by what means', async ({ company }) => {
  await write(company, 1);
  const [event] = (await company.client.call('getAuditLog', { action: 'file-opened' })).events;
  expect(event).toMatchObject({
    action: 'file-opened',
    userId: company.admin.uid,
    email: company.admin.email,
    via: 'session',
    address: '203.0.113.7',
    about: 'File 1.pdf, version: 2',
    target: 'File 1.pdf',
    details: { version: 2 },
  });
  expect(Date.now() - Date.parse(event?.at ?? '')).toBeGreaterThan(dayMs - 60_000);
});

test('every plan shows the last 30 days and says that there is more, the audit log all of it', async ({ company }) => {
  await on(company, 'basic');
  await write(company, 1, 29, 31, 200);
  expect(await targets(company)).toEqual(['File 1.pdf', 'File 29.pdf']);
  const { lockedBefore = '' } = await company.client.call('getAuditLog', {});
  expect(Math.abs(Date.parse(lockedBefore) - (Date.now() - 30 * dayMs))).toBeLessThan(60_000);
  await expect(company.client.call('getAuditLog', { from: dayOf(40) })).rejects.toMatchObject({
    code: 'feature-not-in-plan',
    details: { plan: 'enterprise' },
  });
  await expect(company.client.call('exportAuditLog', { to: dayOf(40), format: 'csv' })).rejects.toMatchObject({
    code: 'feature-not-in-plan',
  });
  expect(await fileOf(company, { format: 'ndjson' })).not.toContain('File 31.pdf');

  await on(company, 'enterprise');
  expect(await targets(company)).toEqual(['File 1.pdf', 'File 29.pdf', 'File 31.pdf', 'File 200.pdf']);
  expect(await company.client.call('getAuditLog', {})).not.toHaveProperty('lockedBefore');
  expect(await fileOf(company, { format: 'ndjson' })).toContain('File 200.pdf');
});

test('is filtered by action, person and day, and searched', async ({ company }) => {
  await on(company, 'enterprise');
  await write(company, 1, 2, 3);
  const other = await company.app.addMember(company);
  const actions = async (input: CallInput<'getAuditLog'>) =>
    (await company.client.call('getAuditLog', input)).events.map(({ action }) => action);
  expect(await actions({ userId: other.uid })).toEqual(['signed-in']);
  expect(await actions({ userId: other.uid, action: 'file-opened' })).toEqual([]);
  expect(await actions({ action: 'signed-up' })).toEqual(['signed-up']);
  expect(await targets(company, { from: dayOf(2), to: dayOf(2) })).toEqual(['File 2.pdf']);
  expect(await targets(company, { text: 'fILE 3' })).toEqual(['File 3.pdf']);
  expect(await targets(company, { text: '203.0.113.' })).toHaveLength(3);
  expect(await targets(company, { text: '%' })).toEqual([]);
  expect(await targets(company, { text: "'; drop table audit_events; --" })).toEqual([]);
});

test('days are those of the company', async ({ company }) => {
  await company.client.call('updateCompany', { timeZone: 'Pacific/Auckland' });
  const { id, app, admin } = company;
  const by = { companyId: id, userId: admin.uid, email: admin.email };
  const at = new Date(`${dayOf(3)}T20:00:00Z`);
  await app.app.db.asCompany(id, (tx) => audit(tx, { action: 'file-opened', by, target: 'Late.pdf', at }));
  expect(await targets(company, { from: dayOf(3), to: dayOf(3) })).toEqual([]);
  expect(await targets(company, { from: dayOf(2), to: dayOf(2) })).toEqual(['Late.pdf']);
});

test('a long log comes page by page, each event once, also those of the same moment', async ({ company }) => {
  await on(company, 'enterprise');
  await company.app.app.db.asSystem((tx) =>
    tx.execute(sql`
      insert into audit_events (company_id, id, at, action, target, details)
      select ${company.id}, gen_random_uuid(), date_trunc('hour', now()) - make_interval(hours => i / 40), 'file-opened',
        'File ' || i, '{}' from generate_series(1, 130) i`),
  );
  const seen: (string | undefined)[] = [];
  const sizes: number[] = [];
  for (let cursor: string | undefined, isMore = true; isMore; isMore = cursor !== undefined) {
    const page = await company.client.call('getAuditLog', { action: 'file-opened', ...(cursor && { cursor }) });
    seen.push(...page.events.map(({ target }) => target));
    sizes.push(page.events.length);
    cursor = page.next;
  }
  expect(sizes).toEqual([50, 50, 30]);
  expect(new Set(seen).size).toBe(130);
  for (const cursor of ['x', '2026-02-30T10:00:00.000000Z 0b9f8a0e-0000-4000-8000-000000000000'])
    await expect(company.client.call('getAuditLog', { cursor })).rejects.toMatchObject({ code: 'invalid-input' });
});

async function fileOf({ client, app }: Company, input: CallInput<'exportAuditLog'>): Promise<string> {
  const reply = await app.fetch((await client.call('exportAuditLog', input)).url);
  expect(reply.status).toBe(200);
  // `text()` would take the mark off.
  return Buffer.from(await reply.arrayBuffer()).toString('utf8');
}

test('the file is whole, and the log says who took it', async ({ company }) => {
  await on(company, 'enterprise');
  await company.client.call('setDisplayName', { displayName: '=1+1' });
  await write(company, ...Array.from({ length: 1100 }, (_, i) => i / 100));
  const { id, app, admin } = company;
  const by = { companyId: id, userId: admin.uid, email: admin.email };
  const target = '=HYPERLINK("https://evil.example")\n"x"; y.pdf';
  await app.app.db.asCompany(id, (tx) => audit(tx, { action: 'file-deleted', by, target }));
  const csv = await fileOf(company, { format: 'csv' });
  expect(csv.startsWith('\ufeff')).toBe(true);
  const rows = parse(csv, { bom: true, columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
  expect(rows.filter(({ Action }) => Action === 'file-opened')).toHaveLength(1100);
  expect(rows.find(({ Action }) => Action === 'file-deleted')?.About).toBe(`'${target}`);
  const [exported] = (await company.client.call('getAuditLog', { action: 'audit-exported' })).events;
  expect(exported).toMatchObject({ userId: admin.uid, details: { format: 'csv' }, about: 'format: csv' });
});

test('whoever has the file as NDJSON can check the chain without us', async ({ company }) => {
  await on(company, 'enterprise');
  await write(company, 3, 2, 1);
  await sealAudit(company.app.app.db);
  const lines = (await fileOf(company, { format: 'ndjson' })).trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line)).filter(({ sequence }) => sequence !== null);
  events.sort((a, b) => a.sequence - b.sequence);
  // As docs/architecture/people.md says it.
  const ordered = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(ordered)
      : value && typeof value === 'object'
        ? Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, each]) => [key, ordered(each)])
        : value;
  const hashes = events.map((e) =>
    createHash('sha256')
      .update(
        JSON.stringify([
          company.id,
          e.sequence,
          e.previousHash,
          e.id,
          e.at,
          e.userId,
          e.email,
          e.action,
          e.target,
          ordered(e.details),
          e.address,
          e.via,
        ]),
      )
      .digest('hex'),
  );
  expect(events.length).toBeGreaterThanOrEqual(5);
  expect(events.slice(1).map(({ previousHash }) => previousHash)).toEqual(hashes.slice(0, -1));
});

test('the link to a file ends with the rights of its person, and another’s opens nothing', async ({ company, app }) => {
  await on(company, 'enterprise');
  const second = await app.addMember(company, { role: 'admin' });
  const { url } = await app.call('exportAuditLog', { format: 'csv' }, { token: second.token });
  expect((await app.fetch(url)).status).toBe(200);
  expect((await app.fetch(`${url}x`)).status).toBe(404);
  expect((await app.fetch(url.replace(/\/audit\/..../, '/audit/AAAA'))).status).toBe(404);
  await company.client.call('setUserRole', { uid: second.uid, role: 'member' });
  expect((await app.fetch(url)).status).toBe(404);
  const theirs = await newCompany(app);
  const { events } = await theirs.client.call('getAuditLog', { text: company.admin.email });
  expect(events).toEqual([]);
});

/** Ids of the events that the index finds; null where it can't tell. */
async function indexed({ id, app }: Company, words: string, maxLooked = 10_000): Promise<string[] | null> {
  const { rows } = await app.app.db.asCompany(id, (tx) =>
    tx.execute<{ ids: string[] | null }>(sql`select audit_events_with(${words}, ${maxLooked}::int) as ids`),
  );
  return rows[0]?.ids?.toSorted() ?? null;
}

test('words are found by the index as one by one, in every script, sealed or not, and none of another company', async ({
  company,
  app,
}) => {
  const pieces = [
    'Crane',
    'cRANE.PDF',
    'Über-Maß',
    'İ',
    'تقرير',
    '年度报告',
    '🏗️',
    '100%',
    'a_b',
    'C:\\x',
    '"q"',
    'o’clock',
    ' ',
    '..',
  ];
  const texts = (max: number) =>
    fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: max }).map((all) => all.join(''));
  const other = await newCompany(app);
  const { db } = app.app;
  const write = (targets: string[]) =>
    db.asSystem(async (tx) => {
      for (const { id, admin } of [company, other])
        for (const target of targets)
          await audit(tx, {
            action: 'file-opened',
            by: { companyId: id, userId: admin.uid, email: admin.email, ip: '203.0.113.7' },
            target,
            details: { before: target.slice(0, 9).toWellFormed(), version: target.length },
          });
    });
  const targets = fc.sample(texts(6), { numRuns: 60, seed: 11 });
  await write(targets.slice(0, 40));
  await sealAudit(db);
  await write(targets.slice(40));
  const all = await db.asSystem(async (tx) => {
    const { rows } = await tx.execute<{ id: string; company: string; words: string }>(sql`
      select id, company_id as company, lower(concat_ws(' ', actor_email, ip, target, details::text)) as words
      from audit_events where company_id in (${company.id}, ${other.id})`);
    return rows;
  });
  const cut = fc.constantFrom(...all).chain(({ words }) =>
    fc.tuple(fc.nat(words.length - 1), fc.integer({ min: 1, max: 80 })).map(([at, length]) => {
      // As a person would give it: no half of a sign that takes two.
      return words.slice(at, at + length).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
    }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(cut, texts(3), fc.constantFrom('%%%', '___', '\\\\\\', 'no such thing')),
      async (words) => {
        const ids = await indexed(company, words);
        const [{ lowered = '' } = {}] = await db.statement<{ lowered: string }>(sql`select lower(${words}) as lowered`);
        const truth = all.filter((each) => each.company === company.id && each.words.includes(lowered));
        if (ids === null) expect([...lowered].length).toBeLessThan(3);
        else expect(ids).toEqual(truth.map(({ id }) => id).toSorted());
      },
    ),
    { numRuns: 100, seed: 5 },
  );
  // With more than it may look at, it leaves the search to whoever looks one by one.
  expect(await indexed(company, 'cRANE', 3)).toBeNull();
});

// Last: another's seal would have all of these to do.
test('a search that finds little ends, and goes on where it has ended', async ({ company }) => {
  await on(company, 'enterprise');
  await write(company, 300);
  await company.app.app.db.asSystem((tx) =>
    tx.execute(sql`
      insert into audit_events (company_id, id, at, action, details)
      select ${company.id}, gen_random_uuid(), now() - make_interval(secs => i), 'question-asked', '{}'
      from generate_series(1, 50100) i`),
  );
  const first = await company.client.call('getAuditLog', { text: 'File 300' });
  expect(first.events).toEqual([]);
  const second = await company.client.call('getAuditLog', { text: 'File 300', cursor: first.next });
  expect(second.events.map(({ target }) => target)).toEqual(['File 300.pdf']);
  expect(second.next).toBeUndefined();
});
