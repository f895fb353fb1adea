import { isIP } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditEvents } from '#server/db/schema.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { goodPassword } from '#server/testing/factories.ts';
import fc from '#server/testing/fast-check.ts';
import { sendAs } from '#server/testing/send-as.ts';
import { addressIn } from './forwarded.ts';
import { createLog } from './log.ts';

describe('an entry of X-Forwarded-For', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['2001:DB8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['[::FFFF:203.0.113.7]:80', '203.0.113.7'],
  ])('%j is %s', (entry, address) => expect(addressIn(entry)).toBe(address));

  test.each([
    '',
    'unknown',
    '_hidden',
    '203.0.113',
    '203.0.113.256',
    '1e3',
    '0x7f.1',
    'fe80::1%<script>',
    '[]',
    '[x]:1',
  ])('%j is none', (entry) => expect(addressIn(entry)).toBeNull());

  test('is an address or nothing, whatever it is', () => {
    const hostile = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.string({ unit: fc.constantFrom(...'[]:.%0f1 ') }));
    fc.assert(fc.property(hostile, (entry) => isIP(addressIn(entry) ?? '::1') > 0));
  });
});

describe.each([
  ['on', true],
  ['the address of the proxy', '127.0.0.1, ::1'],
  ['one proxy', (_: string, hop: number) => hop < 1],
] as const)('with TRUST_PROXY as %s', (_, trustProxy) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ trustProxy }, { log: createLog('silent') });
  });
  afterAll(() => app.close());

  test.each([
    ['198.51.100.7', '198.51.100.7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ["<script>alert('x')</script>", '127.0.0.1'],
    ['', '127.0.0.1'],
    ['203.0.113.9, not an address', '127.0.0.1'],
    ['not an address, 198.51.100.7', '198.51.100.7'],
    [`${'x'.repeat(50)}, 198.51.100.8`, '198.51.100.8'],
  ])('whoever comes as %j is written down as %s', async (forwarded, address) => {
    const { admin, company } = await app.signUp();
    const { status } = await sendAs(
      `${app.url}/v1/signIn`,
      { 'content-type': 'application/json', 'x-forwarded-for': forwarded },
      { method: 'POST', body: JSON.stringify({ data: { email: admin.email, password: goodPassword } }) },
    );
    expect(status).toBe(200);
    const events = await app.app.db.asCompany(company.id, (tx) => tx.select().from(auditEvents));
    const signIns = events.filter(({ action }) => action === 'signed-in').map(({ ip }) => ip);
    expect(signIns.toSorted()).toEqual(['127.0.0.1', address].toSorted());
  });
});
