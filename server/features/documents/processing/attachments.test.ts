import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { eq, sql } from '#server/db/drizzle.ts';
import { webhookDeliveries } from '#server/db/schema.ts';
import { type Company, test } from '#server/testing/company.ts';
import { holdTable } from '#server/testing/hold.ts';

type Part = [name: string, content: string];

/** A mail with files attached to it; of one named `.eml` the content is a mail, of one named `.bin` base64. */
function mail(text: string, ...attached: Part[]): string {
  const boundary = `b${Math.random().toString(36).slice(2)}`;
  const parts = attached.map(([name, content]) => {
    const type = name.endsWith('.eml') ? 'message/rfc822' : 'application/octet-stream';
    const encoding = name.endsWith('.bin') ? 'base64' : '8bit';
    return `--${boundary}\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${content}\r\n`;
  });
  const head = `From: ada@a.example\r\nSubject: Papers\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=${boundary}`;
  return `${head}\r\n\r\n--${boundary}\r\nContent-Type: text/plain\r\n\r\n${text}\r\n${parts.join('')}--${boundary}--\r\n`;
}

const send = (company: Company, content: string, name = 'Papers.eml') =>
  company.client.upload(name, Buffer.from(content));
const files = (company: Company) => company.client.call('getCompanyFiles', null);
const listed = async (company: Company) =>
  (await files(company)).map(({ name, version, state }) => `${name} ${version} ${state}`);
const remove = (company: Company, name: string) =>
  company.client.call('deleteFile', { filePath: `${company.id}/${name}` });
const found = async (company: Company, query: string) =>
  (await company.client.call('searchPassages', { query })).passages.map(({ name, version }) => `${name} ${version}`);
const objects = async (company: Company) => {
  const folder = join(company.app.config.dataDir, 'files', company.id);
  const all = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(all.map(async (each) => (await stat(join(folder, each))).isFile()));
  return all.filter((_, index) => sizes[index]).sort();
};
const keys = async (company: Company) => {
  const { rows } = await company.app.app.db.asCompany(company.id, (tx) =>
    tx.execute<{ key: string }>(sql`select distinct object_key as key from versions`),
  );
  return rows.map(({ key }) => key.slice(company.id.length + 1)).sort();
};

describe('what is attached to a mail', () => {
  test('is a document of its own, found, opened and named after both', { timeout: 90_000 }, async ({
    app,
    company,
  }) => {
    const { documentId } = await send(
      company,
      mail('See the papers.', ['plan.txt', 'The pier is rebuilt in April.'], ['fees.csv', 'Vessel,Toll\r\nTrawler,45']),
    );
    await app.idle();
    expect(await files(company)).toMatchObject([
      { name: 'Papers.eml', state: 'ready' },
      { name: 'Papers.eml › fees.csv', state: 'ready', attachedTo: documentId, version: 1 },
      { name: 'Papers.eml › plan.txt', state: 'ready', attachedTo: documentId, version: 1 },
    ]);
    expect((await files(company))[0]).not.toHaveProperty('attachedTo');
    expect(await found(company, 'When is the pier rebuilt?')).toEqual(['Papers.eml › plan.txt 1']);
    const gsUri = `gs://footnote/${company.id}/Papers.eml › plan.txt`;
    const { url } = await company.client.call('getFileLink', { gsUri });
    expect((await (await app.fetch(url)).text()).trim()).toBe('The pier is rebuilt in April.');
    expect(await objects(company)).toEqual(await keys(company));
  });

  test('gets a new version with a new one of the mail, only where it has changed', { timeout: 120_000 }, async ({
    app,
    company,
  }) => {
    await send(
      company,
      mail(
        'One.',
        ['plan.txt', 'The pier is old.'],
        ['same.txt', 'The crane is red.'],
        ['gone.txt', 'The lantern is lit.'],
      ),
    );
    await app.idle();
    await send(
      company,
      mail('Two.', ['plan.txt', 'The pier is new.'], ['same.txt', 'The crane is red.'], ['more.txt', 'A buoy.']),
    );
    await app.idle();
    expect(await listed(company)).toEqual([
      'Papers.eml 2 ready',
      'Papers.eml › more.txt 1 ready',
      'Papers.eml › plan.txt 2 ready',
      'Papers.eml › same.txt 1 ready',
    ]);
    expect(await found(company, 'Is the pier old or new?')).toEqual(['Papers.eml › plan.txt 2']);
    expect(await found(company, 'lantern')).toEqual([]);
    expect(await objects(company)).toEqual(await keys(company));
    // No mail any more, so nothing is attached to it.
    await send(company, 'The whole story, as text.');
    await app.idle();
    expect(await listed(company)).toEqual(['Papers.eml 3 ready']);
    expect(await objects(company)).toEqual(await keys(company));
  });

  test('goes with the mail, at whatever depth, and alone where it alone is deleted', { timeout: 120_000 }, async ({
    app,
    company,
  }) => {
    const inner = mail('Inner.', ['deep.txt', 'The lamp is green.']);
    await send(company, mail('Outer.', ['inner.eml', inner], ['plan.txt', 'The pier is old.']));
    await app.idle();
    expect(await listed(company)).toEqual([
      'Papers.eml 1 ready',
      'Papers.eml › inner.eml 1 ready',
      'Papers.eml › inner.eml › deep.txt 1 ready',
      'Papers.eml › plan.txt 1 ready',
    ]);
    await remove(company, 'Papers.eml › plan.txt');
    expect(await listed(company)).toHaveLength(3);
    expect(await found(company, 'lamp')).toEqual(['Papers.eml › inner.eml › deep.txt 1']);
    await remove(company, 'Papers.eml');
    expect(await listed(company)).toEqual([]);
    expect(await found(company, 'lamp')).toEqual([]);
    await app.idle();
    expect([await objects(company), await keys(company)]).toEqual([[], []]);
  });

  test('leaves nothing when the mail is deleted while it is read', { timeout: 90_000 }, async ({ app, company }) => {
    const held = await holdTable(app, 'chunks');
    await send(company, mail('See the plan.', ['plan.txt', 'The pier is old.']));
    await held.reached();
    expect(await objects(company)).toHaveLength(2);
    await remove(company, 'Papers.eml');
    await held.release();
    await app.idle();
    expect(await files(company)).toEqual([]);
    expect([await objects(company), await keys(company)]).toEqual([[], []]);
  });

  test('takes no name from another file, nor from another attachment', { timeout: 120_000 }, async ({
    app,
    company,
  }) => {
    await company.client.upload('Papers.eml › plan.txt', Buffer.from('My own plan.'));
    const both: Part[] = [
      ['plan.txt', 'The pier is old.'],
      ['plan.txt', 'The pier is new.'],
    ];
    await send(company, mail('Twice.', ...both));
    await app.idle();
    const expected = [
      'Papers.eml 1',
      'Papers.eml › plan (2).txt 1',
      'Papers.eml › plan (3).txt 1',
      'Papers.eml › plan.txt 1',
    ];
    expect(await listed(company)).toEqual(expected.map((each) => `${each} ready`));
    await send(company, mail('Again.', ...both));
    await app.idle();
    expect(await listed(company)).toEqual(['Papers.eml 2', ...expected.slice(1)].map((each) => `${each} ready`));
    // What is uploaded in the place of an attachment is a file like others from then on.
    await company.client.upload('Papers.eml › plan (2).txt', Buffer.from('My second plan.'));
    await remove(company, 'Papers.eml');
    await app.idle();
    expect(await listed(company)).toEqual(['Papers.eml › plan (2).txt 2 ready', 'Papers.eml › plan.txt 1 ready']);
    expect(await found(company, 'second plan')).toContain('Papers.eml › plan (2).txt 2');
    expect(await objects(company)).toEqual(await keys(company));
  });
});

describe('a hostile mail', () => {
  test('names its attachments as no file may be named, and they are files all the same', {
    timeout: 90_000,
  }, async ({ app, company }) => {
    const names = ['../../etc/passwd.txt', 'a\\b.txt', `${'x'.repeat(400)}.txt`, '..', '\u202e\u200b'];
    await send(
      company,
      mail('Look.', ...names.map((name, i): Part => [name, `Fact number ${i}.`])),
      `${'m'.repeat(250)}.eml`,
    );
    await app.idle();
    const made = (await files(company)).filter(({ attachedTo }) => attachedTo !== undefined);
    expect(made).toHaveLength(names.length);
    for (const { name, state } of made) {
      expect(state).toBe('ready');
      expect(name).not.toMatch(/[/\0]/);
      expect(name.length).toBeLessThanOrEqual(255);
      expect(name).toMatch(/^m+… › ./);
    }
    expect(await objects(company)).toEqual(await keys(company));
  });

  test('with what cannot be read, too many or too deep, says what was left out', { timeout: 240_000 }, async ({
    app,
    company,
  }) => {
    const archive = Buffer.from('PK\u0003\u0004 not really').toString('base64');
    let nested = mail('Four.', ['deepest.txt', 'Nobody gets here.']);
    for (const text of ['Three.', 'Two.', 'One.']) nested = mail(text, ['in.eml', nested]);
    await send(company, nested, 'Deep.eml');
    const many = Array.from({ length: 101 }, (_, i): Part => [`${i}.bin`, archive]);
    await send(company, mail('Many.', ['plan.txt', 'The pier is old.'], ...many), 'Many.eml');
    await app.idle();
    const all = await files(company);
    const reasonOf = (name: string) => all.find((file) => file.name === name)?.reason;
    expect(all.map(({ name }) => name)).toEqual([
      'Deep.eml',
      'Deep.eml › in.eml',
      'Deep.eml › in.eml › in.eml',
      'Deep.eml › in.eml › in.eml › in.eml',
      'Many.eml',
      'Many.eml › plan.txt',
    ]);
    expect(reasonOf('Deep.eml › in.eml › in.eml › in.eml')).toContain(
      'too deep in other mails for its attachments: deepest.txt',
    );
    expect(reasonOf('Many.eml')).toMatch(/were not read: 0\.bin, .* and 91 more\./);
    expect(reasonOf('Many.eml')).toMatch(
      /more attachments than are read of one mail; these were not: 99\.bin, 100\.bin\./,
    );
    expect(all.find(({ name }) => name === 'Many.eml')).toMatchObject({ state: 'partial' });
    expect(await objects(company)).toEqual(await keys(company));
  });
});

test('an attachment that the next version of its mail lacks is told as deleted', async ({ app, company }) => {
  const { client } = company;
  const events = ['document.deleted' as const];
  const { webhookId } = await client.call('createWebhook', { url: 'https://hooks.invalid/in', events });
  await send(company, mail('See below.', ['plan.txt', 'The pier is rebuilt in April.']));
  await app.idle();
  const attachment = (await client.call('getCompanyFiles', null)).find(({ attachedTo }) => attachedTo !== undefined);
  await send(company, mail('There is no plan any more.'));
  await app.idle();
  const told = await app.app.db.asCompany(company.id, (tx) =>
    tx.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, webhookId)),
  );
  expect(told.map(({ type, documentId }) => [type, documentId])).toEqual([['document.deleted', attachment?.id]]);
});
