import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { tell } from '#server/features/webhooks/outbox.ts';
import { outboundAllowed } from '#server/lib/public-address.ts';
import { startTestApp } from '#server/testing/app.ts';
import { insertWebhook } from '#server/testing/webhooks.ts';

const events = Number(process.env.BENCH_EVENTS ?? 10_000);
const subjects = 500;
const halfAnHourMs = 30 * 60_000;

/**
 * Events that were told while a receiver was down, delivered when it is back: on loopback, each checked by the package that
 * receivers use.
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
  const allowed = outboundAllowed(url);
  const clock = () => new Date(Date.now() + aheadMs);
  const app = await startTestApp({ ...(allowed && { outboundAllowed: allowed }) }, { webhooks: { clock } });
  try {
    const { company, token } = await app.signUp();
    const hook = await insertWebhook(app, company.id, { url });
    secret = hook.secret;
    const told = performance.now();
    for (let i = 0; i < events; i++) {
      const event = { userId: String(i % subjects), email: String(i), role: 'member' };
      await app.app.db.asCompany(company.id, (tx) =>
        tell(tx, app.app.jobs, company.id, [{ type: 'person.joined', ...event }]),
      );
    }
    const toldMs = performance.now() - told;
    await app.idle();
    isDown = false;
    aheadMs = halfAnHourMs + 60_000;
    const begun = performance.now();
    await app.app.db.asSystem((tx) => app.app.jobs.enqueue(tx, 'wake-webhooks', {}, { singletonKey: 'all' }));
    await app.idle();
    const seconds = (performance.now() - begun) / 1000;
    const outOfOrder = Map.groupBy(took, ({ subject }) => subject)
      .values()
      .flatMap((each) => each.filter(({ place }, i) => i > 0 && place < (each[i - 1]?.place ?? 0)))
      .toArray().length;
    let logged = 0;
    for (let cursor: string | undefined; ; ) {
      const input = { webhookId: hook.webhookId, ...(cursor !== undefined && { cursor }) };
      const page = await app.call('getWebhookLog', input, { token });
      const arrivals = page.deliveries.flatMap(({ attempts }) => attempts.filter(({ status }) => status === 204));
      logged += arrivals.length;
      cursor = page.next;
      if (cursor === undefined) break;
    }
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
    server.closeAllConnections();
    server.close();
  }
}
