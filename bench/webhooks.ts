import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { type Client, createClient } from '#client/client.ts';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config/config.ts';
import { tell } from '#server/features/webhooks/outbox.ts';
import { insertWebhook } from '#server/testing/webhooks.ts';

const events = Number(process.env.BENCH_EVENTS ?? 10_000);
const subjects = 500;
const halfAnHourMs = 30 * 60_000;

/**
 * Events that were told while a receiver was down, delivered when it is back: on loopback, each checked by the package
 * that receivers use.
 */
export async function measureWebhooks(): Promise<string[][]> {
  let isDown = true;
  let aheadMs = 0;
  let secret = '';
  const took: { id: string; subject: string; place: number }[] = [];
  let refused = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    if (isDown) {
      refused += 1;
      return void response.writeHead(503).end();
    }
    const headers = request.headers as Record<string, string>;
    const { data } = new Webhook(secret).verify(body, headers) as { data: { userId: string; email: string } };
    took.push({ id: headers['webhook-id'] ?? '', subject: data.userId, place: Number(data.email) });
    response.writeHead(204).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = () => new Date(Date.now() + aheadMs);
  const dataDir = await mkdtemp(join(tmpdir(), 'footnote-bench-'));
  const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'error', BILLING: 'off', PORT: '0', OUTBOUND_ALLOW: url };
  const config = readConfig(settings);
  const app = await createApp(config, { webhooks: { clock } });
  try {
    const address = await app.listen();
    const who = { email: 'admin@example.com', password: 'violet anchors drift 71' };
    const { user, idToken } = await createClient(address).call('signUp', { companyName: 'Example', ...who });
    const client = createClient(address, idToken);
    const { companyId } = user;
    const hook = await insertWebhook({ app, config }, companyId, { url });
    secret = hook.secret;
    const told = performance.now();
    for (let i = 0; i < events; i++) {
      const event = { userId: String(i % subjects), email: String(i), role: 'member' };
      await app.db.asCompany(companyId, (tx) => tell(tx, app.jobs, companyId, [{ type: 'person.joined', ...event }]));
    }
    const toldMs = performance.now() - told;
    await app.jobs.idle();
    isDown = false;
    aheadMs = halfAnHourMs + 60_000;
    const begun = performance.now();
    await app.db.asSystem((tx) => app.jobs.enqueue(tx, 'wake-webhooks', {}, { singletonKey: 'all' }));
    await app.jobs.idle();
    const seconds = (performance.now() - begun) / 1000;
    const outOfOrder = Map.groupBy(took, ({ subject }) => subject)
      .values()
      .flatMap((each) => each.filter(({ place }, i) => i > 0 && place < (each[i - 1]?.place ?? 0)))
      .toArray().length;
    const logged = await arrivalsIn(client, hook.webhookId);
    const once = new Set(took.map(({ id }) => id)).size;
    return [
      [`telling of an event in a transaction of its own, mean of ${events}`, `${(toldMs / events).toFixed(1)} ms`, ''],
      ['requests to the receiver while it was down', String(refused), ''],
      [
        `${events} events of ${subjects} people delivered afterwards`,
        `${seconds.toFixed(1)} s (${Math.round(events / seconds)} a second)`,
        '',
      ],
      [
        'arrived; more than once; out of order; arrivals in the log',
        `${took.length}; ${took.length - once}; ${outOfOrder}; ${logged}`,
        `${events}; 0; 0; ${events}`,
      ],
    ];
  } finally {
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
    server.closeAllConnections();
    server.close();
  }
}

/** How many arrivals the whole log has. */
async function arrivalsIn(client: Client, webhookId: string): Promise<number> {
  let arrivals = 0;
  for (let cursor: string | undefined; ; ) {
    const page = await client.call('getWebhookLog', { webhookId, ...(cursor !== undefined && { cursor }) });
    arrivals += page.deliveries.flatMap(({ attempts }) => attempts.filter(({ status }) => status === 204)).length;
    cursor = page.next;
    if (cursor === undefined) return arrivals;
  }
}
