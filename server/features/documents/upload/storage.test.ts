import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { uploads } from '#server/db/schema.ts';
import { createDisk } from '#server/lib/disk.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { locationOf, rawTus } from '#server/testing/tus.ts';
import { maxUnderWay } from './storage.ts';

let app: TestApp;
afterEach(() => app.close());

const kB = 1000;
const text = (bytes: number, letter = 'x') => Buffer.from(`${letter.repeat(bytes - 1)}\n`);

describe("a company's storage", () => {
  /** With room for so much. */
  async function start(companyStorageBytes: number) {
    app = await startTestApp({ companyStorageBytes });
    const { company, token } = await app.signUp();
    return { company, token, tus: rawTus(app, token), client: createClient(app.url, token) };
  }
  const used = async (token: string) => (await app.call('getStorage', null, { token })).usedBytes;

  test('is never exceeded by uploads that begin at once, and what is declared counts until it is given up', async () => {
    const { token, tus } = await start(10 * kB);
    const replies = await Promise.all(Array.from({ length: 30 }, (_, n) => tus.begin(`${n}.txt`, { size: kB })));
    const begun = replies.filter(({ status }) => status === 201);
    expect(begun).toHaveLength(10);
    const refused = replies.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ status, code }) => `${status} ${code}`))).toEqual(
      new Set(['400 company-storage-full']),
    );
    const { error } = JSON.parse(refused[0]?.body ?? '');
    expect(error).toMatchObject({
      message: expect.stringContaining('Your company uses 10 kB of 10 kB, and this file needs 1 kB.'),
      details: { usedBytes: 10 * kB, allowedBytes: 10 * kB, neededBytes: kB },
    });
    expect(await app.call('getStorage', null, { token })).toEqual({
      usedBytes: 10 * kB,
      allowedBytes: 10 * kB,
      diskIsLow: false,
    });
    // What was refused has left nothing behind.
    expect(await app.call('getCompanyFiles', null, { token })).toHaveLength(10);
    const [first] = begun;
    if (first) await tus.remove(locationOf(first));
    expect(await used(token)).toBe(9 * kB);
    expect((await tus.begin('more.txt', { size: kB + 1 })).code).toBe('company-storage-full');
    expect((await tus.begin('more.txt', { size: kB })).status).toBe(201);
  });

  test('counts every version that is kept, and frees what is deleted at once', async () => {
    const { token, tus, client } = await start(3 * kB);
    await client.upload('plan.txt', text(kB, 'a'));
    await client.upload('plan.txt', text(kB, 'b'));
    // The same content again is not stored again.
    await client.upload('plan.txt', text(kB, 'b'));
    expect(await used(token)).toBe(2 * kB);
    expect((await tus.begin('other.txt', { size: kB + 1 })).code).toBe('company-storage-full');
    const [file] = await app.call('getCompanyFiles', null, { token });
    await app.call('deleteFile', { filePath: file?.path ?? '' }, { token });
    expect(await used(token)).toBe(0);
    expect((await tus.begin('other.txt', { size: 3 * kB })).status).toBe(201);
  });

  test('is its own: another company has all of its room', async () => {
    const { tus } = await start(2 * kB);
    await tus.begin('all.txt', { size: 2 * kB });
    const other = await app.signUp();
    expect(await used(other.token)).toBe(0);
    expect((await rawTus(app, other.token).begin('all.txt', { size: 2 * kB })).status).toBe(201);
  });

  test('holds attachments too: those that do not fit are named, and the mail is read', async () => {
    const small = text(kB, 's');
    const large = text(3 * kB, 'l');
    const mail = [
      'From: a@example.com',
      'Subject: Two files',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'Both are attached.',
      '--b',
      'Content-Type: text/plain',
      'Content-Disposition: attachment; filename="large.txt"',
      '',
      large.toString(),
      '--b',
      'Content-Type: text/plain',
      'Content-Disposition: attachment; filename="small.txt"',
      '',
      small.toString(),
      '--b--',
      '',
    ].join('\r\n');
    const { token, client } = await start(mail.length + 2 * kB);
    await client.upload('two.eml', Buffer.from(mail));
    await app.idle();
    const files = await app.call('getCompanyFiles', null, { token });
    expect(files.map(({ name, state }) => [name, state])).toEqual([
      ['two.eml', 'partial'],
      ['two.eml › small.txt', 'ready'],
    ]);
    expect(files[0]?.reason).toContain(
      "There was no room left in the company's storage for its attachments: large.txt.",
    );
  });

  test('has so many uploads under way', async () => {
    const { company, tus } = await start(maxUnderWay * kB);
    const rows = Array.from({ length: maxUnderWay - 5 }, (_, n) => ({ name: `${n}.txt`, size: 1, id: randomUUID() }));
    const whose = { companyId: company.id, userId: randomUUID() };
    await app.app.db.asSystem((tx) => tx.insert(uploads).values(rows.map((row) => ({ ...row, ...whose }))));
    const last = await Promise.all(Array.from({ length: 12 }, (_, n) => tus.begin(`last ${n}.txt`, { size: 1 })));
    expect(last.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(last.filter(({ status, code }) => status === 429 && code === 'too-many-uploads')).toHaveLength(7);
  });
});

describe('a disk that is nearly full', () => {
  test('takes no upload below its floor, tells the admin, and goes on when there is room again', async () => {
    let free = 10_000 * kB;
    app = await startTestApp({ minFreeDiskBytes: 8000 * kB }, { freeBytesAt: async () => free });
    const { token } = await app.signUp();
    const tus = rawTus(app, token);
    const content = text(2000 * kB);
    // At the edge: this leaves exactly the floor.
    const location = locationOf(await tus.begin('fits.txt', { size: content.length }));
    const tooMuch = await tus.begin('too much.txt', { size: content.length + 1 });
    expect([tooMuch.status, tooMuch.code]).toEqual([507, 'storage-full']);
    free = 8000 * kB - 1;
    const piece = await tus.patch(location, 0, content);
    expect([piece.status, piece.code]).toEqual([507, 'storage-full']);
    expect((await app.call('getStorage', null, { token })).diskIsLow).toBe(true);
    const metrics = await (await app.fetch('/metrics')).text();
    expect(metrics).toContain(`footnote_disk_free_bytes ${free}\n`);
    expect(metrics).toContain('footnote_uploads_refused_by_disk_total 2\n');
    free = 8000 * kB;
    expect((await app.call('getStorage', null, { token })).diskIsLow).toBe(false);
    expect((await tus.patch(location, await tus.offset(location), content)).status).toBe(200);
  });

  test('is warned of once, and named when it has room again', async () => {
    app = await startTestApp();
    const said: string[] = [];
    const log = {
      warn: (_: object, text: string) => said.push(text),
      info: (_: object, text: string) => said.push(text),
    };
    let free = 5;
    const disk = createDisk({
      folders: ['/a', '/b'],
      minFreeBytes: 5,
      log,
      free: async (path) => (path === '/a' ? 100 : free),
    });
    expect(await disk.look()).toEqual({ freeBytes: 5, minFreeBytes: 5, isLow: false });
    free = 4;
    await disk.look();
    expect((await disk.look()).isLow).toBe(true);
    free = 6;
    await disk.look();
    expect(said).toEqual([
      'the disk is nearly full: uploads are refused',
      'the disk has room again: uploads are taken',
    ]);
  });

  test('is the one that a folder lies on, or will', async () => {
    app = await startTestApp();
    const disk = createDisk({
      folders: [`${app.config.dataDir}/not/there/yet`],
      minFreeBytes: 1,
      log: { warn() {}, info() {} },
    });
    expect((await disk.look()).freeBytes).toBeGreaterThan(1);
  });
});
