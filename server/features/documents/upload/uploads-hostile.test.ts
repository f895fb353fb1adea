import { randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { parse } from 'content-disposition';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#server/http/log.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { answerOf, beginning, locationOf, octets, type RawTus, rawTus } from '#server/testing/tus.ts';

const maxFileBytes = 1_000_000;

let app: TestApp;
let token: string;
let companyId: string;
let tus: RawTus;
let logged = '';
beforeAll(async () => {
  const sink = new Writable({
    write(line, _encoding, done) {
      logged += line;
      done();
    },
  });
  app = await startTestApp({ maxFileBytes, billing: 'stripe' }, { log: createLog('warn', sink) });
});
afterAll(() => app.close());
beforeEach(async () => {
  const made = await app.signUp();
  token = made.token;
  companyId = made.company.id;
  tus = rawTus(app, token);
  await app.setSubscription(companyId, { state: 'active', plan: 'basic' });
});

const files = () => app.call('getCompanyFiles', null, { token });
const text = Buffer.from('Nothing of note stands here.\n');

/** The one file of the company, once it has reached an end state. */
async function whenRead() {
  await app.idle();
  const [file] = await files();
  expect(['ready', 'partial', 'failed']).toContain(file?.state);
  return file;
}

describe('who may', () => {
  const methods = ['POST', 'HEAD', 'PATCH', 'DELETE', 'GET', 'OPTIONS'] as const;
  const bodied = { POST: beginning('new.txt', 5), PATCH: { ...octets, 'Upload-Offset': '0' } };

  /** Every method on an upload, with its status. */
  async function tryAll(path: string, bearer: string | undefined): Promise<Record<string, number>> {
    const statuses: Record<string, number> = {};
    for (const method of methods) {
      const headers = method in bodied ? bodied[method as keyof typeof bodied] : {};
      const { status } = await tus.send(method, method === 'POST' ? '/v1/uploads' : path, {
        token: bearer,
        headers,
        ...(method === 'PATCH' && { body: 'hello' }),
      });
      statuses[method] = status;
    }
    return statuses;
  }

  test('nobody without a bearer, no member, and nobody of another company', async () => {
    const location = locationOf(await tus.begin('ours.txt', { size: 5 }));
    const member = await app.addMember({ id: companyId });
    const foreign = await app.signUp();
    await app.setSubscription(foreign.company.id, { state: 'active', plan: 'basic' });
    const refused = (status: number) => ({ POST: status, HEAD: status, PATCH: status, DELETE: status });
    // OPTIONS tells what the protocol can do, to anyone. GET there is none.
    const toAll = { OPTIONS: 204, GET: 404 };
    expect(await tryAll(location, undefined)).toEqual({ ...refused(401), ...toAll });
    expect(await tryAll(location, 'no-token')).toEqual({ ...refused(401), ...toAll });
    expect(await tryAll(location, member.token)).toEqual({ ...refused(403), ...toAll });
    expect(await tryAll(location, foreign.token)).toEqual({ ...refused(404), ...toAll, POST: 201 });
    // And after all of that it is where it was, and its owner goes on.
    expect(await tus.offset(location)).toBe(0);
    expect((await tus.patch(location, 0, Buffer.from('hello'))).status).toBe(200);
  });

  test('an unpaid company may take its upload away, and nothing else', async () => {
    const location = locationOf(await tus.begin('ours.txt', { size: 5 }));
    await app.setSubscription(companyId, { state: 'canceled' });
    expect(await tryAll(location, token)).toEqual({
      POST: 403,
      HEAD: 403,
      PATCH: 403,
      DELETE: 204,
      GET: 404,
      OPTIONS: 204,
    });
    expect(await files()).toEqual([]);
  });

  test('the finished upload of another company is not to be had either', async () => {
    const location = locationOf(await tus.begin('ours.txt', { body: text }));
    const foreign = await app.signUp();
    await app.setSubscription(foreign.company.id, { state: 'active', plan: 'basic' });
    const theirs = { token: foreign.token };
    expect((await tus.head(location, theirs)).status).toBe(404);
    expect((await tus.patch(location, text.length, Buffer.alloc(0), theirs)).status).toBe(404);
    const uploadId = location.split('/').at(-1) ?? '';
    await expect(app.call('getUpload', { uploadId }, theirs)).rejects.toMatchObject({ code: 'upload-not-found' });
  });

  test.each(['..', '%2e%2e', '..%2f..%2fetc%2fpasswd', '%00', '%ff', 'a b', "'", 'x'.repeat(900), '?id=/x'])(
    'an id that is none: %s',
    async (id) => {
      const reply = await tus.send('HEAD', `/v1/uploads/${id}`);
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(reply.status).toBeLessThan(500);
    },
  );
});

describe('names', () => {
  test.each([
    '',
    '   ',
    '.',
    '..',
    'a/b.txt',
    '../../etc/passwd',
    'nul\0.txt',
    'line\nfeed.txt',
    '\u0085',
    '\u200b',
    'x'.repeat(256),
  ])('refused: %j', async (name) => {
    const reply = await tus.begin(name, { body: text });
    expect([reply.status, reply.code]).toEqual([400, 'invalid-file-name']);
    expect(await files()).toEqual([]);
  });

  test('refused: none at all, and one that is not text', async () => {
    const send = (metadata: Record<string, string>) =>
      tus.send('POST', '/v1/uploads', { headers: { 'Upload-Length': '5', ...metadata } });
    expect((await send({})).code).toBe('invalid-file-name');
    for (const metadata of ['filename', 'name YQ==']) {
      expect((await send({ 'Upload-Metadata': metadata })).code).toBe('invalid-file-name');
    }
    expect((await send({ 'Upload-Metadata': 'filename !!!' })).code).toBe('bad-request');
  });

  test.each([
    `He said "what's this?" & left; <b>.txt`,
    '📎 naïve ﷽ 日本語 ไทย.txt',
    'invoice\u202efdp.exe.txt',
    '\u200fعقد\u200e.txt',
    'Ärger'.normalize('NFC'),
    'Ärger'.normalize('NFD'),
    '__proto__',
    'back\\slash C:.txt',
    '%2e%2e%2f#?.txt',
    'x'.repeat(255),
  ])('kept to the letter: %j', async (name) => {
    expect((await tus.begin(name, { body: text })).status).toBe(201);
    const [file] = await files();
    expect(file).toMatchObject({ name, path: `${companyId}/${name}` });
    const { url } = await app.call('getFileLink', { gsUri: `gs://${file?.bucket}/${file?.path}` }, { token });
    const served = await app.fetch(url);
    expect(await served.text()).toBe(String(text));
    expect(parse(served.headers.get('content-disposition') ?? '').parameters.filename).toBe(name);
    // The other spelling of it names the same file.
    expect(
      (await app.call('deleteFile', { filePath: `${companyId}/${name.normalize('NFD')}` }, { token })).message,
    ).toContain(name);
    expect(await files()).toEqual([]);
  });
});

test('calls with names and ids that can not be: refused, and no failure', async () => {
  const as = { token };
  for (const name of ['nul\0.txt', '', '..', 'a/b', '\ud800', 'x'.repeat(1900)]) {
    const filePath = `${companyId}/${name}`;
    await expect(app.call('deleteFile', { filePath }, as)).rejects.toMatchObject({ code: 'file-not-found' });
    const gsUri = `gs://${app.config.bucket}/${filePath}`;
    await expect(app.call('getFileLink', { gsUri }, as)).rejects.toMatchObject({ code: 'file-not-found' });
  }
  for (const uploadId of ['nul\0', '', '..', 'x'.repeat(99)]) {
    await expect(app.call('getUpload', { uploadId }, as)).rejects.toMatchObject({ code: 'invalid-input' });
  }
});

describe('what the content is decides', () => {
  const gif = Buffer.concat([Buffer.from('GIF89a', 'latin1'), randomBytes(6000)]);
  const exe = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), randomBytes(6000)]);
  const bytesLeft = async () => (await readdir(join(app.config.dataDir, 'uploads')).catch(() => [])).sort();
  const doc = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(6000)]);

  test.each([
    ['an image', 'photo.gif', gif],
    ['a program', 'setup.txt', exe],
    ['a document of an old program', 'letter.doc', doc],
    ['noise', 'noise.md', randomBytes(6000)],
  ])('%s, called %s, is refused with its first piece, and leaves nothing', async (_, name, content) => {
    const before = await bytesLeft();
    const inOne = await tus.begin(name, { body: content });
    expect([inOne.status, inOne.code]).toEqual([400, 'unsupported-format']);
    expect(inOne.body).toContain('Accepted are PDF');

    const location = locationOf(await tus.begin(name, { size: 1_000_000 }));
    const first = await tus.patch(location, 0, content.subarray(0, 5000));
    expect([first.status, first.code]).toEqual([400, 'unsupported-format']);
    expect((await tus.head(location)).status).toBe(404);
    expect(await files()).toEqual([]);
    expect(await bytesLeft()).toEqual(before);
  });

  test('is looked at also when it comes in drops', async () => {
    const location = locationOf(await tus.begin('photo.gif', { size: 50_000 }));
    expect((await tus.patch(location, 0, gif.subarray(0, 3))).status).toBe(204);
    expect((await tus.patch(location, 3, gif.subarray(3, 5000))).code).toBe('unsupported-format');
  });

  test('a PDF called .txt is read as a PDF; a text called .pdf can be replaced', async () => {
    await tus.begin('really.txt', { body: Buffer.from(pdf('')) });
    expect(await whenRead()).toMatchObject({ name: 'really.txt', pages: 1 });
    await app.call('deleteFile', { filePath: `${companyId}/really.txt` }, { token });
    await tus.begin('plain.pdf', { body: text });
    const reason = expect.stringMatching(/^This isn't a readable PDF: .* replace it/);
    expect(await whenRead()).toMatchObject({ name: 'plain.pdf', state: 'failed', reason });
  });

  test('a PDF with a password ends as failed, and says why', async () => {
    const lock = '0'.repeat(64);
    const encrypt = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${lock}> /U <${lock}> /P -4 >> /ID [<00> <00>]`;
    expect((await tus.begin('locked.pdf', { body: Buffer.from(pdf(encrypt)) })).status).toBe(201);
    const file = await whenRead();
    expect(file).toMatchObject({ state: 'failed', reason: expect.stringContaining('protected by a password') });
    expect(file).not.toHaveProperty('currentVersion');
  });
});

describe('sizes', () => {
  test('nothing at all is refused', async () => {
    expect((await tus.begin('empty.txt', { size: 0 })).code).toBe('file-empty');
  });

  test('too large as declared: refused before any byte', async () => {
    const reply = await tus.begin('huge.txt', { size: maxFileBytes + 1 });
    expect([reply.status, reply.code]).toEqual([413, 'file-too-large']);
    expect((await tus.begin('huge.txt', { size: Number.MAX_SAFE_INTEGER })).code).toBe('file-too-large');
    expect((await tus.begin('largest.txt', { size: maxFileBytes })).status).toBe(201);
  });

  test('more bytes than declared are not taken, and what is there stays right', async () => {
    const location = locationOf(await tus.begin('more.txt', { size: text.length }));
    const declared = await tus.patch(location, 0, Buffer.concat([text, text]));
    expect([declared.status, declared.code]).toEqual([413, 'too-large']);
    // In pieces of no declared length, they are counted as they come.
    const opened = tus.open('PATCH', location, { 'Upload-Offset': '0', 'Transfer-Encoding': 'chunked' });
    opened.end(Buffer.alloc(200_000, 'x'));
    expect((await answerOf(opened)).status).toBe(413);
    const offset = await tus.offset(location);
    expect(offset).toBeLessThanOrEqual(text.length);
    const inOne = await tus.begin('more.txt', { body: Buffer.concat([text, text]), size: text.length });
    expect(inOne.code).toBe('too-large');
    expect((await tus.patch(location, offset, text.subarray(offset))).status).toBe(200);
  });

  test.each([
    [{ 'Upload-Length': '-1' }],
    [{ 'Upload-Length': '1e3' }],
    [{ 'Upload-Length': '5.5' }],
    [{ 'Upload-Length': 'many' }],
    [{}],
    [{ 'Upload-Defer-Length': '1' }],
    [{ 'Upload-Length': '5', 'Upload-Concat': 'partial' }],
    [{ 'Upload-Length': '5', 'Tus-Resumable': '0.1.0' }],
  ])('a request that makes no sense: %j', async (headers) => {
    const { 'Upload-Metadata': name = '' } = beginning('a.txt', 5);
    const reply = await tus.send('POST', '/v1/uploads', { headers: { 'Upload-Metadata': name, ...headers } });
    expect(reply.code).toBe('bad-request');
    expect(reply.headers.get('content-type')).toContain('application/json');
    expect(await files()).toEqual([]);
  });

  test('pieces that do not fit: another place, no place, another type', async () => {
    const location = locationOf(await tus.begin('a.txt', { size: text.length }));
    expect((await tus.patch(location, 3, text.subarray(3))).code).toBe('upload-conflict');
    const send = (headers: Record<string, string>) => tus.send('PATCH', location, { headers, body: text });
    expect((await send(octets)).code).toBe('bad-request');
    expect((await send({ 'Upload-Offset': '0', 'Content-Type': 'application/json' })).code).toBe('bad-request');
    expect(await tus.offset(location)).toBe(0);
  });
});

test('starts are counted by company: beyond the limit they are told how long to wait', async () => {
  const limited = await startTestApp({ rates: { ...app.config.rates, uploadsPerMinute: 2 } });
  try {
    const [one, other] = [await limited.signUp(), await limited.signUp()];
    const begin = (bearer: string) => rawTus(limited, bearer).begin('a.txt', { size: 5 });
    const replies = [];
    // More than two windows' worth: whenever the minute changes, one of them is beyond.
    for (let i = 0; i < 5; i++) replies.push(await begin(one.token));
    const refused = replies.find(({ status }) => status === 429);
    expect(refused?.code).toBe('too-many-requests');
    const wait = JSON.parse(refused?.body ?? '').error.details.retryAfterSeconds;
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused?.headers.get('retry-after')).toBe(String(wait));
    expect((await begin(other.token)).status).toBe(201);
  } finally {
    await limited.close();
  }
});

test('a client that leaves, in whatever way, is no error of the server', async () => {
  const location = locationOf(await tus.begin('left.txt', { size: 500_000 }));
  for (const [method, path, headers] of [
    ['PATCH', location, { 'Upload-Offset': '0', 'Content-Length': '500000' }],
    ['POST', '/v1/uploads', { ...beginning('left too.txt', 500_000), 'Content-Length': '500000' }],
  ] as const) {
    const opened = tus.open(method, path, headers);
    opened.write(Buffer.alloc(100_000, 'x'));
    await expect.poll(async () => (await files()).some(({ progress }) => progress?.done)).toBe(true);
    opened.destroy();
    await tus.offset(location);
  }
  expect(await tus.offset(`/v1/uploads/${randomUUID()}`)).toBe(0);
  await expect.poll(files).toHaveLength(1);
  expect(logged).not.toContain('an upload failed');
});

/** A page with a line on it; `trailer` goes into its trailer. */
function pdf(trailer: string): string {
  const content = 'BT /F 12 Tf 20 50 Td (The kettle stands in the scullery of the old house.) Tj ET';
  return [
    '%PDF-1.4',
    '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
    '2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj',
    '3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 400 100] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >> endobj',
    `4 0 obj << /Length ${content.length} >> stream\n${content}\nendstream endobj`,
    '5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj',
    `trailer << /Root 1 0 R /Size 6 ${trailer} >>`,
    '%%EOF',
  ].join('\n');
}
