import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { createClient } from '#client/client.ts';
import { usualAgent } from '#contract/agent.ts';
import type { Tx } from '#server/db/db.ts';
import { eq, sql } from '#server/db/drizzle.ts';
import { auditEvents, companies, documents } from '#server/db/schema.ts';
import { type Company, newCompany, test } from '#server/testing/company.ts';
import { goodPassword, insertDocument } from '#server/testing/factories.ts';
import { meanwhile } from '#server/testing/hold.ts';
import { openUpload } from '#server/testing/open-upload.ts';
import { png } from '#server/testing/png.ts';
import { watchFiles } from '#server/testing/watch.ts';

const companyName = 'Example Company';
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (error: { code?: string }) => error.code,
  );

/** The time to take it back is over, and the look for such companies comes. */
async function endNow({ app, id }: Company): Promise<void> {
  const { db, jobs } = app.app;
  await db.asSystem((tx) => tx.update(companies).set({ endsAt: sql`now()` }).where(eq(companies.id, id)));
  await db.asSystem((tx) => jobs.enqueue(tx, 'end-companies', {}));
  await app.idle();
}

async function mailsTo(company: Company, email: string): Promise<{ subject: string; text: string }[]> {
  await company.app.idle();
  const all: { to: string; subject: string; text: string }[] = await (
    await company.app.fetch('/dev/outbox.json')
  ).json();
  return all.filter(({ to }) => to === email);
}

describe('a company whose end was asked for', () => {
  test('has it by its name alone, and tells all its admins', async ({ app, company }) => {
    const other = await app.addMember(company, { role: 'admin' });
    const wrong = company.client.call('deleteCompany', { companyName: 'Example' });
    expect(await codeOf(wrong)).toBe('company-name-differs');
    await company.client.call('deleteCompany', { companyName: ` ${companyName} ` });
    for (const { email } of [company.admin, other]) {
      const [mail] = await mailsTo(company, email);
      expect(mail?.subject).toMatch(/^Example Company will be deleted from Footnote on /);
      expect(mail?.text).toContain(company.admin.email);
    }
    const { endsAt } = (await company.client.call('getSession', null)).company;
    const days = (Date.parse(endsAt ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
  });

  test('is closed: members do not get in, admins can take it back and export', async ({ app, company }) => {
    await company.client.upload('Rules.md', Buffer.from('The cellar key hangs behind the green door.'));
    await app.idle();
    const member = await app.addMember(company);
    const asMember = createClient(app.url, member.token);
    const gsUri = `gs://footnote/${company.id}/Rules.md`;
    const { url } = await asMember.call('getFileLink', { gsUri });
    const { ended } = await watchFiles(asMember);
    await company.client.call('deleteCompany', { companyName });

    expect(await codeOf(ended)).toBe('session-expired');
    expect((await app.fetch(url)).status).toBe(404);
    expect(await codeOf(asMember.call('getCompanyFiles', null))).toBe('company-ending');
    expect(await codeOf(asMember.call('startOwnExport', null))).toBe('company-ending');
    expect((await asMember.call('getSession', null)).company.endsAt).toBeDefined();
    const signIn = { email: member.email, password: goodPassword };
    expect(await codeOf(app.call('signIn', signIn))).toBe('company-ending');
    const asAdmin = { email: company.admin.email, password: goodPassword };
    const { idToken } = await app.call('signIn', asAdmin);
    const admin = createClient(app.url, idToken);
    const history = [{ role: 'user' as const, parts: [{ text: 'Where is the key?' }] }];
    expect(await codeOf(admin.call('query', { history }))).toBe('company-ending');
    expect(await codeOf(admin.upload('More.md', Buffer.from('More.')))).not.toBe('no error');
    const { exportId } = await admin.call('startExport', null);
    await app.idle();
    expect((await admin.call('getExport', { exportId })).url).toBeDefined();

    await admin.call('keepCompany', null);
    expect((await admin.call('getSession', null)).company.endsAt).toBeUndefined();
    expect(await asMember.call('getCompanyFiles', null)).toHaveLength(1);
    expect((await app.call('signIn', signIn)).user.uid).toBe(member.uid);
    const audited = await app.app.db.asCompany(company.id, (tx) =>
      tx.select({ action: auditEvents.action }).from(auditEvents).orderBy(auditEvents.at),
    );
    const actions = audited.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['company-deleted', 'company-kept']));
    await endNowWouldNot(company);
  });

  test('cannot be kept any more once its erasing has begun', async ({ app, company }) => {
    await company.client.call('deleteCompany', { companyName });
    await app.app.db.asSystem((tx) =>
      tx.update(companies).set({ erasingSince: sql`now()` }).where(eq(companies.id, company.id)),
    );
    expect(await codeOf(company.client.call('keepCompany', null))).toBe('company-erased');
  });
});

describe('a company that is being erased', () => {
  const triedAgain = ({ app, id }: Company) =>
    app.app.db.asSystem((tx) =>
      tx.execute(sql`select from pgboss.job
        where name = 'end-company' and data->>'companyId' = ${id} and (retry_count > 0 or state <> 'completed')`),
    );

  test('waits for what is still written to it before it takes anything else', async ({ app, company }) => {
    const { db, jobs } = app.app;
    const webhookId = crypto.randomUUID();
    const send = (tx: Tx) =>
      jobs.enqueue(
        tx,
        'deliver-webhook',
        { companyId: company.id, webhookId },
        { singletonKey: webhookId, startAfterSeconds: 3600 },
      );
    await db.asSystem(send);
    // As everything does that is written for a company: its row refers to the company's.
    const refer = (tx: Tx) => tx.select().from(companies).where(eq(companies.id, company.id)).for('key share');
    expect(await meanwhile(db, company.id, () => endNow(company), [refer, send])).toBe('done');
    expect((await triedAgain(company)).rows).toEqual([]);
    expect(await db.asSystem((tx) => refer(tx))).toEqual([]);
  });

  test('loses its documents in the order in which others hold them', async ({ app, company }) => {
    const { db } = app.app;
    const made = [await insertDocument(db, company), await insertDocument(db, company)];
    const [first = '', second = ''] = made.map(({ documentId }) => documentId).sort();
    // A row that is written anew comes last where nothing says in which order they are read.
    await db.asSystem((tx) =>
      tx
        .update(documents)
        .set({ tags: ['again'] })
        .where(eq(documents.id, first)),
    );
    const hold = (id: string) => (tx: Tx) =>
      tx.select().from(documents).where(eq(documents.id, id)).for('no key update');
    expect(await meanwhile(db, company.id, () => endNow(company), [hold(first), hold(second)])).toBe('done');
    expect((await triedAgain(company)).rows).toEqual([]);
  });
});

/** Taken back, nothing ends. */
async function endNowWouldNot(company: Company): Promise<void> {
  const { db, jobs } = company.app.app;
  await db.asSystem((tx) => jobs.enqueue(tx, 'end-company', { companyId: company.id }, { singletonKey: company.id }));
  await company.app.idle();
  expect((await company.client.call('getSession', null)).company.id).toBe(company.id);
}

describe('after a company has ended', () => {
  const marker = 'Zwischenkieferknochen';

  test('nothing of it is left anywhere, and everything of others', async ({ app, company }) => {
    const other = await newCompany(app);
    await other.client.upload('Theirs.md', Buffer.from('The canteen opens at noon.'));
    const { client } = company;
    await client.call('updateCompany', { name: `${marker} GmbH`, mailLanguage: 'en' });
    await client.call('setDisplayName', { displayName: `Mara ${marker}` });
    await client.call('updateBrand', {
      name: marker.slice(0, 20),
      logo: png({ width: 1, height: 1 }).toString('base64'),
    });
    await client.call('saveChatAgent', { settings: { ...usualAgent, greeting: `Welcome to ${marker}` } });
    await client.call('inviteUser', { email: `${marker}@example.com`.toLowerCase(), companyId: company.id });
    await client.upload(`${marker}.md`, Buffer.from(`# Bones\n\nThe ${marker} was found in Jena.\n`));
    await client.upload('Mail.md', Buffer.from(`# More\n\nAnother ${marker} was found in Weimar.\n`));
    await app.idle();
    const history = [{ role: 'user' as const, parts: [{ text: `Where was the ${marker} found?` }] }];
    const { queryId, answered } = await client.call('query', { history });
    expect(answered).toBe(true);
    await client.call('rateAnswer', { queryId, rating: 'down', reason: `About the ${marker}` });
    await codeOf(app.call('signIn', { email: company.admin.email, password: 'wrong' }));
    const unfinished = await openUpload(app.url, company.token, `${marker} 2.md`, 100);
    await unfinished.send(0, Buffer.from(`The ${marker}`));
    await client.call('startExport', null);
    await client.call('startOwnExport', null);
    await app.idle();
    await client.call('getAnalytics', { from: '2020-01-01', to: '2020-02-01' });
    expect((await tracesOf(company, marker)).length).toBeGreaterThan(8);
    expect((await tracesOf(company, company.id)).length).toBeGreaterThan(20);

    await client.call('deleteCompany', { companyName: `${marker} GmbH` });
    await endNow(company);
    expect(await tracesOf(company, marker)).toEqual([]);
    // Of its id there is but the job that looks once more, later, for what was under way, and the ledger that keeps a
    // restored backup from bringing it back.
    const ledger = app.config.erasureLedger;
    expect(await tracesOf(company, company.id)).toEqual(['pgboss.job', 'pgboss.job_common', ledger]);
    expect(await tracesOf(company, company.admin.email)).toEqual([]);
    expect(await codeOf(app.call('signIn', { email: company.admin.email, password: goodPassword }))).toBe(
      'invalid-credentials',
    );
    expect(await codeOf(client.call('getSession', null))).toBe('session-expired');
    // The e-mail is free again.
    await app.signUp({ email: company.admin.email });
    expect((await other.client.call('getCompanyFiles', null)).map(({ name }) => name)).toEqual(['Theirs.md']);
    const { passages } = await other.client.call('searchPassages', { query: 'When does the canteen open?' });
    expect(passages).toHaveLength(1);
  });
});

/** Where a word stands: tables of the database, whatever their columns, and files below DATA_DIR, names included. */
async function tracesOf({ app }: Company, word: string): Promise<string[]> {
  const { db } = app.app;
  const { rows: tables } = await db.asSystem((tx) =>
    tx.execute<{ name: string }>(sql`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') order by 1`),
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.asSystem((tx) =>
      tx.execute(
        sql`select 1 from ${sql.raw(name)} as row where position(${word.toLowerCase()} in lower(row::text)) > 0 limit 1`,
      ),
    );
    if (rows.length > 0) found.push(name);
  }
  const root = app.config.dataDir;
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // Folders of the object store stay, empty.
    if (entry.isFile() && (path.includes(word) || (await readFile(path)).includes(word))) found.push(path);
  }
  return found;
}
