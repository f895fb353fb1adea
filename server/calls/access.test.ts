import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createClient } from '#client/client.ts';
import { defineCall } from '#contract/call.ts';
import { AppError } from '#contract/errors.ts';
import { and, eq } from '#server/db/drizzle.ts';
import { documents, users } from '#server/db/schema.ts';
import { createPeople, type People } from '#server/features/identity/people.ts';
import { openEmbeddedIdentity } from '#server/ports/identity/embedded.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { breakListening } from '#server/testing/hold.ts';
import { member, startTransport } from '#server/testing/transport.ts';

let app: TestApp;
let people: People;
beforeAll(async () => {
  app = await startTestApp();
  const { db, jobs } = app.app;
  people = createPeople({ db, jobs, provider: await openEmbeddedIdentity(db, app.config.publicUrl) });
});
afterAll(() => app.close());

async function newPeople(role: 'admin' | 'member') {
  const { company, admin } = await app.signUp();
  return { companyId: company.id, admin, person: await app.addMember(company, { role }) };
}

const remove = (companyId: string, { uid }: Person) =>
  app.app.db.asCompany(companyId, (tx) => people.removeUser(tx, { companyId, uid }));
const changeRole = (companyId: string, { uid }: Person, role: 'admin' | 'member') =>
  app.app.db.asCompany(companyId, (tx) => people.changeRole(tx, { companyId, uid }, role));

/** Opens the live list; answers its events as they come. */
async function watchFiles(token: string, of = app) {
  const response = await of.fetch('/v1/watchFiles', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${token}` },
    body: '{"data":null}',
  });
  const text = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const first = (await text?.read())?.value ?? '';
  let all = '';
  let told = Promise.withResolvers<void>();
  const readRest = async () => {
    for (let piece = await text?.read(); piece && !piece.done; piece = await text?.read()) {
      all += piece.value;
      told.resolve();
      told = Promise.withResolvers();
    }
    return all;
  };
  const rest = readRest();
  /** Resolves when the words have come, or the stream has ended without them. */
  const heard = async (words: string) => {
    let open = true;
    const ended = rest.then(() => {
      open = false;
    });
    while (open && !all.includes(words)) await Promise.race([told.promise, ended]);
    return all.includes(words);
  };
  return { first, rest, heard };
}

describe('an open stream', () => {
  test.each(['removed', 'given another role'] as const)('ends at once with the person %s', async (how) => {
    const { companyId, admin, person } = await newPeople('member');
    const [theirs, others] = [await watchFiles(person.token), await watchFiles(admin.token)];
    expect(theirs.first).toContain('"type":"files"');
    if (how === 'removed') await remove(companyId, person);
    else await changeRole(companyId, person, 'admin');
    expect(await theirs.rest).toContain('"code":"session-expired"');
    // That of another person goes on: it still hears what happens, here its own end.
    await changeRole(companyId, admin, 'member');
    expect(await others.rest).toContain('"code":"session-expired"');
  });

  test('ends where it was not heard that its person may go no further, and others are told all anew', async () => {
    const { admin, person } = await newPeople('member');
    const [theirs, others] = [await watchFiles(person.token), await watchFiles(admin.token)];
    // As if it had been told while nobody listened.
    await app.app.db.asSystem((tx) =>
      tx
        .update(users)
        .set({ tokensValidSince: new Date(Date.now() + 60_000) })
        .where(eq(users.id, person.uid)),
    );
    await breakListening(app.app.db);
    expect(await theirs.rest).toContain('"code":"session-expired"');
    expect(await others.heard('"type":"files"')).toBe(true);
  });

  test('does not begin for a person removed before', async () => {
    const { companyId, person } = await newPeople('member');
    await remove(companyId, person);
    expect((await watchFiles(person.token)).first).toContain('"code":"session-expired"');
  });
});

describe('too many streams of one person', () => {
  test('end the oldest with a reason, however many are opened at once; those of others go on', async () => {
    const small = await startTestApp({ maxStreamsPerPerson: 3 });
    try {
      const { company, admin } = await small.signUp();
      const other = await small.addMember(company);
      const theirs = await watchFiles(other.token, small);
      const first = await watchFiles(admin.token, small);
      const second = await watchFiles(admin.token, small);
      const more = await Promise.all(Array.from({ length: 3 }, () => watchFiles(admin.token, small)));
      for (const { rest } of [first, second]) {
        expect(await rest).toMatch(/"status":"RESOURCE_EXHAUSTED".*"code":"too-many-streams"/);
      }
      // The last three and the other person's hear of the next change.
      await createClient(small.url, admin.token).upload('Notes.txt', Buffer.from('Notes.'));
      for (const { heard } of [...more, theirs]) expect(await heard('Notes.txt')).toBe(true);
    } finally {
      await small.close();
    }
  });
});

const slow = defineCall({
  summary: 'Waits.',
  input: z.null(),
  output: z.null(),
  message: z.null(),
  access: 'member',
  scope: null,
  feature: null,
  idempotent: true,
});

test('a call of any kind that is under way ends with its person', async () => {
  const watchers = new Map<string, (reason: AppError) => void>();
  const started: (() => void)[] = [];
  const handler = (_: null, { signal }: { signal: AbortSignal }) => {
    for (const each of started.splice(0)) each();
    return new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
  };
  const transport = await startTransport(
    { slow },
    { slow: handler },
    {
      watchAccess: ({ userId }, ended) => {
        watchers.set(userId, ended);
        return () => void watchers.delete(userId);
      },
    },
  );
  for (const accept of ['application/json', 'text/event-stream']) {
    const begun = new Promise<void>((resolve) => started.push(resolve));
    const answer = transport.post('/v1/slow', '{"data":null}', {
      'content-type': 'application/json',
      accept,
      authorization: 'Bearer member',
    });
    await begun;
    expect(watchers.size).toBe(1);
    for (const ended of watchers.values()) ended(new AppError('session-expired'));
    expect(await (await answer).text()).toContain('"code":"session-expired"');
    // Nothing is left behind of a call that has ended.
    expect(watchers.size).toBe(0);
  }
  await transport.close();
});

test('who leaves while it is looked who they are is watched by nobody', async () => {
  let watched = 0;
  const [looked, known, limited, over] = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const transport = await startTransport(
    { slow },
    { slow: async () => null },
    {
      authenticate: async () => {
        looked?.resolve();
        await known?.promise;
        return member;
      },
      watchAccess: () => {
        watched += 1;
        return () => {
          watched -= 1;
        };
      },
      limit: async () => limited?.resolve(),
      observe: () => over?.resolve(),
    },
  );
  const leaving = new AbortController();
  const asked = fetch(`${transport.url}/v1/slow`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: 'Bearer member' },
    body: '{"data":null}',
    signal: leaving.signal,
  });
  await looked?.promise;
  leaving.abort();
  await expect(asked).rejects.toThrow();
  await over?.promise;
  known?.resolve();
  // What comes behind the watch.
  await limited?.promise;
  expect(watched).toBe(0);
  await transport.close();
});

describe('a running upload', () => {
  const size = 200_000;
  const tus = { 'Tus-Resumable': '1.0.0' };

  /** An upload of which the first half is under way, and the rest is sent when the test says so. */
  async function newUpload({ token }: Person) {
    const headers = { ...tus, Authorization: `Bearer ${token}` };
    const created = await app.fetch('/v1/uploads', {
      method: 'POST',
      headers: {
        ...headers,
        'Upload-Length': String(size),
        'Upload-Metadata': `filename ${Buffer.from('note.txt').toString('base64')}`,
      },
    });
    const location = created.headers.get('location') ?? '';
    const rest = Promise.withResolvers<void>();
    const bytes = new TextEncoder().encode('word '.repeat(size / 5));
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(bytes.subarray(0, size / 2));
        await rest.promise;
        controller.enqueue(bytes.subarray(size / 2));
        controller.close();
      },
    });
    const sending = app.fetch(location, {
      method: 'PATCH',
      headers: { ...headers, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
      body,
      ...{ duplex: 'half' },
    });
    // On the disk: asking by the protocol would interrupt what is being written.
    const file = join(app.config.dataDir, 'uploads', location.split('/').at(-1) ?? '');
    await expect.poll(async () => (await stat(file)).size).toBe(size / 2);
    return { sending, sendRest: rest.resolve };
  }

  const documentsOf = (companyId: string) =>
    app.app.db.asSystem((tx) => tx.select().from(documents).where(eq(documents.companyId, companyId)));

  test('goes on for a person who stays (or the next tests prove nothing)', async () => {
    const { companyId, person } = await newPeople('admin');
    const upload = await newUpload(person);
    upload.sendRest();
    expect((await upload.sending).status).toBe(200);
    expect(await documentsOf(companyId)).toHaveLength(1);
  });

  test('is cut when its person is removed', async () => {
    const { companyId, person } = await newPeople('admin');
    const upload = await newUpload(person);
    const cut = upload.sending.then(
      (response) => response.status,
      () => 'cut',
    );
    await remove(companyId, person);
    expect(await cut).toBe('cut');
    upload.sendRest();
    expect(await documentsOf(companyId)).toEqual([]);
  });

  test('makes no document when its person went without a word', async () => {
    const { companyId, person } = await newPeople('admin');
    const upload = await newUpload(person);
    // As when the notification is lost.
    await app.app.db.asSystem((tx) =>
      tx.delete(users).where(and(eq(users.companyId, companyId), eq(users.id, person.uid))),
    );
    upload.sendRest();
    expect((await upload.sending).status).toBe(401);
    expect(await documentsOf(companyId)).toEqual([]);
  });
});
