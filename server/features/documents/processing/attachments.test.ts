import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, createClient } from '#client/client.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { holdTable } from '#server/testing/hold.ts';

let app: TestApp;
let companyId: string;
let client: Client;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  const signedUp = await app.signUp();
  companyId = signedUp.company.id;
  client = createClient(app.url, signedUp.token);
});

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

const send = (content: string, name = 'Papers.eml') => client.upload(name, Buffer.from(content));
const files = () => client.call('getCompanyFiles', null);
const listed = async () => (await files()).map(({ name, version, state }) => `${name} ${version} ${state}`);
const remove = (name: string) => client.call('deleteFile', { filePath: `${companyId}/${name}` });
const found = async (query: string) =>
  (await client.call('searchPassages', { query })).passages.map(({ name, version }) => `${name} ${version}`);
const objects = async () => {
  const folder = join(app.config.dataDir, 'files', companyId);
  const all = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(all.map(async (each) => (await stat(join(folder, each))).isFile()));
  return all.filter((_, index) => sizes[index]).sort();
};
const keys = async () => {
  const { rows } = await app.app.db.asCompany(companyId, (tx) =>
    tx.execute<{ key: string }>(sql`select distinct object_key as key from versions`),
  );
  return rows.map(({ key }) => key.slice(companyId.length + 1)).sort();
};

describe('what is attached to a mail', () => {
  test('is a document of its own, found, opened and named after both', { timeout: 90_000 }, async () => {
    const { documentId } = await send(
      mail('See the papers.', ['plan.txt', 'The pier is rebuilt in April.'], ['fees.csv', 'Vessel,Toll\r\nTrawler,45']),
    );
    await app.idle();
    expect(await files()).toMatchObject([
      { name: 'Papers.eml', state: 'ready' },
      { name: 'Papers.eml › fees.csv', state: 'ready', attachedTo: documentId, version: 1 },
      { name: 'Papers.eml › plan.txt', state: 'ready', attachedTo: documentId, version: 1 },
    ]);
    expect((await files())[0]).not.toHaveProperty('attachedTo');
    expect(await found('When is the pier rebuilt?')).toEqual(['Papers.eml › plan.txt 1']);
    const gsUri = `gs://footnote/${companyId}/Papers.eml › plan.txt`;
    const { url } = await client.call('getFileLink', { gsUri });
    expect((await (await app.fetch(url)).text()).trim()).toBe('The pier is rebuilt in April.');
    expect(await objects()).toEqual(await keys());
  });

  test('gets a new version with a new one of the mail, only where it has changed', { timeout: 120_000 }, async () => {
    await send(
      mail(
        'One.',
        ['plan.txt', 'The pier is old.'],
        ['same.txt', 'The crane is red.'],
        ['gone.txt', 'The lantern is lit.'],
      ),
    );
    await app.idle();
    await send(
      mail('Two.', ['plan.txt', 'The pier is new.'], ['same.txt', 'The crane is red.'], ['more.txt', 'A buoy.']),
    );
    await app.idle();
    expect(await listed()).toEqual([
      'Papers.eml 2 ready',
      'Papers.eml › more.txt 1 ready',
      'Papers.eml › plan.txt 2 ready',
      'Papers.eml › same.txt 1 ready',
    ]);
    expect(await found('Is the pier old or new?')).toEqual(['Papers.eml › plan.txt 2']);
    expect(await found('lantern')).toEqual([]);
    expect(await objects()).toEqual(await keys());
    // No mail any more, so nothing is attached to it.
    await send('The whole story, as text.');
    await app.idle();
    expect(await listed()).toEqual(['Papers.eml 3 ready']);
    expect(await objects()).toEqual(await keys());
  });

  test('goes with the mail, at whatever depth, and alone where it alone is deleted', { timeout: 120_000 }, async () => {
    const inner = mail('Inner.', ['deep.txt', 'The lamp is green.']);
    await send(mail('Outer.', ['inner.eml', inner], ['plan.txt', 'The pier is old.']));
    await app.idle();
    expect(await listed()).toEqual([
      'Papers.eml 1 ready',
      'Papers.eml › inner.eml 1 ready',
      'Papers.eml › inner.eml › deep.txt 1 ready',
      'Papers.eml › plan.txt 1 ready',
    ]);
    await remove('Papers.eml › plan.txt');
    expect(await listed()).toHaveLength(3);
    expect(await found('lamp')).toEqual(['Papers.eml › inner.eml › deep.txt 1']);
    await remove('Papers.eml');
    expect(await listed()).toEqual([]);
    expect(await found('lamp')).toEqual([]);
    await app.idle();
    expect([await objects(), await keys()]).toEqual([[], []]);
  });

  test('leaves nothing when the mail is deleted while it is read', { timeout: 90_000 }, async () => {
    const held = await holdTable(app, 'chunks');
    await send(mail('See the plan.', ['plan.txt', 'The pier is old.']));
    await held.reached();
    expect(await objects()).toHaveLength(2);
    await remove('Papers.eml');
    await held.release();
    await app.idle();
    expect(await files()).toEqual([]);
    expect([await objects(), await keys()]).toEqual([[], []]);
  });

  test('takes no name from another file, nor from another attachment', { timeout: 120_000 }, async () => {
    await client.upload('Papers.eml › plan.txt', Buffer.from('My own plan.'));
    const both: Part[] = [
      ['plan.txt', 'The pier is old.'],
      ['plan.txt', 'The pier is new.'],
    ];
    await send(mail('Twice.', ...both));
    await app.idle();
    const expected = [
      'Papers.eml 1',
      'Papers.eml › plan (2).txt 1',
      'Papers.eml › plan (3).txt 1',
      'Papers.eml › plan.txt 1',
    ];
    expect(await listed()).toEqual(expected.map((each) => `${each} ready`));
    await send(mail('Again.', ...both));
    await app.idle();
    expect(await listed()).toEqual(['Papers.eml 2', ...expected.slice(1)].map((each) => `${each} ready`));
    // What is uploaded in the place of an attachment is a file like others from then on.
    await client.upload('Papers.eml › plan (2).txt', Buffer.from('My second plan.'));
    await remove('Papers.eml');
    await app.idle();
    expect(await listed()).toEqual(['Papers.eml › plan (2).txt 2 ready', 'Papers.eml › plan.txt 1 ready']);
    expect(await found('second plan')).toContain('Papers.eml › plan (2).txt 2');
    expect(await objects()).toEqual(await keys());
  });
});

describe('a hostile mail', () => {
  test('names its attachments as no file may be named, and they are files all the same', {
    timeout: 90_000,
  }, async () => {
    const names = ['../../etc/passwd.txt', 'a\\b.txt', `${'x'.repeat(400)}.txt`, '..', '\u202e\u200b'];
    await send(mail('Look.', ...names.map((name, i): Part => [name, `Fact number ${i}.`])), `${'m'.repeat(250)}.eml`);
    await app.idle();
    const made = (await files()).filter(({ attachedTo }) => attachedTo !== undefined);
    expect(made).toHaveLength(names.length);
    for (const { name, state } of made) {
      expect(state).toBe('ready');
      expect(name).not.toMatch(/[/\0]/);
      expect(name.length).toBeLessThanOrEqual(255);
      expect(name).toMatch(/^m+… › ./);
    }
    expect(await objects()).toEqual(await keys());
  });

  test('with what cannot be read, too many or too deep, says what was left out', { timeout: 240_000 }, async () => {
    const archive = Buffer.from('PK\u0003\u0004 not really').toString('base64');
    let nested = mail('Four.', ['deepest.txt', 'Nobody gets here.']);
    for (const text of ['Three.', 'Two.', 'One.']) nested = mail(text, ['in.eml', nested]);
    await send(nested, 'Deep.eml');
    const many = Array.from({ length: 101 }, (_, i): Part => [`${i}.bin`, archive]);
    await send(mail('Many.', ['plan.txt', 'The pier is old.'], ...many), 'Many.eml');
    await app.idle();
    const all = await files();
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
    expect(await objects()).toEqual(await keys());
  });
});
