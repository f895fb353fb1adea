import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, createClient } from '#client/client.ts';
import type { CallOutput } from '#contract/calls.ts';
import { entitlementsOf } from '#contract/entitlements.ts';
import { bodiesKept, maxWebhooks, type WebhookEvent, webhookEvents } from '#contract/webhooks.ts';
import { eq } from '#server/db/drizzle.ts';
import { queries, webhookDeliveries, webhooks } from '#server/db/schema.ts';
import { subscriptionIn } from '#server/features/billing/billing.ts';
import { grantPlan } from '#server/features/billing/grant.ts';
import { requireRecentSignIn } from '#server/features/identity/recent-sign-in.ts';
import { outboundAllowed } from '#server/lib/public-address.ts';
import { openSealer } from '#server/lib/sealed.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { insertWebhook, type Receiver, startReceiver } from '#server/testing/webhooks.ts';
import { createManagement } from './manage.ts';
import { tell } from './outbox.ts';

let app: TestApp;
let receiver: Receiver;
/** How far the clock of deliveries is ahead. */
let aheadMs = 0;
let number = 0;

/** No receiver hangs here: one that is answered late has a busy machine, and another try would come in a minute. */
const patient = { timeoutMs: 120_000, connectTimeoutMs: 120_000 };
const minutes = 60_000;
const days = 86_400_000;
const later = (ms: number) => {
  aheadMs += ms;
};

beforeAll(async () => {
  receiver = await startReceiver();
  const allowed = outboundAllowed(`${receiver.origin}`);
  app = await startTestApp(
    { billing: 'stripe', ...(allowed && { outboundAllowed: allowed }) },
    { webhooks: { clock: () => new Date(Date.now() + aheadMs), outbound: patient } },
  );
});
// Things happen now: each test begins there.
beforeEach(() => {
  aheadMs = 0;
});
afterAll(async () => {
  await app.close();
  await receiver.close();
  // Whatever was sent, receivers could check it.
  expect(receiver.faults).toEqual([]);
});

interface Company {
  id: string;
  admin: Person;
  client: Client;
}

async function newCompany(): Promise<Company> {
  const { company, admin } = await app.signUp();
  await app.setSubscription(company.id, { state: 'active', plan: 'enterprise' });
  return { id: company.id, admin, client: createClient(app.url, admin.token) };
}

interface Hook {
  webhookId: string;
  path: string;
  secret: string;
}

/** A webhook that leads to a path of its own. */
async function newHook(
  { client }: Company,
  { events = webhookEvents, collectionIds }: { events?: readonly WebhookEvent[]; collectionIds?: string[] } = {},
): Promise<Hook> {
  number += 1;
  const path = `/${number}/`;
  const input = { url: receiver.origin + path, events: [...events], ...(collectionIds && { collectionIds }) };
  const { webhookId, secret } = await client.call('createWebhook', input);
  receiver.trust(path, secret);
  return { webhookId, path, secret };
}

/** Has what is due sent again, and waits for it. */
async function wake(): Promise<void> {
  await app.idle();
  await app.app.db.asSystem((tx) => app.app.jobs.enqueue(tx, 'wake-webhooks', {}, { singletonKey: 'all' }));
  await app.idle();
}

/** Has something told that names nothing which could be gone. */
async function happens({ id }: Pick<Company, 'id'>, state: string): Promise<void> {
  await app.app.db.asCompany(id, (tx) =>
    tell(tx, app.app.jobs, id, [{ type: 'subscription.changed', state, plan: null, endsAt: null }]),
  );
}

const statesAt = ({ path }: Hook) => receiver.received(path).map(({ data }) => data.state);

async function logOf({ client }: Company, { webhookId }: Hook): Promise<CallOutput<'getWebhookLog'>['deliveries']> {
  return (await client.call('getWebhookLog', { webhookId })).deliveries;
}

const asked = (text: string) => ({ history: [{ role: 'user' as const, parts: [{ text }] }] });

async function mailsTo(email: string): Promise<string[]> {
  await app.idle();
  const all: { to: string; subject: string; text: string }[] = await (await app.fetch('/dev/outbox.json')).json();
  return all.filter(({ to }) => to === email).map(({ text }) => text);
}

describe('what happens in a company', () => {
  test('is told once, signed, and with no more than is to be known', async () => {
    const company = await newCompany();
    const { client, id } = company;
    const hook = await newHook(company);
    const text = '# House rules\n\nThe cellar key hangs behind the green door.\n';
    const { documentId } = await client.upload('House rules.md', Buffer.from(text));
    const broken = await client.upload('Broken.pdf', Buffer.from('%PDF-1.4\nnothing that is one'));
    await app.idle();
    const { queryId } = await client.call('query', asked('Who won the chess game in Reykjavik in 1972?'));
    const answer = await client.call('query', asked('Where does the cellar key hang?'));
    await client.call('rateAnswer', { queryId: answer.queryId, rating: 'down', reason: 'Too short' });
    // What is told of an answer goes with what it was made of.
    await app.idle();
    await client.call('deleteFile', { filePath: `${id}/House rules.md` });
    const invited = `joins-${id}@example.com`;
    await client.call('inviteUser', { email: invited, companyId: id });
    const mail = (await mailsTo(invited))[0] ?? '';
    const oobCode = /oobCode=([\w-]+)/.exec(mail)?.[1] ?? '';
    await app.call('confirmPasswordReset', { oobCode, newPassword: 'violet anchors drift 71' });
    const person = (await client.call('listUsers', null)).find(({ email }) => email === invited);
    await client.call('deleteUser', { userIdToDelete: person?.uid ?? '' });
    // What still waited would not be told: the plan after this one has no webhooks.
    await app.idle();
    await grantPlan(app.app.db, id, 'enterprise');
    await grantPlan(app.app.db, id, 'enterprise');
    await grantPlan(app.app.db, id, 'professional');
    await grantPlan(app.app.db, id, 'enterprise');
    // What is told by work behind the calls comes when that is done.
    const arrived = async () => {
      await wake();
      return receiver.received(hook.path).length;
    };
    await expect.poll(arrived, { timeout: 60_000 }).toBeGreaterThanOrEqual(9);

    const told = receiver.received(hook.path).map(({ type, data }) => ({ type, data }));
    const ready = { documentId, version: 1, state: 'ready', name: 'House rules.md' };
    const user = { userId: person?.uid, email: invited, role: 'member' };
    const expected = [
      { type: 'document.ready', data: expect.objectContaining(ready) },
      {
        type: 'document.failed',
        data: expect.objectContaining({ documentId: broken.documentId, state: 'failed', reason: expect.any(String) }),
      },
      { type: 'document.deleted', data: { documentId } },
      {
        type: 'question.unanswered',
        data: { queryId, question: 'Who won the chess game in Reykjavik in 1972?' },
      },
      {
        type: 'answer.rated',
        data: {
          queryId: answer.queryId,
          question: 'Where does the cellar key hang?',
          rating: 'down',
          reason: 'Too short',
        },
      },
      { type: 'person.joined', data: user },
      { type: 'person.removed', data: user },
      ...['professional', 'enterprise'].map((plan) => ({
        type: 'subscription.changed',
        data: { state: 'active', plan, endsAt: null },
      })),
    ];
    expect(told).toHaveLength(expected.length);
    expect(told).toEqual(expect.arrayContaining(expected));
    const url = String(told.find(({ type }) => type === 'document.ready')?.data.url);
    expect(url).toBe(`${app.config.publicUrl}/documents/${documentId}/1`);
    // Nobody who asked or rated is named.
    const words = JSON.stringify(told.filter(({ type }) => /^(question|answer)/.test(type)));
    expect(words).not.toContain(company.admin.uid);
    expect(words).not.toContain(company.admin.email);
  });

  test('is not told where it did not happen after all, nor to whom it is not of interest', async () => {
    const company = await newCompany();
    const hook = await newHook(company);
    const other = await newHook(company, { events: ['person.removed'] });
    const stranger = await newHook(await newCompany());
    const undone = app.app.db.asCompany(company.id, async (tx) => {
      const event = { type: 'subscription.changed', state: 'undone', plan: null, endsAt: null } as const;
      await tell(tx, app.app.jobs, company.id, [event]);
      throw new Error('it did not happen');
    });
    await expect(undone).rejects.toThrow('it did not happen');
    await happens(company, 'it did');
    await wake();
    expect(statesAt(hook)).toEqual(['it did']);
    expect(receiver.received(other.path)).toEqual([]);
    expect(receiver.received(stranger.path)).toEqual([]);
    expect(await logOf(company, other)).toEqual([]);
  });

  test('names no document that is hidden from the webhook, moved out of its sight, or deleted', async () => {
    const company = await newCompany();
    const { client, id } = company;
    const restricted = (name: string) => client.call('createCollection', { name, access: 'restricted' });
    const { collectionId: board } = await restricted('Board');
    const { collectionId: works } = await restricted('Works');
    const everyone = await newHook(company);
    const chosen = await newHook(company, { collectionIds: [board] });
    const upload = async (name: string, to?: string) =>
      (await client.upload(name, Buffer.from(`# ${name}\n\nThe gate opens at noon.\n`), 'replace', to)).documentId;
    const ids = {
      open: await upload('Open.md'),
      board: await upload('Quillon board.md', board),
      works: await upload('Quillon works.md', works),
    };
    await app.idle();
    const readyAt = ({ path }: Hook) => receiver.received(path).map(({ data }) => data.documentId);
    expect(readyAt(everyone)).toEqual([ids.open]);
    expect(readyAt(chosen).toSorted()).toEqual([ids.open, ids.board].toSorted());

    // Whoever sees a part of the documents is told of as well.
    const member = createClient(app.url, (await app.addMember(company)).token);
    const { queryId } = await member.call('query', asked('Who won the chess game in Reykjavik in 1972?'));
    await member.call('rateAnswer', { queryId, rating: 'up' });
    await app.idle();
    const ofAnswers = receiver.received(everyone.path).filter(({ data }) => data.queryId === queryId);
    expect(ofAnswers.map(({ type }) => type)).toEqual(['question.unanswered', 'answer.rated']);

    // What waits is looked at again when it is sent.
    for (const hook of [everyone, chosen]) receiver.answer(hook.path, (_, response) => response.writeHead(503).end());
    const [moved, deleted] = [await upload('Quillon moved.md'), await upload('Quillon deleted.md')];
    await app.idle();
    await client.call('moveDocuments', { documentIds: [moved], collectionId: works });
    await client.call('deleteFiles', { documentIds: [deleted, ids.board, ids.works] });
    await app.idle();
    const before = receiver.received().length;
    for (const hook of [everyone, chosen]) receiver.answer(hook.path, null);
    later(30 * minutes);
    await wake();
    await wake();
    const after = receiver.received().slice(before);
    const of = ({ path }: Hook) => after.filter((each) => each.path === path);
    expect(JSON.stringify(after)).not.toContain('Quillon');
    expect(of(everyone).map(({ type, data }) => [type, data])).toEqual([['document.deleted', { documentId: deleted }]]);
    const gone = of(chosen).map(({ data }) => data.documentId);
    expect(gone.toSorted()).toEqual([deleted, ids.board].toSorted());
    expect(after.every(({ type }) => type === 'document.deleted')).toBe(true);
    // What the log shows and keeps of them has their names no more.
    for (const hook of [everyone, chosen])
      expect(JSON.stringify(await logOf(company, hook))).not.toMatch(/Quillon (b|d)/);
    const kept = await app.app.db.asCompany(id, (tx) => tx.select().from(webhookDeliveries));
    expect(JSON.stringify(kept)).not.toMatch(/Quillon (board|deleted)/);
  });

  test('is forgotten with a question that the company keeps no longer', async () => {
    const company = await newCompany();
    const hook = await newHook(company);
    const ofAdmin = company.client;
    const { queryId } = await ofAdmin.call('query', asked('Who won the chess game in Quillon in 1972?'));
    await ofAdmin.call('rateAnswer', { queryId, rating: 'down', reason: 'Quillon is a town.' });
    await app.idle();
    const shown = async () => JSON.stringify(await logOf(company, hook));
    expect(await shown()).toContain('Quillon is a town.');
    await app.app.db.asCompany(company.id, (tx) =>
      tx
        .update(queries)
        .set({ createdAt: new Date(Date.now() - 500 * days) })
        .where(eq(queries.id, queryId)),
    );
    await app.app.db.asSystem((tx) => app.app.jobs.enqueue(tx, 'erase-questions', {}, { singletonKey: 'all' }));
    await app.idle();
    expect(await shown()).not.toContain('Quillon');
    // That it was told stays.
    expect(await shown()).toContain('question.unanswered');
  });

  test('keeps no words of a question that is erased while its webhook is told', async () => {
    const company = await newCompany();
    const hook = await newHook(company);
    const told = Promise.withResolvers<() => void>();
    receiver.answer(hook.path, (_, response) => told.resolve(() => response.writeHead(204).end()));
    const { queryId } = await company.client.call('query', asked('Who won the chess game in Quillon in 1972?'));
    const answer = await told.promise;
    await app.app.db.asCompany(company.id, (tx) => tx.delete(queries).where(eq(queries.id, queryId)));
    answer();
    await app.idle();
    const [delivery] = await app.app.db.asCompany(company.id, (tx) => tx.select().from(webhookDeliveries));
    expect(delivery).toMatchObject({ state: 'delivered', body: null });
  });

  test('is told of nothing but the subscription where the plan has no webhooks any more', async () => {
    const company = await newCompany();
    const hook = await newHook(company);
    await app.setSubscription(company.id, { state: 'active', plan: 'professional' });
    await app.app.db.asCompany(company.id, (tx) =>
      tell(tx, app.app.jobs, company.id, [{ type: 'person.removed', userId: company.id, email: 'x', role: 'member' }]),
    );
    await happens(company, 'downgraded');
    await wake();
    expect(receiver.received(hook.path).map(({ type }) => type)).toEqual(['subscription.changed']);
    const refused = { code: 'feature-not-in-plan', details: { plan: 'enterprise' } };
    await expect(company.client.call('sendTestEvent', { webhookId: hook.webhookId })).rejects.toMatchObject(refused);
    expect(await company.client.call('listWebhooks', null)).toHaveLength(1);
    await company.client.call('deleteWebhook', { webhookId: hook.webhookId });
    expect(await company.client.call('listWebhooks', null)).toEqual([]);
  });
});

describe('a secret', () => {
  test('is stored sealed, and for a day the one before signs beside it', async () => {
    const company = await newCompany();
    const hook = await newHook(company);
    const [stored] = await app.app.db.asCompany(company.id, (tx) => tx.select().from(webhooks));
    expect(JSON.stringify(stored)).not.toContain(hook.secret.slice(6));
    const { secret, bothUntil } = await company.client.call('rotateWebhookSecret', { webhookId: hook.webhookId });
    expect(secret).not.toBe(hook.secret);
    expect(Date.parse(bothUntil)).toBeGreaterThan(Date.now() + aheadMs + days - 60 * minutes);
    // The receiver still knows the old one alone, then the new one.
    await happens(company, 'old');
    await wake();
    receiver.trust(hook.path, secret);
    await happens(company, 'both');
    await wake();
    expect((await company.client.call('listWebhooks', null))[0]?.bothSecretsUntil).toBe(bothUntil);
    later(1 * days + minutes);
    await happens(company, 'new');
    await wake();
    expect(statesAt(hook)).toEqual(['old', 'both', 'new']);
    receiver.trust(hook.path, hook.secret);
    await happens(company, 'refused');
    await wake();
    expect(receiver.faults.splice(0)).toEqual([expect.stringContaining('No matching signature')]);
    expect((await company.client.call('listWebhooks', null))[0]?.bothSecretsUntil).toBeUndefined();
  });
});

describe('what is asked for badly', () => {
  test.each([
    ['http://hooks.example/in', 'outbound-address-invalid'],
    ['ftp://hooks.example/in', 'outbound-address-invalid'],
    ['not an address', 'outbound-address-invalid'],
    ['https://me:secret@hooks.example/in', 'outbound-address-invalid'],
    ['https://10.0.0.7/in', 'outbound-not-public'],
    ['https://[::1]/in', 'outbound-not-public'],
    ['https://169.254.169.254/latest', 'outbound-not-public'],
    ['https://2130706433/', 'outbound-not-public'],
    ['', 'invalid-input'],
    [`https://hooks.example/${'x'.repeat(2048)}`, 'invalid-input'],
  ])('%s is refused', async (url, code) => {
    const { client } = await newCompany();
    await expect(client.call('createWebhook', { url, events: ['document.ready'] })).rejects.toMatchObject({ code });
    expect(await client.call('listWebhooks', null)).toEqual([]);
  });

  test('no event, one that there is not, a collection of others, one too many', async () => {
    const company = await newCompany();
    const { client } = company;
    const url = `${receiver.origin}/none/`;
    const make = (more: object) => client.call('createWebhook', { url, events: ['document.ready'], ...more });
    await expect(make({ events: [] })).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(make({ events: ['document.moved'] })).rejects.toMatchObject({ code: 'invalid-input' });
    const others = await (await newCompany()).client.call('createCollection', { name: 'Theirs', access: 'restricted' });
    await expect(make({ collectionIds: [others.collectionId] })).rejects.toMatchObject({
      code: 'collection-not-found',
    });
    for (let i = 0; i < maxWebhooks; i++) await insertWebhook(app, company.id, { url });
    await expect(make({})).rejects.toMatchObject({ code: 'too-many-webhooks' });
    const [first] = await client.call('listWebhooks', null);
    const ofFirst = { webhookId: first?.webhookId ?? '' };
    await expect(client.call('updateWebhook', { ...ofFirst, url: 'https://10.1.2.3/' })).rejects.toMatchObject({
      code: 'outbound-not-public',
    });
    const log = client.call('getWebhookLog', { ...ofFirst, cursor: 'x' });
    await expect(log).rejects.toMatchObject({ code: 'invalid-input' });
  });

  test('by somebody who has not signed in lately', async () => {
    const company = await newCompany();
    const hook = await newHook(company);
    const { config } = app;
    const sealer = await openSealer(config);
    const deps = { db: app.app.db, sealer, config, requireRecentSignIn, clock: () => new Date() };
    const management = createManagement(deps);
    const { uid: userId, email } = company.admin;
    const entitlements = entitlementsOf(subscriptionIn(null), new Date(), 'off');
    const authenticatedAt = new Date(Date.now() - 16 * minutes);
    const by = {
      companyId: company.id,
      userId,
      email,
      role: 'admin',
      ip: '::1',
      entitlements,
      authenticatedAt,
    } as const;
    const refused = { code: 'recent-sign-in-required' };
    const input = { url: receiver.origin, events: ['document.ready' as const] };
    await expect(management.create(by, input)).rejects.toMatchObject(refused);
    await expect(management.update(by, { webhookId: hook.webhookId, on: false })).rejects.toMatchObject(refused);
    await expect(management.rotate(by, hook.webhookId)).rejects.toMatchObject(refused);
    const [kept, ...more] = await company.client.call('listWebhooks', null);
    expect([more, kept?.off, kept?.bothSecretsUntil]).toEqual([[], undefined, undefined]);
  });
});

test('of what was sent the log has the ten newest bodies, and pages of all', async () => {
  const company = await newCompany();
  const hook = await newHook(company);
  const count = 60;
  await app.app.db.asCompany(company.id, (tx) =>
    tell(
      tx,
      app.app.jobs,
      company.id,
      Array.from({ length: count }, (_, i) => ({
        type: 'subscription.changed' as const,
        ...{ state: `${i}`, plan: null, endsAt: null },
      })),
    ),
  );
  await wake();
  const first = await company.client.call('getWebhookLog', { webhookId: hook.webhookId });
  const rest = await company.client.call('getWebhookLog', { webhookId: hook.webhookId, cursor: first.next ?? '' });
  expect([first.deliveries.length, rest.deliveries.length, rest.next]).toEqual([50, 10, undefined]);
  const all = [...first.deliveries, ...rest.deliveries];
  expect(all.map(({ body }) => body !== undefined)).toEqual(all.map((_, i) => i < bodiesKept));
  expect(JSON.parse(all[0]?.body ?? '')).toMatchObject({ type: 'subscription.changed', data: { state: '59' } });
  expect(
    all.every(({ state, tried, attempts }) => state === 'delivered' && tried === 1 && attempts[0]?.status === 204),
  ).toBe(true);
  const kept = await app.app.db.asCompany(company.id, (tx) => tx.select().from(webhookDeliveries));
  expect(kept.filter(({ body }) => body !== null)).toHaveLength(bodiesKept);
  later(31 * days);
  await wake();
  expect(await logOf(company, hook)).toEqual([]);
  const left = await app.app.db.asSystem((tx) =>
    tx.$count(webhookDeliveries, eq(webhookDeliveries.companyId, company.id)),
  );
  expect(left).toBe(0);
});
