import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { maxPersonalKeys } from '#contract/api-keys.ts';
import type { CallInput, CallMessage } from '#contract/calls.ts';
import { eq, sql } from '#server/db/drizzle.ts';
import { apiKeys, auditEvents, companies } from '#server/db/schema.ts';
import { callRates, type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { here, unbilled } from '#server/testing/identity.ts';
import { insertKey } from '#server/testing/keys.ts';
import { createApiKeys } from './api-keys.ts';
import { createKeyAuthentication } from './authenticate-key.ts';
import { newKey } from './format.ts';

let app: TestApp;
let company: { id: string };
let admin: Person;
beforeAll(async () => {
  app = await startTestApp();
  ({ company, admin } = await app.signUp());
});
afterAll(() => app.close());

const as = (token: string) => ({ token });
const create = (token: string, input: Partial<CallInput<'createApiKey'>> = {}) =>
  app.call('createApiKey', { name: 'Script', kind: 'personal', scope: 'read', ...input }, as(token));
const list = (token: string) => app.call('listApiKeys', null, as(token));
const asked = (text: string) => ({ history: [{ role: 'user' as const, parts: [{ text }] }] });

/** Follows the live list; resolves once its first message has come. */
async function follow(token: string) {
  const told: CallMessage<'watchFiles'>[] = [];
  let more = Promise.withResolvers<void>();
  const hear = (message: CallMessage<'watchFiles'>) => {
    told.push(message);
    more.resolve();
    more = Promise.withResolvers();
  };
  let hasEnded = false;
  const ended = createClient(app.url, token)
    .stream('watchFiles', null, hear)
    .then(
      () => 'ended',
      (error) => String(error.code),
    )
    .finally(() => {
      hasEnded = true;
    });
  /** Whether it goes on until these words have come. */
  const hears = async (words: string) => {
    while (!hasEnded && !JSON.stringify(told).includes(words)) await Promise.race([more.promise, ended]);
    return !hasEnded;
  };
  expect(await hears('"type":"files"')).toBe(true);
  return { ended, hears };
}

describe('a key that is made', () => {
  test('is told once, and kept as its hash alone', async () => {
    const { keyId, key } = await create(admin.token, { name: 'Kept' });
    const [row] = await app.app.db.asSystem((tx) => tx.select().from(apiKeys).where(eq(apiKeys.id, keyId)));
    const secret = key.slice(16);
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(row?.hash).toHaveLength(32);
    expect(JSON.stringify(await list(admin.token))).not.toContain(secret);
    const events = await app.app.db.asCompany(company.id, (tx) => tx.select().from(auditEvents));
    expect(JSON.stringify(events)).not.toContain(secret);
    expect(events.find(({ action, target }) => action === 'api-key-created' && target === 'Kept')).toMatchObject({
      actorId: admin.uid,
      via: 'session',
      details: { kind: 'personal', scope: 'read', keyId },
    });
  });

  test('ends after 90 days unless said otherwise, and never by an admin alone', async () => {
    const member = await app.addMember(company);
    const daysOf = async (token: string, keyId: string) => {
      const { expiresAt } = (await list(token)).find((each) => each.keyId === keyId) ?? {};
      return expiresAt && Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000);
    };
    expect(await daysOf(member.token, (await create(member.token)).keyId)).toBe(90);
    expect(await daysOf(member.token, (await create(member.token, { expiresInDays: 7 })).keyId)).toBe(7);
    expect(await daysOf(admin.token, (await create(admin.token, { expiresInDays: null })).keyId)).toBeUndefined();
    const never = create(member.token, { expiresInDays: null });
    await expect(never).rejects.toMatchObject({ code: 'permission-denied' });
    await expect(create(admin.token, { expiresInDays: 366 })).rejects.toMatchObject({ code: 'invalid-input' });
  });

  test('is the company’s by an admin alone, and has a role and collections where it is', async () => {
    const member = await app.addMember(company);
    const companys = { kind: 'company' } as const;
    await expect(create(member.token, companys)).rejects.toMatchObject({ code: 'permission-denied' });
    await expect(create(admin.token, { role: 'admin' })).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(create(admin.token, { collectionIds: [] })).rejects.toMatchObject({ code: 'invalid-input' });
    const wide: Partial<CallInput<'createApiKey'>> = { ...companys, role: 'admin', collectionIds: [] };
    await expect(create(admin.token, wide)).rejects.toMatchObject({ code: 'invalid-input' });
    const absent = { ...companys, collectionIds: [admin.uid] };
    await expect(create(admin.token, absent)).rejects.toMatchObject({ code: 'collection-not-found' });
    const { keyId } = await create(admin.token, companys);
    expect(await list(admin.token)).toContainEqual(
      expect.objectContaining({ keyId, role: 'member', own: false, createdBy: admin.email }),
    );
  });

  test('asks for a recent sign-in, which no key is', async () => {
    const { key } = await insertKey(app.app.db, company.id, { uid: admin.uid, scope: 'admin' });
    await expect(create(key)).rejects.toMatchObject({ code: 'not-for-api-keys' });
    const { id: companyId } = company;
    const by = { companyId, userId: admin.uid, email: admin.email, role: 'admin', ip: '127.0.0.1' } as const;
    const input = { name: 'Late', kind: 'personal', scope: 'read', expiresInDays: 1 } as const;
    const make = (minutesAgo: number) => {
      const authenticatedAt = new Date(Date.now() - minutesAgo * 60_000);
      return createApiKeys({ db: app.app.db }).create({ ...by, authenticatedAt, entitlements: unbilled() }, input);
    };
    await expect(make(16)).rejects.toMatchObject({ code: 'recent-sign-in-required' });
    expect((await make(14)).key).toMatch(/^fn_/);
  });

  test('is one of so many, also of those that are made at once', async () => {
    const { admin: by } = await app.signUp();
    const made = await Promise.allSettled(Array.from({ length: maxPersonalKeys + 3 }, () => create(by.token)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxPersonalKeys);
    await expect(create(by.token)).rejects.toMatchObject({ code: 'too-many-api-keys' });
    const [first] = await list(by.token);
    await app.call('revokeApiKey', { keyId: first?.keyId ?? '' }, as(by.token));
    await create(by.token);
  });
});

describe('a bearer', () => {
  test('with a wrong checksum is refused without asking the database; one that is unknown or wrong alike', async () => {
    const statements: unknown[] = [];
    const { db } = app.app;
    const authenticate = createKeyAuthentication({
      db: {
        statement: (each) => {
          statements.push(each);
          return db.statement(each);
        },
      },
      entitlements: unbilled,
      secondFactorsAreOurs: true,
    });
    const { key } = await insertKey(db, company.id);
    const refused = { code: 'invalid-api-key', message: expect.any(String) };
    for (const wrong of [`${key.slice(0, -1)}-`, key.slice(0, -1), key.toUpperCase(), 'fn_', `${key}0`]) {
      await expect(authenticate(wrong, here)).rejects.toMatchObject(refused);
    }
    expect(statements).toEqual([]);
    const unknown = await authenticate(newKey().key, here).catch((error) => error);
    // The id of ours, and the secret of another, with a checksum that is right.
    const stolen = newKey();
    await db.asSystem((tx) =>
      tx
        .update(apiKeys)
        .set({ publicId: stolen.publicId })
        .where(eq(apiKeys.publicId, key.slice(3, 15))),
    );
    const wrong = await authenticate(stolen.key, here).catch((error) => error);
    expect(wrong.toWire()).toEqual(unknown.toWire());
    expect(wrong.code).toBe('invalid-api-key');
    expect(statements).toHaveLength(2);
  });

  test('is used, which is written down to the minute', async () => {
    let now = new Date();
    const { db } = app.app;
    const authenticate = createKeyAuthentication({
      db,
      entitlements: unbilled,
      secondFactorsAreOurs: true,
      clock: () => now,
    });
    const { key, keyId } = await insertKey(db, company.id);
    const lastUsed = async () => (await list(admin.token)).find((each) => each.keyId === keyId)?.lastUsedAt;
    expect(await lastUsed()).toBeUndefined();
    await authenticate(key, here);
    const first = now.toISOString();
    expect(await lastUsed()).toBe(first);
    now = new Date(now.getTime() + 59_000);
    await authenticate(key, here);
    expect(await lastUsed()).toBe(first);
    now = new Date(now.getTime() + 1000);
    await authenticate(key, here);
    expect(await lastUsed()).toBe(now.toISOString());
  });

  test('is refused from outside of its company’s addresses, and from there alone', async () => {
    const { company: other, admin: by } = await app.signUp();
    const { db } = app.app;
    const authenticate = createKeyAuthentication({ db, entitlements: unbilled, secondFactorsAreOurs: true });
    const { key } = await insertKey(db, other.id, { uid: by.uid });
    const allowedAddresses = [{ range: '203.0.113.0/24', note: '' }];
    await db.asSystem((tx) => tx.update(companies).set({ allowedAddresses }).where(eq(companies.id, other.id)));
    await expect(authenticate(key, here)).rejects.toMatchObject({ code: 'address-not-allowed' });
    expect(await authenticate(key, { ip: '203.0.113.7' })).toMatchObject({ userId: by.uid });
    const unknown = authenticate(newKey().key, { ip: '203.0.113.7' });
    await expect(unknown).rejects.toMatchObject({ code: 'invalid-api-key' });
  });

  test('ends at its moment', async () => {
    let now = new Date();
    const { db } = app.app;
    const options = { db, entitlements: unbilled, secondFactorsAreOurs: true, clock: () => now };
    const authenticate = createKeyAuthentication(options);
    const { key } = await insertKey(db, company.id, { expiresAt: new Date(now.getTime() + 1000) });
    expect(await authenticate(key, here)).toMatchObject({ role: 'member' });
    now = new Date(now.getTime() + 1000);
    await expect(authenticate(key, here)).rejects.toMatchObject({ code: 'invalid-api-key' });
  });
});

describe('a personal key', () => {
  test('is dead with its person, in what it has open too', async () => {
    const member = await app.addMember(company);
    const { key } = await create(member.token);
    const stream = await follow(key);
    await app.call('deleteUser', { userIdToDelete: member.uid }, as(admin.token));
    expect(await stream.ended).toBe('invalid-api-key');
    await expect(app.call('getCompanyFiles', null, as(key))).rejects.toMatchObject({ code: 'invalid-api-key' });
  });

  test('has the role that its person has at each call', async () => {
    const person = await app.addMember(company);
    const { key } = await create(person.token, { scope: 'admin' });
    const listUsers = () => app.call('listUsers', null, as(key));
    await expect(listUsers()).rejects.toMatchObject({ code: 'permission-denied' });
    await app.call('setUserRole', { uid: person.uid, role: 'admin' }, as(admin.token));
    expect(await listUsers()).not.toEqual([]);
    await app.call('setUserRole', { uid: person.uid, role: 'member' }, as(admin.token));
    await expect(listUsers()).rejects.toMatchObject({ code: 'permission-denied' });
  });

  test('goes on in what it has open where a change of its person leaves it as it was', async () => {
    const person = await app.addMember(company);
    const { key } = await create(person.token);
    const stream = await follow(key);
    const { db } = app.app;
    await db.asSystem((tx) => db.notify(tx, 'people', { userId: person.uid }));
    await createClient(app.url, admin.token).upload('After a change.md', Buffer.from('# Still here\n'));
    expect(await stream.hears('After a change.md')).toBe(true);
    await app.call('setUserRole', { uid: person.uid, role: 'admin' }, as(admin.token));
    expect(await stream.ended).toBe('invalid-api-key');
  });

  test('does not end with the sessions of its person', async () => {
    const person = await app.addMember(company);
    const { key } = await create(person.token);
    const stream = await follow(key);
    const other = await app.call('signIn', { email: person.email, password: person.password });
    await app.call('endOtherSessions', null, as(other.idToken));
    await expect(list(person.token)).rejects.toMatchObject({ code: 'session-expired' });
    await createClient(app.url, admin.token).upload('After sessions.md', Buffer.from('# Still here\n'));
    expect(await stream.hears('After sessions.md')).toBe(true);
    // It goes on until it is revoked itself.
    const [{ keyId } = { keyId: '' }] = await list(other.idToken);
    await app.call('revokeApiKey', { keyId }, as(other.idToken));
    expect(await stream.ended).toBe('invalid-api-key');
  });

  test('of somebody who lacks the second factor that the company asks for is refused', async () => {
    const { company: other, admin: by } = await app.signUp();
    const { key } = await insertKey(app.app.db, other.id, { uid: by.uid });
    const { key: companys } = await insertKey(app.app.db, other.id);
    expect(await app.call('getCompanyFiles', null, as(key))).toEqual([]);
    await app.app.db.asSystem((tx) =>
      tx.execute(sql`update companies set second_factor_required = true where id = ${other.id}`),
    );
    const files = app.call('getCompanyFiles', null, as(key));
    await expect(files).rejects.toMatchObject({ code: 'second-factor-missing' });
    expect(await app.call('getCompanyFiles', null, as(companys))).toEqual([]);
  });
});

describe('a key that is revoked', () => {
  test('is refused at once, and its stream ends; those of another key and of its person go on', async () => {
    const person = await app.addMember(company);
    const [first, second] = [await create(person.token), await create(person.token)];
    const [gone, other, own] = [await follow(first.key), await follow(second.key), await follow(person.token)];
    await app.call('revokeApiKey', { keyId: first.keyId }, as(person.token));
    expect(await gone.ended).toBe('invalid-api-key');
    await expect(app.call('getCompanyFiles', null, as(first.key))).rejects.toMatchObject({ code: 'invalid-api-key' });
    await createClient(app.url, admin.token).upload('Still.md', Buffer.from('# Still here\n'));
    expect(await Promise.all([other.hears('Still.md'), own.hears('Still.md')])).toEqual([true, true]);
    await expect(app.call('revokeApiKey', { keyId: first.keyId }, as(person.token))).rejects.toMatchObject({
      code: 'api-key-not-found',
    });
    await app.call('deleteUser', { userIdToDelete: person.uid }, as(admin.token));
    expect(await Promise.all([other.ended, own.ended])).toEqual(['invalid-api-key', 'session-expired']);
  });

  test('is one’s own, or for admins anybody’s of the company', async () => {
    const [one, two] = [await app.addMember(company), await app.addMember(company)];
    const { keyId } = await create(one.token, { name: 'Of one' });
    const companys = await create(admin.token, { kind: 'company', name: 'Of all' });
    for (const id of [keyId, companys.keyId]) {
      expect((await list(two.token)).map((each) => each.keyId)).not.toContain(id);
      const revoked = app.call('revokeApiKey', { keyId: id }, as(two.token));
      await expect(revoked).rejects.toMatchObject({ code: 'api-key-not-found' });
    }
    expect(await list(admin.token)).toContainEqual(
      expect.objectContaining({ keyId, own: false, person: { uid: one.uid, email: one.email } }),
    );
    const stream = await follow(companys.key);
    for (const id of [keyId, companys.keyId]) await app.call('revokeApiKey', { keyId: id }, as(admin.token));
    expect(await stream.ended).toBe('invalid-api-key');
    expect(await list(one.token)).toEqual([]);
  });
});

describe('wherever a bearer goes', () => {
  test('files are uploaded, found, asked about and opened by a key, until it is revoked', async () => {
    const { company: other, admin: by } = await app.signUp();
    const { key, keyId } = await create(by.token, { kind: 'company', role: 'admin', scope: 'write', name: 'Loader' });
    const client = createClient(app.url, key);
    const { documentId } = await client.upload('Ferry.md', Buffer.from('# Ferry\n\nThe ferry leaves at dawn.\n'));
    await app.idle();
    const [file] = await client.call('getCompanyFiles', null);
    expect(file).toMatchObject({ id: documentId, state: 'ready' });
    const { sources, queryId } = await client.stream('query', asked('When does the ferry leave?'), () => {});
    expect(sources[0]?.documentId).toBe(documentId);
    expect((await client.call('searchPassages', { query: 'ferry' })).passages).toHaveLength(1);
    await client.call('rateAnswer', { queryId, rating: 'up' });
    const { url } = await client.call('getFileLink', { gsUri: `gs://${file?.bucket}/${file?.path}` });
    expect(await (await app.fetch(url)).text()).toContain('leaves at dawn');

    const events = await app.app.db.asCompany(other.id, (tx) => tx.select().from(auditEvents));
    const byKey = events.filter(({ details }) => details.apiKeyId === keyId);
    expect(byKey.map(({ action, via, actorId, actorEmail }) => [action, via, actorId, actorEmail]).sort()).toEqual(
      ['file-opened', 'file-uploaded', 'question-asked'].map((action) => [action, 'api-key', keyId, 'Loader']),
    );
    const { events: told } = await app.call('getAuditLog', { userId: keyId }, as(by.token));
    expect(told.map(({ via, about }) => [via, about])).toContainEqual(['api-key', expect.stringContaining('Loader')]);

    await app.call('revokeApiKey', { keyId }, as(by.token));
    expect((await app.fetch(url)).status).toBe(404);
    const again = client.upload('More.md', Buffer.from('More.'));
    await expect(again).rejects.toMatchObject({ code: 'invalid-api-key' });
  });

  test('what is asked and searched by a key is counted by it, and a company’s key is nobody', async () => {
    const { admin: by } = await app.signUp();
    const personal = await create(by.token, { name: 'Mine' });
    const companys = await create(by.token, { kind: 'company', name: 'Ours' });
    for (const { key } of [personal, companys, companys])
      await app.call('query', asked('When does the ferry leave?'), as(key));
    await app.call('searchPassages', { query: 'ferry' }, as(companys.key));
    await app.call('query', asked('When does the ferry leave?'), as(by.token));
    await app.call('revokeApiKey', { keyId: companys.keyId }, as(by.token));
    const { today } = await app.call('getAnalytics', { from: '2026-01-01', to: '2026-01-02' }, as(by.token));
    const days = { from: today, to: today };
    const told = await app.call('getAnalytics', days, as(by.token));
    expect(told).toMatchObject({ asked: 4, people: 1, unansweredQuestions: [{ count: 4, people: 1 }] });
    expect(told.keys).toEqual([
      { keyId: companys.keyId, name: 'Ours', kind: 'company', asked: 2, searched: 1 },
      { keyId: personal.keyId, name: 'Mine', kind: 'personal', person: by.email, asked: 1, searched: 0 },
    ]);
    const { people } = await app.call('listAskers', days, as(by.token));
    expect(people.map(({ userId, asked: count }) => [userId, count])).toEqual([[by.uid, 2]]);
    const mine = await app.call('getAnalytics', { ...days, userId: by.uid }, as(by.token));
    expect(mine.keys?.map(({ name }) => name)).toEqual(['Mine']);
    await app.call('updateAnalyticsSettings', { showNames: false }, as(by.token));
    const unnamed = await app.call('getAnalytics', days, as(by.token));
    expect(unnamed.keys?.map(({ name, person }) => [name, person])).toEqual([
      ['Ours', undefined],
      ['Personal key', undefined],
    ]);
  });
});

describe('a company’s key', () => {
  test('sees what everyone sees, or the collections that it is kept within, and what is in none', async () => {
    const { admin: by } = await app.signUp();
    const client = createClient(app.url, by.token);
    const collection = async (name: string, access: 'everyone' | 'restricted') => {
      const { collectionId } = await client.call('createCollection', { name, access });
      await client.upload(
        `${name}.md`,
        Buffer.from(`# ${name}\n\nThe ferry of ${name} leaves at dawn.\n`),
        'replace',
        collectionId,
      );
      return collectionId;
    };
    await client.upload('None.md', Buffer.from('# None\n\nThe ferry of nobody leaves at dawn.\n'));
    const open = await collection('Open', 'everyone');
    const companys = { kind: 'company' } as const;
    const seenBy = async (input: Partial<CallInput<'createApiKey'>>) => {
      const { key } = await create(by.token, { ...companys, ...input });
      const files = await app.call('getCompanyFiles', null, as(key));
      const { passages } = await app.call('searchPassages', { query: 'When does the ferry leave?' }, as(key));
      const names = files.map(({ name }) => name).sort();
      expect([...new Set(passages.map(({ name }) => name))].sort()).toEqual(names);
      return names.map((name) => name.replace('.md', '')).join();
    };
    await app.idle();
    // Nothing is restricted yet: it is kept within what it is for all the same.
    expect(await seenBy({ collectionIds: [] })).toBe('None');
    const board = await collection('Board', 'restricted');
    const works = await collection('Works', 'restricted');
    await app.idle();
    expect(await seenBy({})).toBe('None,Open');
    expect(await seenBy({ collectionIds: [board] })).toBe('Board,None');
    expect(await seenBy({ collectionIds: [works, open] })).toBe('None,Open,Works');
    expect(await seenBy({ collectionIds: [works, open, board] })).toBe('Board,None,Open,Works');
    expect(await seenBy({ role: 'admin' })).toBe('Board,None,Open,Works');
    // With its collection a key loses what it saw there, and gains nothing.
    const { key } = await create(by.token, { ...companys, collectionIds: [board] });
    await client.call('deleteCollection', { collectionId: board, moveTo: works });
    expect((await app.call('getCompanyFiles', null, as(key))).map(({ name }) => name)).toEqual(['None.md']);
    const collections = await app.call('listCollections', null, as(key));
    expect(collections.map(({ documents }) => documents)).toEqual([1]);
  });
});

test('a key has the share of a person, and all keys of a person one; the company has its own', async () => {
  const small = await startTestApp({ callRates: callRates(3, 5) }, { limitsClock: () => 0 });
  try {
    const { company: other, admin: by } = await small.signUp();
    const { db } = small.app;
    const read = async (key: string) => {
      const client = createClient(small.url, key);
      return client.call('listCollections', null).then(
        () => 'read',
        (error) => error.code,
      );
    };
    const mine = [await insertKey(db, other.id, { uid: by.uid }), await insertKey(db, other.id, { uid: by.uid })];
    const companys = [await insertKey(db, other.id), await insertKey(db, other.id)];
    const said: string[] = [];
    for (const { key } of [...mine, ...mine]) said.push(await read(key));
    expect(said).toEqual(['read', 'read', 'read', 'too-many-requests']);
    expect(await read(by.token)).toBe('too-many-requests');
    const more: string[] = [];
    for (const { key } of [...companys, ...companys]) more.push(await read(key));
    expect(more).toEqual(['read', 'read', 'too-many-requests', 'too-many-requests']);
  } finally {
    await small.close();
  }
});
