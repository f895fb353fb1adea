import { expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { startTestApp } from '#server/testing/app.ts';
import { goodPassword, uniqueEmail } from '#server/testing/factories.ts';
import { fuzzService } from '#server/testing/fuzz-service.ts';

// Ten thousand of them, and more: node scripts/openapi/fuzz.ts.

test('hundreds of requests made of the document are done or refused, never failed at', async () => {
  const app = await startTestApp();
  const { company, admin } = await app.signUp();
  const member = await app.addMember(company);
  await createClient(app.url, admin.token).upload(
    'Rules.md',
    Buffer.from('# Rules\n\nThe key hangs behind the door.\n'),
  );
  const as = { token: admin.token };
  const { key } = await app.call('createApiKey', { name: 'Fuzz', kind: 'personal', scope: 'admin' }, as);
  await app.idle();
  const bearers = [admin.token, key, member.token, null];
  const { sent, answers, faults } = await fuzzService({ url: app.url, bearers }, { count: 400, seed: 50 });
  expect(faults).toEqual([]);
  expect(sent).toBe(400);
  // It got past the doors.
  expect(answers.ok).toBeGreaterThan(40);
  expect(answers['invalid-input']).toBeGreaterThan(40);
  await app.close();
});

test('a character that the database can not hold is refused wherever it is sent, and is no failure', async () => {
  const app = await startTestApp({ signup: 'open' });
  const { admin } = await app.signUp();
  const as = { token: admin.token };
  const nul = 'a\0b';
  const history = [{ role: 'user' as const, parts: [{ text: 'Where is the key?' }] }];
  const account = { companyName: 'Example', email: uniqueEmail('nul'), password: goodPassword };
  const sent = [
    app.call('beginSingleSignOn', { email: nul }),
    app.call('signUp', { ...account, timeZone: nul }),
    app.call('endSession', { sessionId: nul }, as),
    app.call('createApiKey', { name: nul, kind: 'personal', scope: 'read' }, as),
    app.call('query', { history, filters: { tags: [nul] } }, as),
    app.call('searchPassages', { query: 'key', filters: { tags: [nul] } }, as),
    app.call('getAuditLog', { text: nul }, as),
    app.call('exportAuditLog', { text: nul, format: 'csv' }, as),
  ];
  for (const each of await Promise.allSettled(sent))
    expect(each).toMatchObject({ status: 'rejected', reason: { code: 'invalid-input' } });
  await app.close();
});
