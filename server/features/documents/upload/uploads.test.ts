import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, rename, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type HttpResponse, Upload } from 'tus-js-client';
import { describe, expect } from 'vitest';
import type { CompanyFile } from '#contract/calls/documents.ts';
import { createApp } from '#server/app.ts';
import { eq } from '#server/db/drizzle.ts';
import { documents, uploads } from '#server/db/schema.ts';
import { createLog } from '#server/http/log.ts';
import { diskFiles } from '#server/ports/files/disk.ts';
import { unfinishedOnDisk } from '#server/ports/files/unfinished-disk.ts';
import { startTestApp } from '#server/testing/app.ts';
import { type Company, test } from '#server/testing/company.ts';
import { beginning, locationOf, rawTus } from '#server/testing/tus.ts';
import { createSweep } from '../deletion/sweep.ts';

const kib = 1024;
const firstChunk = 256 * kib;

/** Text of this many bytes, other bytes for another seed. */
function bytesOf(length: number, seed = 'a'): Buffer {
  const line = `${createHash('sha256').update(seed).digest('hex')}\n`;
  return Buffer.from(line.repeat(Math.ceil(length / line.length)).slice(0, length));
}

/** An upload by the official client, set up as the web app does. */
function clientUpload(company: Company, content: Buffer, name: string, options: Partial<Upload['options']> = {}) {
  const requests: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>();
  const upload: Upload = new Upload(content, {
    endpoint: `${company.app.url}/v1/uploads`,
    headers: { Authorization: `Bearer ${company.token}` },
    metadata: { filename: name },
    chunkSize: firstChunk,
    uploadDataDuringCreation: content.length <= firstChunk,
    retryDelays: null,
    onBeforeRequest: (request) => void requests.push(request.getMethod()),
    onSuccess: ({ lastResponse }) => resolve(lastResponse),
    onError: reject,
    ...options,
  });
  return { upload, requests, done: promise };
}

async function listed(company: Company): Promise<CompanyFile[]> {
  return company.app.call('getCompanyFiles', null, { token: company.token });
}

/** Resolves once the files pass. */
async function whenListed(company: Company, passes: (files: CompanyFile[]) => boolean): Promise<void> {
  await expect.poll(() => listed(company)).toSatisfy(passes);
}

/** The bytes as they are served. */
async function original(company: Company, file: CompanyFile | undefined, from = company.app): Promise<Buffer> {
  const { url } = await from.call(
    'getFileLink',
    { gsUri: `gs://${file?.bucket}/${file?.path}` },
    { token: company.token },
  );
  return Buffer.from(await (await from.fetch(url)).arrayBuffer());
}

const idIn = (location: string) => location.split('/').at(-1) ?? '';

describe('a whole file', () => {
  test('that is small comes with the request that begins it', async ({ app, company }) => {
    const content = bytesOf(firstChunk);
    const { upload, requests, done } = clientUpload(company, content, 'small.txt');
    upload.start();
    await done;
    expect(requests).toEqual(['POST']);
    const [file] = await listed(company);
    expect(file).toMatchObject({
      name: 'small.txt',
      path: `${company.id}/small.txt`,
      size: content.length,
      version: 1,
    });
    const result = await app.call('getUpload', { uploadId: idIn(upload.url ?? '') }, { token: company.token });
    expect(result).toEqual({ documentId: file?.id, version: 1, name: file?.name });
    expect((await original(company, file)).equals(content)).toBe(true);
  });

  test('that is large comes in chunks of 256 KB, doubled, and the last reply names the version', async ({
    company,
  }) => {
    const content = bytesOf(3_000_001);
    const sizes: number[] = [];
    const { upload, requests, done } = clientUpload(company, content, 'large.txt', {
      onChunkComplete: (size) => {
        sizes.push(size);
        upload.options.chunkSize = size * 2;
      },
    });
    upload.start();
    const last = await done;
    expect(sizes).toEqual([firstChunk, 2 * firstChunk, 4 * firstChunk, content.length - 7 * firstChunk]);
    expect(requests).toEqual(['POST', 'PATCH', 'PATCH', 'PATCH', 'PATCH']);
    const [file] = await listed(company);
    expect(last.getStatus()).toBe(200);
    expect(JSON.parse(last.getBody())).toEqual({ documentId: file?.id, version: 1, name: file?.name });
    expect((await original(company, file)).equals(content)).toBe(true);
  });

  test('is read, and answers', async ({ app, company }) => {
    const { upload, done } = clientUpload(
      company,
      Buffer.from('# Keys\n\nThe boat house key is number 77.\n'),
      'keys.md',
    );
    upload.start();
    await done;
    await app.idle();
    expect((await listed(company))[0]).toMatchObject({ state: 'ready', currentVersion: 1 });
    const { passages } = await app.call('searchPassages', { query: 'boat house key' }, { token: company.token });
    expect(passages[0]?.text).toContain('number 77');
  });
});

describe('cut off', () => {
  test('in the middle of a piece, it goes on from what arrived', async ({ app, company }) => {
    const content = bytesOf(1_000_000);
    const location = locationOf(await company.tus.begin('cut.txt', { size: content.length }));
    const opened = company.tus.open('PATCH', location, {
      'Upload-Offset': '0',
      'Content-Length': String(content.length),
    });
    opened.write(content.subarray(0, 400_000));
    await whenListed(company, ([file]) => (file?.progress?.done ?? 0) > 0);
    opened.destroy();
    const offset = await company.tus.offset(location);
    expect(offset).toBeGreaterThan(0);
    expect(offset).toBeLessThanOrEqual(400_000);

    const { upload, requests, done } = clientUpload(company, content, 'cut.txt', { uploadUrl: app.url + location });
    upload.start();
    await done;
    expect(requests[0]).toBe('HEAD');
    const files = await listed(company);
    expect(files).toHaveLength(1);
    expect((await original(company, files[0])).equals(content)).toBe(true);
  });

  test('a connection that hangs does not keep others from going on', async ({ company }) => {
    const content = bytesOf(1000);
    const location = locationOf(await company.tus.begin('hanging.txt', { size: content.length }));
    const hanging = company.tus.open('PATCH', location, {
      'Upload-Offset': '0',
      'Content-Length': String(content.length),
    });
    hanging.write(content.subarray(0, 300));
    await whenListed(company, ([file]) => file?.progress?.done === 300);
    // Several at once: the lock is given to each in turn.
    expect(
      await Promise.all([company.tus.offset(location), company.tus.offset(location), company.tus.offset(location)]),
    ).toEqual([300, 300, 300]);
    expect((await company.tus.patch(location, 300, content.subarray(300))).status).toBe(200);
    hanging.destroy();
    expect((await original(company, (await listed(company))[0])).equals(content)).toBe(true);
  });

  test('together with the server, it goes on with the next one on the same data', async () => {
    const first = await startTestApp();
    const { token: bearer } = await first.signUp();
    const content = bytesOf(700_000);
    const before = rawTus(first, bearer);
    const location = locationOf(await before.begin('long.txt', { size: content.length }));
    expect((await before.patch(location, 0, content.subarray(0, 300_000))).status).toBe(204);
    await first.app.close();

    const second = await createApp(first.config, { log: createLog('warn') });
    try {
      const url = await second.listen();
      const after = rawTus({ url, fetch: (path, init) => fetch(url + path, init) }, bearer);
      expect(await after.offset(location)).toBe(300_000);
      const last = await after.patch(location, 300_000, content.subarray(300_000));
      expect(last.status).toBe(200);
      expect(JSON.parse(last.body)).toMatchObject({ version: 1 });
    } finally {
      await second.close();
      await first.close();
    }
  });

  test('while the first request still brings bytes, nothing is left of it', async ({ company }) => {
    const content = bytesOf(200_000);
    const opened = company.tus.open('POST', '/v1/uploads', {
      ...beginning('lost.txt', content.length),
      'Content-Length': String(content.length),
    });
    opened.write(content.subarray(0, 50_000));
    await whenListed(company, ([file]) => (file?.progress?.done ?? 0) > 0);
    opened.destroy();
    await whenListed(company, (files) => files.length === 0);
  });
});

describe('a reply that is lost', () => {
  /** Sends it all, and is gone before an answer can be read. */
  async function sendUnheard(
    company: Company,
    method: string,
    path: string,
    headers: Record<string, string>,
    body: Buffer,
  ) {
    const opened = company.tus.open(method, path, { ...headers, 'Content-Length': String(body.length) });
    opened.end(body);
    await once(opened, 'finish');
    await whenListed(company, (files) => files.some(({ state }) => state !== 'uploading'));
    opened.destroy();
  }

  test('to the last PATCH: the call, and the same PATCH again, name the one version', async ({ app, company }) => {
    const content = bytesOf(5000);
    const location = locationOf(await company.tus.begin('last.txt', { size: content.length }));
    expect((await company.tus.patch(location, 0, content.subarray(0, 2000))).status).toBe(204);
    await sendUnheard(company, 'PATCH', location, { 'Upload-Offset': '2000' }, content.subarray(2000));

    const result = await app.call('getUpload', { uploadId: idIn(location) }, { token: company.token });
    expect(result.version).toBe(1);
    expect(await company.tus.offset(location)).toBe(content.length);
    const again = await Promise.all([1, 2, 3].map(() => company.tus.patch(location, content.length, Buffer.alloc(0))));
    for (const reply of again) expect([reply.status, JSON.parse(reply.body)]).toEqual([200, result]);
    expect(await listed(company)).toMatchObject([{ id: result.documentId, version: 1 }]);
    expect((await original(company, (await listed(company))[0])).equals(content)).toBe(true);
  });

  test('to the creating POST: with the same key it is the same upload', async ({ company }) => {
    const content = bytesOf(5000);
    const headers = { 'Idempotency-Key': 'a1b2c3' };
    await sendUnheard(
      company,
      'POST',
      '/v1/uploads',
      { ...beginning('first.txt', content.length), ...headers },
      content,
    );
    const again = await Promise.all([1, 2].map(() => company.tus.begin('first.txt', { body: content, headers })));
    const [one, two] = again.map(locationOf);
    expect(one).toBe(two);
    expect(again.map((reply) => reply.headers.get('Upload-Offset'))).toEqual(['5000', '5000']);
    expect(await listed(company)).toMatchObject([{ name: 'first.txt', version: 1 }]);

    await company.tus.begin('first.txt', { body: bytesOf(5000, 'b'), headers: { 'Idempotency-Key': 'another' } });
    expect((await listed(company))[0]?.version, 'another key is another upload').toBe(2);
  });

  test('to the creating POST of a large file: it starts over under the same address', async ({ company }) => {
    const headers = { 'Idempotency-Key': 'k' };
    const first = locationOf(await company.tus.begin('large.txt', { size: 9, headers }));
    await company.tus.patch(first, 0, Buffer.from('12345'));
    const again = locationOf(await company.tus.begin('large.txt', { size: 9, headers }));
    expect(again).toBe(first);
    expect(await company.tus.offset(again)).toBe(0);
    expect(await listed(company)).toHaveLength(1);
    expect((await company.tus.patch(again, 0, Buffer.from('abcdefghi'))).status).toBe(200);
    expect(String(await original(company, (await listed(company))[0]))).toBe('abcdefghi');
  });

  test('after the document was deleted, the same key brings nothing back', async ({ app, company }) => {
    const content = bytesOf(5000);
    const headers = { 'Idempotency-Key': 'k' };
    await company.tus.begin('deleted.txt', { body: content, headers });
    // Deleted, and not erased yet: as soon as nothing of it is left, nobody knows the key any more.
    await app.app.db.asSystem((tx) =>
      tx.update(documents).set({ deletedAt: new Date() }).where(eq(documents.companyId, company.id)),
    );
    const again = await company.tus.begin('deleted.txt', { body: content, headers });
    expect([again.status, again.code]).toEqual([404, 'upload-not-found']);
    expect(await listed(company)).toEqual([]);
  });

  test('the same key of another person, or for another file, is another upload', async ({ app, company }) => {
    const headers = { 'Idempotency-Key': 'k' };
    const other = await app.signUp();
    const colleague = await app.addMember({ id: company.id }, { role: 'admin' });
    const begun = [
      await company.tus.begin('a.txt', { size: 9, headers }),
      await company.tus.begin('a.txt', { size: 8, headers }),
      await company.tus.begin('b.txt', { size: 9, headers }),
      await company.tus.begin('a.txt', { size: 9, headers, token: other.token }),
      await company.tus.begin('a.txt', { size: 9, headers, token: colleague.token }),
    ].map(locationOf);
    expect(new Set(begun).size).toBe(begun.length);
  });

  test('stored, but not yet a version when the process was killed: the next question finishes it', async ({
    app,
    company,
  }) => {
    const content = bytesOf(4000);
    const location = locationOf(await company.tus.begin('killed.txt', { size: content.length }));
    await company.tus.patch(location, 0, content.subarray(0, 3999));
    // What a process killed between the two leaves behind.
    const stored = join(app.config.dataDir, 'files', company.id, idIn(location));
    await mkdir(dirname(stored), { recursive: true });
    await rename(join(app.config.dataDir, 'uploads', idIn(location)), stored);
    expect(await listed(company)).toMatchObject([{ state: 'uploading', progress: { done: 4000, total: 4000 } }]);
    expect(await company.tus.offset(location)).toBe(4000);
    expect((await app.call('getUpload', { uploadId: idIn(location) }, { token: company.token })).version).toBe(1);
  });
});

describe('the same name', () => {
  test('twice at once: two versions of one document, neither lost', async ({ app, company }) => {
    const contents = [bytesOf(300_000, 'one'), bytesOf(300_000, 'two')];
    const locations = await Promise.all(
      contents.map(async ({ length }) => locationOf(await company.tus.begin('twice.txt', { size: length }))),
    );
    const results = await Promise.all(
      contents.map(async (content, i) => JSON.parse((await company.tus.patch(locations[i] ?? '', 0, content)).body)),
    );
    expect(results.map(({ version }) => version).sort()).toEqual([1, 2]);
    expect(results[0].documentId).toBe(results[1].documentId);
    const [file] = await listed(company);
    for (const [i, { version }] of results.entries()) {
      const { url } = await app.call(
        'getFileLink',
        { gsUri: `gs://${file?.bucket}/${file?.path}`, version },
        { token: company.token },
      );
      expect(Buffer.from(await (await app.fetch(url)).arrayBuffer()).equals(contents[i] ?? Buffer.alloc(0))).toBe(true);
    }
    await app.idle();
    expect(await listed(company)).toMatchObject([{ state: 'ready', version: 2, currentVersion: 2 }]);
  });

  test('composed and decomposed is one document, which keeps its first spelling', async ({ company }) => {
    for (const form of ['NFD', 'NFC']) {
      expect((await company.tus.begin('Ärger.txt'.normalize(form), { body: bytesOf(100, form) })).status).toBe(201);
    }
    expect(await listed(company)).toMatchObject([{ name: 'Ärger.txt'.normalize('NFD'), version: 2 }]);
  });
});

describe('under way', () => {
  test('an upload is a row of its own, live, until it is a document', async ({ app, company }) => {
    await company.tus.begin('plan.txt', { body: bytesOf(50) });
    const left = new AbortController();
    const stream = await app.fetch('/v1/watchFiles', {
      method: 'POST',
      signal: left.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer ${company.token}`,
      },
      body: '{"data":null}',
    });
    let said = '';
    const heard = (async () => {
      for await (const piece of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) said += piece;
    })().catch(() => {});
    const location = locationOf(await company.tus.begin('plan.txt', { size: 6000 }));
    const id = idIn(location);
    expect(await listed(company)).toMatchObject([
      { id, name: 'plan.txt', path: `${company.id}/plan.txt`, state: 'uploading', progress: { done: 0, total: 6000 } },
      { name: 'plan.txt', version: 1 },
    ]);
    expect((await listed(company))[0]).toMatchObject({ version: 2, size: 6000 });
    await company.tus.patch(location, 0, bytesOf(5000));
    await expect.poll(() => said).toContain('"progress":{"done":5000,"total":6000}');
    await company.tus.patch(location, 5000, bytesOf(1000));
    await expect.poll(() => said).toContain(`{"type":"removed","id":"${id}"`);
    expect(await listed(company)).toMatchObject([{ name: 'plan.txt', version: 2 }]);
    left.abort();
    await heard;
  });

  test('cancelled, its bytes are gone, and so is its row', async ({ company }) => {
    const location = locationOf(await company.tus.begin('never.txt', { size: 6000 }));
    await company.tus.patch(location, 0, bytesOf(5000));
    expect((await company.tus.remove(location)).status).toBe(204);
    expect(await listed(company)).toEqual([]);
    for (const reply of [
      await company.tus.head(location),
      await company.tus.patch(location, 5000, bytesOf(1000)),
      await company.tus.remove(location),
    ]) {
      expect(reply.status).toBe(404);
    }
  });

  test('one that nobody goes on with is given up after a day, wherever its bytes are', async ({ app, company }) => {
    const [idle, stored, young] = await Promise.all(
      ['idle.txt', 'stored.txt', 'young.txt'].map(async (name) => {
        const location = locationOf(await company.tus.begin(name, { size: 6000 }));
        await company.tus.patch(location, 0, bytesOf(5999));
        return idIn(location);
      }),
    );
    const { dataDir } = app.config;
    const place = (id = '') => join(dataDir, 'uploads', id);
    const object = join(dataDir, 'files', company.id, stored ?? '');
    await mkdir(dirname(object), { recursive: true });
    await rename(place(stored), object);
    const longAgo = new Date(Date.now() - 25 * 3_600_000);
    await utimes(place(idle), longAgo, longAgo);
    await app.app.db.asSystem((tx) =>
      tx.update(uploads).set({ createdAt: longAgo }).where(eq(uploads.companyId, company.id)),
    );
    const { db, jobs } = app.app;
    const files = diskFiles({ root: join(dataDir, 'files') });
    const search = { companies: async () => new Set([company.id]) };
    await createSweep({
      db,
      jobs,
      files,
      search,
      bytes: unfinishedOnDisk({ root: join(dataDir, 'uploads'), files }),
      locks: { ifFree: (_id, work) => work() },
      temp: { removeLeft: async () => {} },
    })();
    // Begun long ago, but gone on with lately: that one stays.
    expect(await listed(company)).toMatchObject([{ id: young, progress: { done: 5999 } }]);
    expect(await readdir(join(dataDir, 'uploads'))).not.toContain(idle);
    expect(await files.list(`${company.id}/`)).toEqual([]);
  });

  test('a finished one can not be cancelled: it is a document', async ({ company }) => {
    const location = locationOf(await company.tus.begin('kept.txt', { body: bytesOf(100) }));
    expect((await company.tus.remove(location)).status).toBe(400);
    expect(await listed(company)).toMatchObject([{ name: 'kept.txt' }]);
  });

  test('two pieces at the same place: one is taken, the other is told to ask', async ({ company }) => {
    const location = locationOf(await company.tus.begin('race.txt', { size: 6000 }));
    const both = await Promise.all([
      company.tus.patch(location, 0, bytesOf(5000, 'x')),
      company.tus.patch(location, 0, bytesOf(5000, 'y')),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(both.find(({ status }) => status === 409)?.code).toBe('upload-conflict');
  });
});
