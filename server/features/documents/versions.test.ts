import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, createClient } from '#scripts/client.ts';
import { chunks } from '#server/db/schema.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { holdParser } from '#server/testing/hold.ts';

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

const gsUri = () => `gs://footnote/${companyId}/Rules.md`;
const put = (text: string, name = 'Rules.md') => client.upload(name, Buffer.from(`# House rules\n\n${text}\n`));
const green = 'The cellar key hangs behind the green door.';
const blue = 'The cellar key hangs on the blue hook.';
const history = [{ role: 'user' as const, parts: [{ text: 'Where does the cellar key hang?' }] }];
const ask = () => client.call('query', { history });
const textsFound = async () =>
  (await client.call('searchPassages', { query: 'Where does the cellar key hang?' })).passages.map(({ text }) => text);
const files = () => client.call('getCompanyFiles', null);
const original = async (version?: number) => {
  const { url } = await client.call('getFileLink', { gsUri: gsUri(), ...(version !== undefined && { version }) });
  return (await app.fetch(url)).text();
};

describe('a file of the same name', () => {
  test('is version 2: the first answers until it is read, then it alone', async () => {
    const first = await put(green);
    await app.idle();
    const parser = await holdParser();
    expect(await put(blue)).toEqual({ documentId: first.documentId, version: 2 });
    await expect.poll(files).toMatchObject([{ state: 'processing', version: 2, currentVersion: 1 }]);
    expect((await ask()).sources).toMatchObject([{ version: 1, quote: green }]);
    expect(await textsFound()).toEqual([expect.stringContaining(green)]);
    expect(await original()).toContain(green);

    await parser.release();
    await app.idle();
    expect(await files()).toMatchObject([{ state: 'ready', version: 2, currentVersion: 2 }]);
    expect((await ask()).sources).toMatchObject([{ version: 2, quote: blue }]);
    expect(await textsFound()).toEqual([expect.stringContaining(blue)]);
    expect(await original()).toContain(blue);
  });

  test('leaves an old citation opening what it cited, and telling that it is superseded', async () => {
    const { documentId } = await put(green);
    await app.idle();
    const cite = new URL((await ask()).sources[0]?.url ?? '', app.url).searchParams.get('cite') ?? '';
    await put(`A new introduction.\n\n${blue}`);
    await app.idle();
    expect(await client.call('getDocument', { documentId, version: 1, cite })).toMatchObject({
      version: 1,
      currentVersion: 2,
      citation: { quote: green, block: 1 },
    });
    const { blocks } = await client.call('getReadingView', { documentId, version: 1, from: 0, limit: 10 });
    expect(blocks.map(({ text }) => text)).toContain(green);
    expect(await original(1)).toContain(green);
    // It is no citation of the new version.
    expect((await client.call('getDocument', { documentId, version: 2, cite })).citation).toBeUndefined();
  });

  test('that can not be read leaves the first one answering, and says why', async () => {
    const { documentId } = await put(green, 'Rules.pdf.md');
    await app.idle();
    expect(await client.upload('Rules.pdf.md', Buffer.from('%PDF-1.7\n broken'))).toEqual({ documentId, version: 2 });
    await app.idle();
    expect(await files()).toMatchObject([
      { state: 'failed', version: 2, currentVersion: 1, reason: expect.stringContaining('damaged') },
    ]);
    expect((await ask()).sources).toMatchObject([{ version: 1, quote: green }]);
    await put(blue, 'Rules.pdf.md');
    await app.idle();
    expect(await files()).toMatchObject([{ state: 'ready', version: 3, currentVersion: 3 }]);
    expect((await ask()).sources).toMatchObject([{ version: 3, quote: blue }]);
  });

  test('that is read before an older one stays the one that answers', async () => {
    const slow = await holdParser();
    const { documentId } = await put(green);
    await expect.poll(files).toMatchObject([{ state: 'processing', version: 1 }]);
    await put(blue);
    await expect.poll(files).toMatchObject([{ state: 'ready', version: 2 }]);
    await slow.release();
    await app.idle();
    expect(await files()).toMatchObject([{ state: 'ready', version: 2, currentVersion: 2 }]);
    expect(await textsFound()).toEqual([expect.stringContaining(blue)]);
    expect((await client.call('getDocument', { documentId, version: 1 })).state).toBe('ready');
    const searched = await app.app.db.asCompany(companyId, (tx) =>
      tx.select({ version: chunks.version }).from(chunks).where(eq(chunks.documentId, documentId)),
    );
    expect(searched).toEqual([{ version: 2 }]);
  });

  test('is the same one however its letters are composed, and is listed as it came first', async () => {
    const { documentId } = await put(green, 'Übersicht.md'.normalize('NFD'));
    expect(await put(blue, 'Übersicht.md'.normalize('NFC'))).toEqual({ documentId, version: 2 });
    await app.idle();
    expect(await files()).toMatchObject([{ name: 'Übersicht.md'.normalize('NFD') }]);
  });

  test('of many at once is a version each, and the last of them answers', async () => {
    const uploaded = await Promise.all(Array.from({ length: 5 }, (_, i) => put(`The cellar key is number ${i}.`)));
    expect(new Set(uploaded.map(({ documentId }) => documentId)).size).toBe(1);
    expect(uploaded.map(({ version }) => version).sort()).toEqual([1, 2, 3, 4, 5]);
    await app.idle();
    expect(await files()).toMatchObject([{ state: 'ready', version: 5, currentVersion: 5 }]);
    const last = uploaded.findIndex(({ version }) => version === 5);
    expect(await textsFound()).toEqual([expect.stringContaining(`number ${last}.`)]);
  });
});

test('a version that does not exist is not found', async () => {
  const { documentId } = await put(green);
  await app.idle();
  const none = 'This file does not exist';
  await expect(client.call('getDocument', { documentId, version: 2 })).rejects.toThrow(none);
  await expect(client.call('getReadingView', { documentId, version: 2, from: 0, limit: 1 })).rejects.toThrow(none);
  await expect(client.call('getFileLink', { gsUri: gsUri(), version: 2 })).rejects.toThrow(none);
  await expect(client.call('getDocument', { documentId, version: 0 })).rejects.toThrow('not valid');
});
