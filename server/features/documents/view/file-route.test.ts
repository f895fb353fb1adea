import { readdir, readlink } from 'node:fs/promises';
import { get as httpGet } from 'node:http';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { AppError } from '#contract/errors.ts';
import { eq } from '#server/db/drizzle.ts';
import { versions } from '#server/db/schema.ts';
import { makeHeavy, makeZip } from '#server/features/ingestion/fixtures.ts';
import { createLog } from '#server/http/log.ts';
import { openEmbeddedIdentity } from '#server/ports/identity/embedded.ts';
import { secretFor } from '#server/ports/identity/service-keys.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { createFileLinks } from './file-links.ts';

let app: TestApp;
let token: string;
let companyId: string;
let logged = '';
beforeAll(async () => {
  const sink = new Writable({
    write(line, _encoding, done) {
      logged += line;
      done();
    },
  });
  app = await startTestApp({}, { log: createLog('error', sink) });
  const made = await app.signUp();
  token = made.token;
  companyId = made.company.id;
});
afterAll(() => app.close());

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsKeKYwAAAABJRU5ErkJggg==',
  'base64',
);

async function upload(name: string, content: string | Uint8Array): Promise<string> {
  const { documentId } = await createClient(app.url, token).upload(name, Buffer.from(content));
  return documentId;
}

const uriOf = (name: string) => `gs://${app.config.bucket}/${companyId}/${name}`;

async function linkTo(name: string, version?: number): Promise<string> {
  const { url } = await app.call('getFileLink', { gsUri: uriOf(name), ...(version && { version }) }, { token });
  return url;
}

describe('what a link gives', () => {
  const content = 'The quick brown fox jumps over the lazy dog.\n';
  const size = content.length;
  let link: string;
  beforeAll(async () => {
    await upload('fox.txt', content);
    link = await linkTo('fox.txt');
  });

  const ask = async (headers: Record<string, string> = {}, method = 'GET') => {
    const reply = await app.fetch(link, { method, headers });
    const { status } = reply;
    return { status, body: await reply.text(), header: (name: string) => reply.headers.get(name) };
  };

  test('the whole file', async () => {
    const { status, body, header } = await ask();
    expect([status, body]).toEqual([200, content]);
    expect(header('content-length')).toBe(String(size));
    expect(header('accept-ranges')).toBe('bytes');
    expect(header('content-type')).toBe('text/plain; charset=utf-8');
    expect(link.startsWith(`${app.config.publicUrl}/files/`)).toBe(true);
  });

  test('its headers alone', async () => {
    const { status, body, header } = await ask({ Range: 'bytes=0-3' }, 'HEAD');
    expect([status, body]).toEqual([200, '']);
    expect(header('content-length')).toBe(String(size));
    expect(header('content-range')).toBeNull();
  });

  test.each([
    ['bytes=4-8', 4, 8],
    ['bytes=0-0', 0, 0],
    ['Bytes=40-', 40, size - 1],
    ['bytes=-5', size - 5, size - 1],
    ['bytes=-9999', 0, size - 1],
    ['bytes=40-99999999999999999999', 40, size - 1],
  ])('a part: %s', async (range, start, end) => {
    const { status, body, header } = await ask({ Range: range });
    expect([status, body]).toEqual([206, content.slice(start, end + 1)]);
    expect(header('content-range')).toBe(`bytes ${start}-${end}/${size}`);
    expect(header('content-length')).toBe(String(end - start + 1));
  });

  test.each([`bytes=${size}-`, 'bytes=99999999999999999999-', 'bytes=-0'])('nothing at %s', async (range) => {
    const { status, body, header } = await ask({ Range: range });
    expect([status, body]).toEqual([416, '']);
    expect(header('content-range')).toBe(`bytes */${size}`);
  });

  test.each(['bytes=0-1,3-4', 'bytes=8-4', 'bytes=-', 'bytes=a-b', 'lines=1-2', 'bytes', ''])(
    'the whole for %j',
    async (range) => {
      const { status, body } = await ask({ Range: range });
      expect([status, body]).toEqual([200, content]);
    },
  );

  test('only what has changed: nothing ever has', async () => {
    const tag = (await ask()).header('etag') ?? '';
    expect(tag).toMatch(/^"[0-9a-f]{64}"$/);
    for (const asked of [tag, `"other", W/${tag}`, '*']) {
      const { status, body } = await ask({ 'If-None-Match': asked });
      expect([status, body]).toEqual([304, '']);
    }
    expect((await ask({ 'If-None-Match': '"other"' })).status).toBe(200);
    expect((await ask({ Range: 'bytes=0-3', 'If-Range': tag })).status).toBe(206);
    for (const other of ['"other"', 'Sat, 21 Nov 2026 08:00:00 GMT', `W/${tag}`]) {
      expect((await ask({ Range: 'bytes=0-3', 'If-Range': other })).body).toBe(content);
    }
  });

  test('an older version keeps its own bytes', async () => {
    await upload('two.txt', 'first');
    await upload('two.txt', 'second');
    expect(await (await app.fetch(await linkTo('two.txt', 1))).text()).toBe('first');
    expect(await (await app.fetch(await linkTo('two.txt', 2))).text()).toBe('second');
    await expect(linkTo('two.txt', 3)).rejects.toMatchObject({ code: 'file-not-found' });
  });
});

describe('which links hold', () => {
  const statusOf = async (path: string, init?: RequestInit) => (await app.fetch(path, init)).status;
  beforeAll(() => upload('held.txt', 'Hold on.'));

  test('it ends after ten minutes', async () => {
    const { db } = app.app;
    const { bucket, publicUrl } = app.config;
    const { sessionIsOpen } = await openEmbeddedIdentity(db, publicUrl);
    const token = (await linkTo('held.txt')).split('/').at(-1) ?? '';
    const openedAfter = async (millis: number) => {
      const key = await secretFor(db, 'file-link');
      const clock = () => Date.now() + millis;
      return createFileLinks({ db, key, bucket, publicUrl, sessionIsOpen, clock }).open(token);
    };
    await expect(openedAfter(590_000)).resolves.toMatchObject({ name: 'held.txt' });
    await expect(openedAfter(601_000)).rejects.toMatchObject({ code: 'file-not-found' });
  });

  /** Of somebody of their own, in a session of their own, with what the session's cookie is. */
  async function held() {
    const person = await app.addMember({ id: companyId });
    const signIn = await app.fetch('/v1/signIn', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: { email: person.email, password: person.password } }),
    });
    const { result } = (await signIn.json()) as { result: { idToken: string } };
    const cookie = /footnote_refresh=([^;]+)/.exec(signIn.headers.get('set-cookie') ?? '')?.[0] ?? '';
    const as = (sessionToken: string) => app.call('getFileLink', { gsUri: uriOf('held.txt') }, { token: sessionToken });
    return { person, cookie, link: (await as(result.idToken)).url, other: (await as(person.token)).url };
  }
  const asked = [{}, { headers: { Range: 'bytes=0-1' } }, { method: 'HEAD' }];
  const statusesOf = (link: string) => Promise.all(asked.map((init) => statusOf(link, init)));
  const [holds, ended] = [
    [200, 206, 200],
    [404, 404, 404],
  ];

  test('it ends with the session that it was made in, and that one alone', async () => {
    const { link, other, cookie } = await held();
    expect(await statusesOf(link)).toEqual(holds);
    await app.fetch('/v1/signOut', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: '{"data":null}',
    });
    expect(await statusesOf(link)).toEqual(ended);
    expect(await statusesOf(other)).toEqual(holds);
  });

  test('it goes on while its session is renewed', async () => {
    const { link, cookie } = await held();
    const renewed = await app.fetch('/v1/refreshSession', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: '{"data":null}',
    });
    expect(renewed.status).toBe(200);
    expect(await statusesOf(link)).toEqual(holds);
  });

  test.each(['removed', 'given another role', 'given a new password'] as const)(
    'it ends with a person %s',
    async (how) => {
      const { person, link, other } = await held();
      expect(await statusesOf(link)).toEqual(holds);
      if (how === 'removed') await app.call('deleteUser', { userIdToDelete: person.uid }, { token });
      else if (how === 'given another role')
        await app.call('setUserRole', { uid: person.uid, role: 'admin' }, { token });
      else {
        const provider = await openEmbeddedIdentity(app.app.db, app.config.publicUrl);
        const oobCode = (await provider.createResetCode(person.email)) ?? '';
        await app.call('confirmPasswordReset', { oobCode, newPassword: 'copper lanterns hum 48' });
      }
      for (const each of [link, other]) expect(await statusesOf(each)).toEqual(ended);
    },
  );

  test('what is being sent is cut off when its person is removed', async () => {
    await upload('long.docx', makeHeavy(20 * 1024 * 1024));
    const person = await app.addMember({ id: companyId });
    const { url } = await app.call('getFileLink', { gsUri: uriOf('long.docx') }, { token: person.token });
    const reading = (await app.fetch(url)).body?.getReader();
    await reading?.read();
    await app.call('deleteUser', { userIdToDelete: person.uid }, { token });
    const rest = async () => {
      for (let piece = await reading?.read(); piece && !piece.done; piece = await reading?.read());
    };
    await expect(rest()).rejects.toThrow();
  });

  test('what takes longer to be sent than its link can be opened goes on until it is deleted', async () => {
    const documentId = await upload('slow.txt', 'Slow.');
    let now = Date.now();
    const heard = Promise.withResolvers<string>();
    const gone = Promise.withResolvers<void>();
    const links = createFileLinks({
      db: app.app.db,
      key: await secretFor(app.app.db, 'file-link'),
      bucket: app.config.bucket,
      publicUrl: app.config.publicUrl,
      sessionIsOpen: async () => {
        heard.resolve('may go on');
        return true;
      },
      clock: () => now,
    });
    const linkToken = new URL(await linkTo('slow.txt')).pathname.replace('/files/', '');
    const stop = await links.watch(linkToken, () => {
      heard.resolve('is ended');
      gone.resolve();
    });
    now += 11 * 60_000;
    await app.call('createCollection', { name: 'Of no concern', access: 'restricted' }, { token });
    expect(await heard.promise).toBe('may go on');
    await app.call('deleteFiles', { documentIds: [documentId] }, { token });
    await gone.promise;
    stop();
  });

  test('what is being sent goes on while nobody can say whether it may, and ends once somebody says no', async () => {
    await upload('asked.txt', 'Asked.');
    const [goesOn, isEnded] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    const answers: (() => boolean)[] = [
      () => {
        throw new Error('the connection is broken');
      },
      () => {
        goesOn.resolve('may go on');
        return true;
      },
      () => {
        throw new AppError('unavailable');
      },
      () => false,
    ];
    const links = createFileLinks({
      db: app.app.db,
      key: await secretFor(app.app.db, 'file-link'),
      bucket: app.config.bucket,
      publicUrl: app.config.publicUrl,
      sessionIsOpen: async () => (answers.shift() ?? (() => true))(),
    });
    const linkToken = new URL(await linkTo('asked.txt')).pathname.replace('/files/', '');
    const stop = await links.watch(linkToken, () => {
      goesOn.resolve('is ended');
      isEnded.resolve();
    });
    const change = (name: string) => app.call('createCollection', { name, access: 'restricted' }, { token });
    await change('Of no concern either');
    expect(await goesOn.promise).toBe('may go on');
    await change('Nor this one');
    await isEnded.promise;
    expect(answers).toEqual([]);
    stop();
  });

  test('a bearer that names no session gets none', async () => {
    const links = createFileLinks({
      db: app.app.db,
      key: await secretFor(app.app.db, 'file-link'),
      bucket: app.config.bucket,
      publicUrl: app.config.publicUrl,
      sessionIsOpen: async () => true,
    });
    const nobody = { companyId, userId: companyId, email: 'a@example.com' };
    await expect(links.linkTo(nobody, uriOf('held.txt'))).rejects.toMatchObject({ code: 'session-expired' });
  });

  test('no part of it can be changed', async () => {
    const link = await linkTo('held.txt');
    const other = await upload('other.txt', 'Something else.');
    const [claims = '', signature = ''] = new URL(link).pathname.replace('/files/', '').split('.');
    const said = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const sign = (changed: object) => Buffer.from(JSON.stringify({ ...said, ...changed })).toString('base64url');
    for (const forged of [
      `${sign({ d: other })}.${signature}`,
      `${sign({ v: 2 })}.${signature}`,
      `${sign({ e: said.e + 1 })}.${signature}`,
      `${sign({ c: '7e7d9b9e-0000-4000-8000-000000000002' })}.${signature}`,
      `${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      `${claims}.${signature}!`,
      `${claims}.${signature}=`,
      `${claims}.`,
      `.${signature}`,
      `${claims}.${signature}.${signature}`,
      claims,
      'null',
      '%00',
      '%ff',
      'x'.repeat(900),
    ]) {
      const reply = await app.fetch(`/files/${forged}`);
      expect([400, 404], forged).toContain(reply.status);
      expect(await reply.text()).not.toContain('Hold on');
    }
    expect(await statusOf(link)).toBe(200);
  });

  test('it ends with its document, at once', async () => {
    await upload('gone.txt', 'Soon gone.');
    const link = await linkTo('gone.txt');
    expect(await statusOf(link)).toBe(200);
    await app.call('deleteFile', { filePath: `${companyId}/gone.txt` }, { token });
    expect(await statusOf(link)).toBe(404);
    expect(await statusOf(link, { headers: { Range: 'bytes=0-1' } })).toBe(404);
    expect(await statusOf(link, { method: 'HEAD' })).toBe(404);
    await expect(linkTo('gone.txt')).rejects.toMatchObject({ code: 'file-not-found' });
    // A new file of that name is another document.
    await upload('gone.txt', 'Back again.');
    expect(await statusOf(link)).toBe(404);
  });

  test('one whose bytes are missing answers as one that is gone, and is whole for none', async () => {
    const documentId = await upload('lost.txt', 'Lost.');
    await app.idle();
    const link = await linkTo('lost.txt');
    await app.app.db.asSystem((tx) =>
      tx.update(versions).set({ objectKey: 'no/such' }).where(eq(versions.documentId, documentId)),
    );
    const reply = await app.fetch(link);
    expect([reply.status, await reply.text()]).toEqual([404, 'This file does not exist or has been deleted.']);
    expect(reply.headers.get('etag')).toBeNull();
  });

  test('a member gets one, another company does not, and nobody without a bearer', async () => {
    const gsUri = uriOf('held.txt');
    const member = await app.addMember({ id: companyId });
    expect((await app.call('getFileLink', { gsUri }, { token: member.token })).url).toContain('/files/');
    const foreign = await app.signUp();
    await expect(app.call('getFileLink', { gsUri }, { token: foreign.token })).rejects.toMatchObject({
      code: 'file-not-found',
    });
    await expect(app.call('getFileLink', { gsUri })).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('other methods there are none', async () => {
    const link = await linkTo('held.txt');
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) expect(await statusOf(link, { method })).toBe(404);
  });
});

describe('what is uploaded can not run here', () => {
  const script = '<script>document.title = "mine"</script>';

  /** The served headers, each policy as a set. */
  async function served(name: string, content: string | Uint8Array) {
    await upload(name, content);
    const { headers } = await app.fetch(await linkTo(name));
    const policy =
      headers
        .get('content-security-policy')
        ?.split(';')
        .map((each) => each.trim()) ?? [];
    return { headers, policy };
  }

  test.each([
    ['page.html', `<!doctype html><html><body><p>Hello</p>${script}</body></html>`, 'text/html; charset=utf-8'],
    ['drawing.txt', `Look: <svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`, 'text/plain; charset=utf-8'],
    ['note.md', `# Title\n\n${script}\n`, 'text/plain; charset=utf-8'],
    // A page by its content is served as one whatever it is called, and under the same policy.
    ['page.txt', `<html><body>${script}</body></html>`, 'text/html; charset=utf-8'],
  ])('%s', async (name, content, type) => {
    const { headers, policy } = await served(name, content);
    expect(headers.get('content-type')).toBe(type);
    for (const rule of [
      "default-src 'none'",
      "script-src 'none'",
      'sandbox',
      "base-uri 'none'",
      "form-action 'none'",
    ]) {
      expect(policy).toContain(rule);
    }
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('content-disposition')).toContain('inline');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('set-cookie')).toBeNull();
  });

  test.each([
    ['drawing.svg', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`],
    ['drawing.html', `<!-- --><svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`],
    ['feed.html', `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`],
  ])('%s is not taken at all', async (name, content) => {
    await expect(upload(name, content)).rejects.toMatchObject({ code: 'unsupported-format' });
  });

  test('a PDF has no script and nothing from elsewhere, but no sandbox, in which no browser shows it', async () => {
    const { headers, policy } = await served('paper.pdf', '%PDF-1.4\n%%EOF');
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'none'");
    expect(policy).not.toContain('sandbox');
  });

  test('a picture is shown', async () => {
    const { headers, policy } = await served('dot.png', onePixel);
    expect(headers.get('content-type')).toBe('image/png');
    expect(headers.get('content-disposition')).toContain('inline');
    expect(policy).toContain('sandbox');
  });

  test('what no browser shows is a download, under its whole name', async () => {
    const name = `Zahlen "März" \u202e; 📎 50% (neu)'*.xlsx`;
    await upload(name, makeZip([{ name: 'xl/workbook.xml', content: '<workbook/>' }]));
    const { headers } = await app.fetch(await linkTo(name));
    const disposition = headers.get('content-disposition') ?? '';
    // What RFC 8187 allows in the value, and nothing else: no quote and no line can end it early.
    expect(disposition).toMatch(/^attachment; filename\*=UTF-8''[A-Za-z0-9!#$&+.^_`|~%-]+$/);
    expect(decodeURIComponent(disposition.split("''")[1] ?? '')).toBe(name);
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });
});

describe('readers who leave', () => {
  const big = makeHeavy(3_000_000);
  beforeAll(() => upload('big.docx', big));

  /** Ends a request after so many bytes; before the answer has come when that is none. */
  function leaveAfter(
    bytes: number,
    url: string,
    options: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ) {
    const left = Promise.withResolvers<void>();
    const { body, ...rest } = options;
    const request = httpGet(url, { ...rest, agent: false }, (response) => {
      let read = 0;
      response.on('data', (piece: Buffer) => {
        read += piece.length;
        if (read >= bytes) response.destroy();
      });
      response.on('error', () => {});
    });
    request.on('error', () => {});
    request.on('close', () => left.resolve());
    if (body !== undefined) request.end(body);
    if (bytes === 0)
      request.on('socket', (socket) => socket.once('connect', () => setImmediate(() => request.destroy())));
    return left.promise;
  }

  test('200 downloads and streams cut off: the server lives, with no file left open', async () => {
    const link = (await linkTo('big.docx')).replace(app.config.publicUrl, app.url);
    const failures: unknown[] = [];
    const fail = (error: unknown) => failures.push(error);
    process.on('unhandledRejection', fail);
    process.on('uncaughtException', fail);
    try {
      for (let round = 0; round < 10; round++) {
        await Promise.all(
          Array.from({ length: 20 }, (_, i) =>
            i % 4 === 3
              ? leaveAfter(i % 8 === 3 ? 0 : 1, `${app.url}/v1/watchFiles`, {
                  method: 'POST',
                  headers: {
                    accept: 'text/event-stream',
                    'content-type': 'application/json',
                    authorization: `Bearer ${token}`,
                  },
                  body: '{"data":null}',
                })
              : leaveAfter([0, 1, 500_000][i % 3] ?? 0, link, i % 2 ? { headers: { Range: 'bytes=100-' } } : {}),
          ),
        );
      }
      const whole = await fetch(link);
      expect((await whole.arrayBuffer()).byteLength).toBe(big.length);
      if (process.platform === 'linux') {
        await expect.poll(() => openBelow(join(app.config.dataDir, 'files'))).toEqual([]);
      }
    } finally {
      process.off('unhandledRejection', fail);
      process.off('uncaughtException', fail);
    }
    expect(failures).toEqual([]);
    expect(logged).toBe('');
  });

  async function openBelow(folder: string): Promise<string[]> {
    const open = await readdir('/proc/self/fd');
    const targets = await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    return targets.filter((target) => target.startsWith(folder));
  }
});
