import { createServer as createEncryptedServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Client, createClient } from '#client/client.ts';
import type { CallOutput } from '#contract/calls.ts';
import { failingDays } from '#contract/webhooks.ts';
import { createOutbound } from '#server/lib/outbound.ts';
import { outboundAllowed } from '#server/lib/public-address.ts';
import { openSealer } from '#server/lib/sealed.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { certificate } from '#server/testing/certificate.ts';
import { type Receiver, startReceiver } from '#server/testing/webhooks.ts';
import { createDelivery } from './deliver.ts';
import { tell } from './outbox.ts';

const minutes = 60_000;
const hours = 60 * minutes;
const days = 24 * hours;

let app: TestApp;
let receiver: Receiver;
let aheadMs = 0;
let number = 0;
const clock = () => new Date(Date.now() + aheadMs);
const later = (ms: number) => {
  aheadMs += ms;
};
/** What the name of a receiver leads to, look by look; the last for good. */
let looks: string[] = [];
const resolve = async () => [(looks.length > 1 ? looks.shift() : looks[0]) ?? ''];
const allowed = () =>
  outboundAllowed(`${receiver.origin}, 127.0.0.1`) ?? { ranges: [], hosts: new Set(), origins: new Set() };

/** One test waits for as long; with much less a busy machine would be taken for a receiver that hangs. */
const timeoutMs = 10_000;

beforeAll(async () => {
  receiver = await startReceiver();
  app = await startTestApp(
    { outboundAllowed: allowed() },
    { webhooks: { clock, outbound: { timeoutMs, connectTimeoutMs: timeoutMs, resolve } } },
  );
});
// Things happen now: each test begins there.
beforeEach(() => {
  aheadMs = 0;
});
afterAll(async () => {
  await app.close();
  await receiver.close();
  expect(receiver.faults).toEqual([]);
});

interface Company {
  id: string;
  admin: Person;
  client: Client;
}

interface Hook {
  webhookId: string;
  path: string;
}

async function newCompany(): Promise<Company> {
  const { company, admin } = await app.signUp();
  return { id: company.id, admin, client: createClient(app.url, admin.token) };
}

async function newHook({ client }: Company): Promise<Hook> {
  number += 1;
  const path = `/${number}/`;
  const input = { url: receiver.origin + path, events: ['subscription.changed' as const, 'person.joined' as const] };
  const { webhookId, secret } = await client.call('createWebhook', input);
  receiver.trust(path, secret);
  return { webhookId, path };
}

async function wake(): Promise<void> {
  await app.idle();
  await app.app.db.asSystem((tx) => app.app.jobs.enqueue(tx, 'wake-webhooks', {}, { singletonKey: 'all' }));
  await app.idle();
}

/** Of each of these people one after the other, each about something of their own. */
async function join({ id }: Company, people: readonly { userId: string; email: string }[]): Promise<void> {
  const events = people.map((person) => ({ type: 'person.joined' as const, role: 'member', ...person }));
  await app.app.db.asCompany(id, (tx) => tell(tx, app.app.jobs, id, events));
}

const happens = (company: Company, state: string) => join(company, [{ userId: state, email: state }]);
const arrived = ({ path }: Hook) => receiver.received(path).map(({ data }) => data.email);
const failing = (_: unknown, response: { writeHead(status: number): { end(): void } }) => response.writeHead(500).end();

type Log = CallOutput<'getWebhookLog'>['deliveries'];
async function logOf({ client }: Company, { webhookId }: Hook): Promise<Log> {
  const all: Log = [];
  for (let cursor: string | undefined; ; ) {
    const page = await client.call('getWebhookLog', { webhookId, ...(cursor !== undefined && { cursor }) });
    all.push(...page.deliveries);
    cursor = page.next;
    if (cursor === undefined) return all;
  }
}

const only = async (company: Company, hook: Hook) => {
  const [first, ...others] = await logOf(company, hook);
  expect(others).toEqual([]);
  return first;
};

async function hookOf({ client }: Company, { webhookId }: Hook) {
  return (await client.call('listWebhooks', null)).find((each) => each.webhookId === webhookId);
}

async function mailsTo(email: string): Promise<{ subject: string; text: string }[]> {
  await app.idle();
  const all: { to: string; subject: string; text: string }[] = await (await app.fetch('/dev/outbox.json')).json();
  return all.filter(({ to, subject }) => to === email && /switched off/.test(subject));
}

describe('a receiver that', () => {
  test('fails is asked again, with the same id, until it takes what is sent', async () => {
    const company = await newCompany();
    const hook = await newHook(company);
    receiver.answer(hook.path, failing);
    await happens(company, 'a');
    await app.idle();
    const first = await only(company, hook);
    expect(first).toMatchObject({ state: 'waiting', attempts: [{ status: 500, durationMs: expect.any(Number) }] });
    expect(Date.parse(first?.nextAt ?? '')).toBe(Date.parse(first?.attempts[0]?.at ?? '') + minutes);
    expect((await hookOf(company, hook))?.failingSince).toBe(first?.attempts[0]?.at);
    later(2 * minutes);
    await wake();
    receiver.answer(hook.path, null);
    later(6 * minutes);
    await wake();
    const last = await only(company, hook);
    expect(last?.state).toBe('delivered');
    expect(last?.attempts.map(({ status }) => status)).toEqual([500, 500, 204]);
    expect(new Set(receiver.received(hook.path).map(({ id }) => id))).toEqual(new Set([`msg_${last?.deliveryId}`]));
    expect((await hookOf(company, hook))?.failingSince).toBeUndefined();
  });

  test('fails for three days is sent the event no more, unless by hand', async () => {
    const company = await newCompany();
    const hook = await newHook(company);
    receiver.answer(hook.path, failing);
    await happens(company, 'a');
    for (let hour = 0; hour < 73; hour += 4) {
      await wake();
      later(4 * hours);
    }
    await wake();
    const given = await only(company, hook);
    expect(given?.state).toBe('failed');
    expect(given?.tried).toBeGreaterThan(6);
    const triedFor = Date.parse(given?.attempts.at(-1)?.at ?? '') - Date.parse(given?.at ?? '');
    expect(triedFor).toBeGreaterThan(2 * days);
    expect(triedFor).toBeLessThan(3 * days);
    const tried = receiver.received(hook.path).length;
    receiver.answer(hook.path, null);
    later(1 * hours);
    await wake();
    expect(receiver.received(hook.path)).toHaveLength(tried);
    const asked = { webhookId: hook.webhookId, deliveryId: given?.deliveryId ?? '' };
    await company.client.call('resendDelivery', asked);
    await app.idle();
    expect((await only(company, hook))?.state).toBe('delivered');
    expect((await hookOf(company, hook))?.failingSince).toBeUndefined();
    const nobody = company.client.call('resendDelivery', { ...asked, deliveryId: hook.webhookId });
    await expect(nobody).rejects.toMatchObject({ code: 'delivery-not-found' });
  });

  test('hangs is waited for as long as is said, and no longer', async () => {
    const company = await newCompany();
    const hook = await newHook(company);
    receiver.answer(hook.path, () => {});
    await happens(company, 'a');
    await app.idle();
    const log = await only(company, hook);
    expect(log).toMatchObject({ state: 'waiting', attempts: [{ error: 'outbound-timeout' }] });
    expect(log?.attempts[0]).not.toHaveProperty('status');
    expect(log?.attempts[0]?.durationMs).toBeGreaterThan(timeoutMs - 100);
  });

  test('hangs at what is sent to it by hand keeps nobody else’s from being sent', async () => {
    const [company, other] = [await newCompany(), await newCompany()];
    const [hook, theirs] = [await newHook(company), await newHook(other)];
    const held: { end(): void }[] = [];
    receiver.answer(hook.path, (_, response) => void held.push(response));
    let before: number | undefined;
    receiver.answer(theirs.path, (_, response) => {
      before = receiver.received(hook.path).length;
      receiver.answer(hook.path, null);
      for (const each of [...held, response]) each.end();
    });
    for (let n = 0; n < 3; n += 1) await company.client.call('sendTestEvent', { webhookId: hook.webhookId });
    await other.client.call('sendTestEvent', { webhookId: theirs.webhookId });
    await app.idle();
    expect(before).toBeLessThan(2);
    expect(receiver.received(hook.path)).toHaveLength(3);
  });

  test('redirects is not followed', async () => {
    const company = await newCompany();
    const [hook, target] = [await newHook(company), '/elsewhere/'];
    receiver.answer(hook.path, (_, response) => response.writeHead(307, { location: target }).end());
    await happens(company, 'a');
    await app.idle();
    expect((await only(company, hook))?.attempts).toMatchObject([{ error: 'outbound-redirected' }]);
    expect(receiver.received(target)).toEqual([]);
  });

  test('answers 10 MB is not read to the end', async () => {
    const company = await newCompany();
    const hook = await newHook(company);
    const piece = Buffer.alloc(1_048_576, 'x');
    receiver.answer(hook.path, (_, response) => {
      response.writeHead(200);
      for (let i = 0; i < 10; i++) response.write(piece);
      response.end();
    });
    await happens(company, 'a');
    await app.idle();
    expect((await only(company, hook))?.attempts).toMatchObject([{ error: 'outbound-too-large' }]);
  });

  test('has a name that leads to a private address at the second look is not asked there', async () => {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, certificate.cert]);
    onTestFinished(() => setDefaultCACertificates(before));
    let heard = 0;
    const server = createEncryptedServer(certificate, (request, response) => {
      heard += 1;
      request.resume();
      response.writeHead(204).end();
    });
    await new Promise<void>((done) => server.listen(0, done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const company = await newCompany();
    // The operator allows 127.0.0.1, where the test is; every other address of this machine is as private as any.
    looks = ['127.0.0.1', '127.0.0.2'];
    const events = ['person.joined' as const];
    const { webhookId } = await company.client.call('createWebhook', { url: `https://idp.example:${port}/`, events });
    const hook = { webhookId, path: '' };
    await happens(company, 'first look');
    await app.idle();
    await happens(company, 'second look');
    await app.idle();
    const [second, first] = await logOf(company, hook);
    expect(first).toMatchObject({ state: 'delivered', attempts: [{ status: 204 }] });
    expect(second).toMatchObject({ state: 'waiting', attempts: [{ error: 'outbound-not-public' }] });
    expect(heard).toBe(1);
  });

  test('is gone (410) is sent nothing more, and the admins are mailed', async () => {
    const company = await newCompany();
    const hook = await newHook(company);
    receiver.answer(hook.path, (_, response) => response.writeHead(410).end());
    await happens(company, 'a');
    await app.idle();
    expect((await hookOf(company, hook))?.off).toMatchObject({ reason: 'gone' });
    const [mail, ...more] = await mailsTo(company.admin.email);
    expect(more).toEqual([]);
    expect(mail?.text).toContain('(410)');
    expect(mail?.text).toContain('/admin/settings/webhooks');
    expect(mail?.text).not.toContain(hook.path);
    await happens(company, 'b');
    await wake();
    expect(arrived(hook)).toEqual(['a']);
    const { events } = await company.client.call('getAuditLog', { action: 'webhook-switched-off' });
    expect(events).toMatchObject([{ via: 'service', about: expect.stringContaining('reason: gone') }]);
    // A test shows whether it is there again; then it is switched on.
    receiver.answer(hook.path, null);
    const { deliveryId } = await company.client.call('sendTestEvent', { webhookId: hook.webhookId });
    await app.idle();
    const tested = (await logOf(company, hook)).find((each) => each.deliveryId === deliveryId);
    expect(tested).toMatchObject({ type: 'webhook.test', state: 'delivered', tried: 1 });
    await company.client.call('updateWebhook', { webhookId: hook.webhookId, on: true });
    await happens(company, 'c');
    await app.idle();
    expect(arrived(hook)).toEqual(['a', undefined, 'c']);
    expect((await hookOf(company, hook))?.off).toBeUndefined();
  });

  test('fails for five days is sent nothing more, and the admins are mailed once', async () => {
    const company = await newCompany();
    const hook = await newHook(company);
    receiver.answer(hook.path, failing);
    await happens(company, 'a');
    for (let day = 0; day < failingDays; day++) {
      await wake();
      expect((await hookOf(company, hook))?.off).toBeUndefined();
      later(1 * days);
    }
    // At once: what happens once it is switched off is not in its log.
    const both = ['b', 'c'].map((state) => ({ userId: state, email: state }));
    await join(company, both);
    await wake();
    expect((await hookOf(company, hook))?.off).toMatchObject({ reason: 'failing' });
    expect(await mailsTo(company.admin.email)).toHaveLength(1);
    expect((await logOf(company, hook)).map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
    await company.client.call('deleteWebhook', { webhookId: hook.webhookId });
    const log = company.client.call('getWebhookLog', { webhookId: hook.webhookId });
    await expect(log).rejects.toMatchObject({ code: 'webhook-not-found' });
  });

  test('is led elsewhere, told of other events, or switched off, is so at once', async () => {
    const company = await newCompany();
    const [hook, other] = [await newHook(company), '/other/'];
    const change = (more: object) => company.client.call('updateWebhook', { webhookId: hook.webhookId, ...more });
    await change({ on: false });
    await happens(company, 'while off');
    await change({ on: true, url: receiver.origin + other, events: ['person.joined'] });
    const { secret } = await company.client.call('rotateWebhookSecret', { webhookId: hook.webhookId });
    receiver.trust(other, secret);
    await happens(company, 'elsewhere');
    await wake();
    expect(receiver.received(hook.path)).toEqual([]);
    expect(receiver.received(other).map(({ data }) => data.email)).toEqual(['elsewhere']);
    await change({ events: ['document.ready'] });
    await happens(company, 'not wanted');
    await wake();
    expect(receiver.received(other)).toHaveLength(1);
  });
});

test('events that wait while the receiver is down arrive afterwards, each once, in order of what they are about', async () => {
  const company = await newCompany();
  const hook = await newHook(company);
  receiver.answer(hook.path, failing);
  const [all, of] = [500, 20];
  const people = Array.from({ length: all }, (_, i) => ({ userId: `person ${i % of}`, email: String(i) }));
  for (let i = 0; i < all; i += 50) await join(company, people.slice(i, i + 50));
  await wake();
  const tried = receiver.received(hook.path).length;
  // A receiver that is down is not asked for each of them.
  expect(tried).toBeLessThan(all / 5);
  receiver.answer(hook.path, null);
  later(31 * minutes);
  // Two processes at once: one waits for the other.
  const { config } = app;
  const entitled = async () => ({ chat: true, features: ['webhooks'] }) as never;
  const delivery = createDelivery({
    ...{ db: app.app.db, jobs: app.app.jobs, sealer: await openSealer(config), config, entitled, clock },
    outbound: createOutbound({ allowed: allowed() }),
    sendMail: async () => {},
    requireRecentSignIn: () => {},
  });
  const { signal } = new AbortController();
  await Promise.all([wake(), delivery.deliver({ companyId: company.id, webhookId: hook.webhookId }, { signal })]);
  await app.idle();
  const took = receiver.received(hook.path).slice(tried);
  expect(took).toHaveLength(all);
  expect(new Set(took.map(({ id }) => id)).size).toBe(all);
  for (let one = 0; one < of; one++) {
    const order = took.filter(({ data }) => data.userId === `person ${one}`).map(({ data }) => Number(data.email));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  }
  const log = await logOf(company, hook);
  expect(log).toHaveLength(all);
  expect(log.every(({ state }) => state === 'delivered')).toBe(true);
  expect(log.flatMap(({ attempts }) => attempts.filter(({ status }) => status === 204))).toHaveLength(all);
  expect((await hookOf(company, hook))?.waiting).toBe(0);
});
