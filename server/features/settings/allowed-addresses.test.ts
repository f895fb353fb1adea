import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import type { CallInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { addressOf, mayComeFrom, parseRange } from '#server/calls/allowed-addresses.ts';
import { desc, eq } from '#server/db/drizzle.ts';
import { auditEvents, users } from '#server/db/schema.ts';
import { makeHeavy } from '#server/features/ingestion/fixtures.ts';
import { createLog } from '#server/http/log.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { goodPassword } from '#server/testing/factories.ts';
import fc from '#server/testing/fast-check.ts';
import { openUpload } from '#server/testing/open-upload.ts';
import { watchFiles } from '#server/testing/watch.ts';
import { allowAnyAddress } from './allowed-addresses.ts';

const office = '203.0.113.7';
const home = '198.51.100.20';
type Ranges = CallInput<'saveAllowedAddresses'>['ranges'];
const officeAlone: Ranges = [{ range: '203.0.113.0/24', note: 'Berlin office' }];

let app: TestApp;
beforeAll(async () => {
  // The tests speak as the proxy that tells where a request has come from.
  app = await startTestApp({ billing: 'stripe', trustProxy: '127.0.0.1' }, { log: createLog('silent') });
});
afterAll(() => app.close());

async function newCompany(plan: 'professional' | 'enterprise' = 'enterprise') {
  const { company, admin } = await app.signUp();
  await app.setSubscription(company.id, { state: 'active', plan });
  return { company, admin, member: await app.addMember(company) };
}

const from = (ip: string, { token }: { token?: string } = {}) =>
  createClient(app.url, token, { 'X-Forwarded-For': ip });
const save = (admin: Person, ranges: Ranges, ip = office) => from(ip, admin).call('saveAllowedAddresses', { ranges });
const outside = { code: 'address-not-allowed', status: 'PERMISSION_DENIED' };

async function eventsOf({ id }: { id: string }) {
  return app.app.db.asCompany(id, (tx) => tx.select().from(auditEvents).orderBy(desc(auditEvents.at)));
}

describe('a range', () => {
  test.each([
    ['203.0.113.0/24', '203.0.113.0/24'],
    [' 203.0.113.7 ', '203.0.113.7/32'],
    ['203.0.113.7/32', '203.0.113.7/32'],
    ['0.0.0.0/1', '0.0.0.0/1'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['2001:db8:0:0:0:0:0:1', '2001:db8::1/128'],
    // Whoever comes by IPv4 is met by that, however a proxy writes it.
    ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
  ])('%j is %s', (written, range) => expect(parseRange(written)).toBe(range));

  test.each([
    ['', 'is not an address or range of addresses'],
    ['office', 'is not an address or range of addresses'],
    ['203.0.113', 'is not an address or range of addresses'],
    ['203.0.113.0/', 'is not an address or range of addresses'],
    ['203.0.113.0/24/24', 'is not an address or range of addresses'],
    ['203.0.113.0-203.0.113.9', 'is not an address or range of addresses'],
    ['203.0.113.0/255.255.255.0', 'is not an address or range of addresses'],
    ['0x7f.0.0.1', 'is not an address or range of addresses'],
    ['3405803776', 'is not an address or range of addresses'],
    ['203.0.113.0/-1', 'is not an address or range of addresses'],
    ['fe80::1%eth0', 'is not an address or range of addresses'],
    ['fe80::1%eth0/64', 'is not an address or range of addresses'],
    ['203.0.113.0/33', 'ends with /32 at most'],
    ['2001:db8::/129', 'ends with /128 at most'],
    ['0.0.0.0/0', 'is every address there is'],
    ['::/0', 'is every address there is'],
    ['::ffff:0.0.0.0/96', 'is every address there is'],
    ['203.0.113.7/24', 'Did you mean 203.0.113.0/24?'],
    ['2001:db8::1/64', 'Did you mean 2001:db8::/64?'],
    ['::ffff:203.0.113.7/120', 'Did you mean 203.0.113.0/24?'],
  ])('%j is none, and it is said why', (written, why) => {
    expect(() => parseRange(written)).toThrow(why);
  });

  test('has every address that it begins like, and none else', () => {
    const ipv4 = fc.tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 1, max: 32 }), fc.nat(31));
    const written = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
    fc.assert(
      fc.property(ipv4, ([value, bits, flipped]) => {
        const base = (value & (-1 << (32 - bits))) >>> 0;
        const ranges = [{ range: parseRange(`${written(base)}/${bits}`), note: '' }];
        const other = (value ^ (1 << (31 - flipped))) >>> 0;
        expect(mayComeFrom(ranges, written(value))).toBe(true);
        expect(mayComeFrom(ranges, `::ffff:${written(value)}`)).toBe(true);
        expect(mayComeFrom(ranges, written(other))).toBe(flipped >= bits);
      }),
    );
  });

  test.each(['', 'unknown', '203.0.113', '1.2.3.4, 203.0.113.7', '::ffff:203.0.113.700'])(
    '%j is no address, and comes from nowhere',
    (ip) => {
      expect(addressOf(ip)).toBeNull();
      expect(mayComeFrom([{ range: '0.0.0.0/1', note: '' }], ip)).toBe(false);
      expect(mayComeFrom(null, ip)).toBe(true);
    },
  );

  test('of IPv6 has what is in it, also with the name of a network card behind it', () => {
    const ranges = [{ range: parseRange('2001:db8::/32'), note: '' }];
    expect(mayComeFrom(ranges, '2001:db8:1::7')).toBe(true);
    expect(mayComeFrom(ranges, '2001:db8:1::7%eth0')).toBe(true);
    expect(mayComeFrom(ranges, '2001:db9::7')).toBe(false);
    expect(mayComeFrom(ranges, '203.0.113.7')).toBe(false);
  });
});

describe('the list', () => {
  test('is saved, shown, changed and removed; the log tells what it was', async () => {
    const { company, admin } = await newCompany();
    const inOffice = from(office, admin);
    expect(await inOffice.call('getAllowedAddresses', null)).toEqual({ ranges: [], yourAddress: office });
    const saved = await save(admin, [...officeAlone, { range: '2001:db8::/32' }, { range: '203.0.113.0/24' }]);
    const ranges = [
      { range: '203.0.113.0/24', note: '' },
      { range: '2001:db8::/32', note: '' },
    ];
    expect(saved).toEqual({ ranges, yourAddress: office });
    expect(await inOffice.call('getAllowedAddresses', null)).toEqual(saved);
    await save(admin, officeAlone);
    expect((await inOffice.call('removeAllowedAddresses', null)).ranges).toEqual([]);
    const changes = (await eventsOf(company)).filter(({ action }) => action === 'allowed-addresses-changed');
    expect(changes.map(({ details, actorId, ip }) => ({ ...details, actorId, ip }))).toEqual(
      [
        { before: ['203.0.113.0/24 Berlin office'], after: [] },
        { before: ['203.0.113.0/24', '2001:db8::/32'], after: ['203.0.113.0/24 Berlin office'] },
        { before: [], after: ['203.0.113.0/24', '2001:db8::/32'] },
      ].map((details) => ({ ...details, actorId: admin.uid, ip: office })),
    );
    expect(await from(home, admin).call('getCompanyFiles', null)).toEqual([]);
  });

  test('is never saved without the own address of whoever saves it', async () => {
    const { admin } = await newCompany();
    const message = `Your own address, ${home}, has to be on the list, or you would lock yourself out.`;
    await expect(save(admin, officeAlone, home)).rejects.toMatchObject({ code: 'own-address-missing', message });
    expect((await from(home, admin).call('getAllowedAddresses', null)).ranges).toEqual([]);
    await save(admin, officeAlone);
    await expect(save(admin, [{ range: '198.51.100.0/24' }])).rejects.toMatchObject({ code: 'own-address-missing' });
    expect((await from(office, admin).call('getAllowedAddresses', null)).ranges).toHaveLength(1);
  });

  test('is not taken with what is no range, too many, or nothing in it', async () => {
    const { admin } = await newCompany();
    const wrong = save(admin, [...officeAlone, { range: '203.0.113.7/24' }]);
    const meant = { code: 'invalid-address-range', details: { meant: '203.0.113.0/24' } };
    await expect(wrong).rejects.toMatchObject({ ...meant, message: expect.stringContaining('"203.0.113.7/24"') });
    const many = (count: number) => Array.from({ length: count }, (_, n) => ({ range: `203.0.${n}.0/24` }));
    await expect(save(admin, many(114))).rejects.toMatchObject({ code: 'too-many-address-ranges' });
    await expect(save(admin, [])).rejects.toMatchObject({ code: 'invalid-input' });
    const note = 'x'.repeat(101);
    await expect(save(admin, [{ range: office, note }])).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(save(admin, [{ range: office, note: 'a\u0000b' }])).rejects.toMatchObject({ code: 'invalid-input' });
    expect((await save(admin, [...many(99), ...officeAlone])).ranges).toHaveLength(100);
  });

  test('is part of a plan; without it the list stays in force, and can be removed alone', async () => {
    const small = await newCompany('professional');
    await expect(save(small.admin, officeAlone)).rejects.toMatchObject({
      code: 'feature-not-in-plan',
      details: { plan: 'enterprise' },
    });
    const { company, admin, member } = await newCompany();
    await save(admin, officeAlone);
    for (const subscription of [
      { state: 'active', plan: 'professional' },
      { state: 'canceled', plan: 'enterprise' },
    ] as const) {
      await app.setSubscription(company.id, subscription);
      await expect(from(home, member).call('getCompanyFiles', null)).rejects.toMatchObject(outside);
      await expect(save(admin, [{ range: office }])).rejects.toMatchObject({ status: 'PERMISSION_DENIED' });
    }
    expect((await from(office, admin).call('getAllowedAddresses', null)).ranges).toHaveLength(1);
    await from(office, admin).call('removeAllowedAddresses', null);
    expect(await from(home, member).call('getCompanyFiles', null)).toEqual([]);
  });

  test('is taken away by the operator where nobody is left inside', async () => {
    const { company, admin } = await newCompany();
    expect(await allowAnyAddress(app.app.db, company.id)).toBe(false);
    await save(admin, officeAlone);
    expect(await allowAnyAddress(app.app.db, company.id)).toBe(true);
    expect(await from(home, admin).call('getCompanyFiles', null)).toEqual([]);
    const [event] = await eventsOf(company);
    expect(event).toMatchObject({ action: 'allowed-addresses-changed', actorId: null, via: 'service' });
  });
});

describe('whoever comes from elsewhere', () => {
  test('reads one sentence, and only once they have proved who they are; the log tells of it', async () => {
    const { company, admin, member } = await newCompany();
    await save(admin, officeAlone);
    const message = 'Your company lets people in from its own network alone. Please connect to it and try again.';
    const signIn = (password: string, ip: string) => from(ip).call('signIn', { email: member.email, password });
    await expect(signIn('not the password', home)).rejects.toMatchObject({ code: 'invalid-credentials' });
    await expect(signIn(goodPassword, home)).rejects.toMatchObject({ ...outside, message });
    await app.idle();
    const [event] = (await eventsOf(company)).filter(({ action }) => action === 'sign-in-refused');
    expect(event).toMatchObject({ actorId: member.uid, ip: home, via: 'password' });
    expect((await signIn(goodPassword, office)).user.uid).toBe(member.uid);
    await expect(from(home, member).call('getSession', null)).rejects.toMatchObject({ ...outside, message });
    // Other companies know nothing of it.
    const other = await newCompany();
    expect(await from(home, other.member).call('getCompanyFiles', null)).toEqual([]);
  });

  test('has not signed in: nothing is written down of it', async () => {
    const { admin, member } = await newCompany();
    await save(admin, officeAlone);
    const seen = () =>
      app.app.db.asSystem((tx) => tx.select({ at: users.lastSignInAt }).from(users).where(eq(users.id, member.uid)));
    const before = await seen();
    const refused = from(home).call('signIn', { email: member.email, password: goodPassword });
    await expect(refused).rejects.toMatchObject(outside);
    expect(await seen()).toEqual(before);
    expect(await from(office, member).call('listSessions', null)).toHaveLength(1);
  });

  test('can not say that they come from the office', async () => {
    const { admin, member } = await newCompany();
    await save(admin, officeAlone);
    for (const said of [`${office}, ${home}`, `${office},unknown, ${home}`, `${home}`]) {
      await expect(from(said, member).call('getCompanyFiles', null)).rejects.toMatchObject(outside);
    }
    for (const said of [`${home}, ${office}`, `[::ffff:${office}]:443`]) {
      expect(await from(said, member).call('getCompanyFiles', null)).toEqual([]);
    }
  });
});

describe('what is open when the list changes', () => {
  const watch = (person: Person, ip: string) => watchFiles(from(ip, person));

  test('ends at addresses that are not on it, and goes on at the others', async () => {
    const { admin, member } = await newCompany();
    const [atHome, inOffice] = [await watch(member, home), await watch(member, office)];
    const { admin: stranger, member: theirs } = await newCompany();
    const elsewhere = await watch(theirs, home);
    await save(admin, officeAlone);
    await expect(atHome.ended).rejects.toMatchObject(outside);
    // Those two hear of what happens later.
    for (const [watching, uploader] of [
      [inOffice, admin],
      [elsewhere, stranger],
    ] as const) {
      const known = watching.messages.length;
      await from(office, uploader).upload('Notes.txt', Buffer.from('Notes.'));
      await expect.poll(() => watching.messages.length).toBeGreaterThan(known);
    }
  });

  test('is cut: an upload, and the download of an original', async () => {
    const { company, admin } = await newCompany();
    const large = makeHeavy(24_000_000);
    await from(office, admin).upload('Large.docx', large);
    const gsUri = `gs://${app.config.bucket}/${company.id}/Large.docx`;
    const { url } = await from(office, admin).call('getFileLink', { gsUri });
    const get = (ip: string) => app.fetch(new URL(url).pathname, { headers: { 'X-Forwarded-For': ip } });
    const downloading = await get(home);
    // Without a proxy's word it is this machine that sends, which is not on the list either.
    const upload = await openUpload(app.url, admin.token, 'Notes.txt', 100);
    const held = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.alloc(10, 'word ')),
    });
    const sending = upload.send(0, held);
    const cut = () => 'cut';
    const uploaded = sending.then(({ status }) => status, cut);
    const file = join(app.config.dataDir, 'uploads', upload.id);
    await expect.poll(async () => (await stat(file)).size).toBe(10);
    await save(admin, officeAlone);
    // Read only now: more than fits between the two sides waits for its reader, and would be there before the list.
    const downloaded = downloading.arrayBuffer().then(() => 'all', cut);
    expect(await Promise.all([uploaded, downloaded])).toEqual(['cut', 'cut']);
    const refused = await get(home);
    expect([refused.status, await refused.text()]).toEqual([403, new AppError('address-not-allowed').message]);
    expect((await (await get(office)).arrayBuffer()).byteLength).toBe(large.length);
  });
});
