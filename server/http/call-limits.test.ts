import { afterEach, describe, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import type { CallInput, CallName } from '#contract/calls.ts';
import { callRates, type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { insertDocument } from '#server/testing/factories.ts';
import { rates } from '#server/testing/rates.ts';
import { rawTus } from '#server/testing/tus.ts';

let app: TestApp;
afterEach(() => app.close());

/** Makes the call so often at once; answers how many were let through and what the others were told. */
async function flood<Name extends CallName>(times: number, name: Name, input: CallInput<Name>, { token }: Person) {
  const outcomes = await Promise.all(
    Array.from({ length: times }, () =>
      app.call(name, input, { token }).then(
        () => null,
        (error: { code: string; status: string; details: Record<string, unknown> }) =>
          error.code === 'too-many-requests' ? error : null,
      ),
    ),
  );
  const refused = outcomes.filter((each) => each !== null);
  for (const { status, details } of refused) {
    expect(status).toBe('RESOURCE_EXHAUSTED');
    expect(details.retryAfterSeconds).toBeGreaterThan(0);
  }
  return times - refused.length;
}

/** With a clock that stands still: no window ends while the calls are made. */
async function start(overrides: Parameters<typeof startTestApp>[0]) {
  app = await startTestApp(overrides, { limitsClock: () => Date.UTC(2026, 0, 1) });
  const { company, admin } = await app.signUp();
  return { company, admin, members: [await app.addMember(company), await app.addMember(company)] as const };
}

const question = { history: [{ role: 'user' as const, parts: [{ text: 'Why?' }] }] };

describe('a person', () => {
  test('has so many calls of each kind in a minute, whatever comes at once', async () => {
    const { company, admin, members } = await start({ callRates: callRates(5, 100) });
    const [member] = members;
    const { documentId, path } = await insertDocument(app.app.db, company, { text: 'The key hangs behind the door.' });
    const gsUri = `gs://${app.config.bucket}/${path}`;
    expect(await flood(12, 'query', question, member)).toBe(5);
    expect(await flood(12, 'searchPassages', { query: 'key' }, member)).toBe(5);
    expect(await flood(12, 'getFileLink', { gsUri }, member)).toBe(5);
    // The same kind: nothing is left.
    expect(await flood(3, 'getReadingView', { documentId, version: 1, from: 0, limit: 10 }, member)).toBe(0);
    expect(await flood(3, 'getSuggestedQuestions', null, member)).toBe(0);
    expect(await flood(12, 'setFileTags', { documentId, tags: ['a'] }, admin)).toBe(5);
    // Another person has a share of their own.
    expect(await flood(3, 'query', question, members[1])).toBe(3);
  });

  test('has none used up by a question that is sent again with its key, and sends it as often as they read', async () => {
    const { admin } = await start({ callRates: callRates(1, 100) });
    const client = createClient(app.url, admin.token);
    const sending = { idempotencyKey: 'once' };
    const first = await client.call('query', question, sending);
    expect(await client.call('query', question, sending)).toEqual(first);
    const spent = { code: 'too-many-requests' };
    await expect(client.call('query', question)).rejects.toMatchObject(spent);
    await expect(client.call('query', question, sending)).rejects.toMatchObject(spent);
  });

  test('has so many requests of uploads', async () => {
    const { admin } = await start({ callRates: callRates(4, 100) });
    const tus = rawTus(app, admin.token);
    const replies = await Promise.all(Array.from({ length: 9 }, (_, n) => tus.begin(`${n}.txt`, { size: 10 })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(4);
    const [refused] = replies.filter(({ status }) => status !== 201);
    expect(refused?.status).toBe(429);
    expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0);
  });
});

test('a company has a share, of which the refused calls of one person take nothing', async () => {
  const { members } = await start({ callRates: callRates(5, 8) });
  expect(await flood(40, 'searchPassages', { query: 'key' }, members[0])).toBe(5);
  expect(await flood(10, 'searchPassages', { query: 'key' }, members[1])).toBe(3);
  // Other companies do not notice.
  const { admin } = await app.signUp();
  expect(await flood(4, 'searchPassages', { query: 'key' }, admin)).toBe(4);
});

test('an address renews so many sessions', async () => {
  await start({ rates: { ...rates, refreshesPerMinute: 3 } });
  const renewals = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const reply = await app.fetch('/v1/refreshSession', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: app.config.publicUrl },
        body: '{"data":null}',
      });
      return reply.status;
    }),
  );
  expect(renewals.toSorted()).toEqual([401, 401, 401, 429, 429, 429, 429, 429]);
});
