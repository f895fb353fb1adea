import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { paymentEvents } from '#server/db/schema.ts';
import { stripePayments } from '#server/ports/payments/stripe.ts';
import { startTestApp } from '#server/testing/app.ts';
import { payingCompany } from '#server/testing/paying.ts';
import { makePlace } from '#server/testing/server-process.ts';
import { startSimulator } from '#simulators/stripe/simulator.ts';
import { clientOf } from '#simulators/stripe/testing.ts';

const secret = 'whsec_test';
const perSecond = 100;
const seconds = 2;

test('a hundred events a second while the database is killed and comes back: none is lost', {
  // A job that was just being taken when the database was killed is tried again within a minute.
  timeout: 180_000,
}, async () => {
  const simulator = await startSimulator({ settings: { redeliveryMs: () => 250 } });
  const stripe = {
    secretKey: 'sk_test_1',
    webhookSecret: secret,
    address: { host: '127.0.0.1', port: simulator.port },
  };
  await stripePayments({ name: 'test', ...stripe }).ensureCatalogue();
  const place = await makePlace();
  const own = { databaseUrl: undefined, dataDir: place.dataDir };
  const app = await startTestApp({ billing: 'stripe', stripe, logLevel: 'silent', ...own });
  const { as } = await payingCompany(app, 'basic_annual');
  const relay = await startRelay(`${app.url}/webhooks/stripe`);
  simulator.deliverTo(relay.url, secret);

  const provider = clientOf(simulator);
  const [subscription] = (await provider.subscriptions.list()).data;
  const id = subscription?.id ?? '';
  const began = performance.now();
  const sent: Promise<unknown>[] = [];
  for (let number = 0; number < perSecond * seconds; number++) {
    await wait(Math.max(0, began + (number * 1000) / perSecond - performance.now()));
    sent.push(provider.subscriptions.update(id, { metadata: { number } }));
    if (number === perSecond / 2) await killDatabase(place.dataDir);
  }
  await Promise.all(sent);
  await simulator.delivered();
  await app.idle();

  const all = await provider.events
    .list({ type: 'customer.subscription.updated', limit: 100 })
    .autoPagingToArray({ limit: 10_000 });
  const told = all.filter(({ data: { object } }) => JSON.stringify(object).includes('"number"')).map((each) => each.id);
  expect(told).toHaveLength(perSecond * seconds);
  const rows = await app.app.db.asSystem((tx) => tx.select({ id: paymentEvents.id }).from(paymentEvents));
  const stored = new Set(rows.map((row) => row.id));
  expect(told.filter((event) => !stored.has(event))).toEqual([]);
  // Refused while they could not be stored, and with nothing else.
  expect([...relay.statuses.keys()].toSorted()).toEqual([200, 503]);
  expect(await app.call('syncSubscription', null, as)).toMatchObject({ state: 'active', plan: 'basic' });

  await app.close();
  await simulator.close();
  relay.close();
  await place.remove();
});

async function killDatabase(dataDir: string): Promise<void> {
  const [pid] = (await readFile(join(dataDir, 'postgres', 'pg', 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
}

/** Hands on what comes, and counts how it was answered. */
async function startRelay(target: string) {
  const statuses = new Map<number, number>();
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const signature = String(request.headers['stripe-signature']);
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    const answer = await fetch(target, { method: 'POST', headers, body: Buffer.concat(pieces) });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    response.writeHead(answer.status).end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, statuses, close: () => server.close() };
}
