import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { type WebhookEvent, webhookEvents } from '#contract/webhooks.ts';
import { webhookCollections, webhooks } from '#server/db/schema.ts';
import { newSecret, webhookSealedFor } from '#server/features/webhooks/secret.ts';
import { openSealer } from '#server/lib/sealed.ts';
import type { TestApp } from './app.ts';

/** Puts a webhook into a company, past the calls. */
export async function insertWebhook(
  { app, config }: Pick<TestApp, 'app' | 'config'>,
  companyId: string,
  of: { url: string; events?: readonly WebhookEvent[]; collectionIds?: readonly string[] },
): Promise<{ webhookId: string; secret: string }> {
  const id = randomUUID();
  const secret = newSecret();
  const sealedSecret = await (await openSealer(config)).seal(secret, webhookSealedFor({ companyId, id }));
  const { url, events = webhookEvents, collectionIds } = of;
  const withinCollections = collectionIds !== undefined;
  const values = { companyId, id, url, events: [...events], withinCollections, sealedSecret };
  await app.db.asSystem(async (tx) => {
    await tx.insert(webhooks).values({ ...values, createdByEmail: 'admin@example.com' });
    for (const collectionId of collectionIds ?? [])
      await tx.insert(webhookCollections).values({ companyId, webhookId: id, collectionId });
  });
  return { webhookId: id, secret };
}

/** What has come to a receiver, its signature checked by the package that receivers use. */
export interface Received {
  id: string;
  path: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

export interface Receiver {
  origin: string;
  /** What came to the paths that begin so, in its order; what was refused as well. */
  received(path?: string): Received[];
  /** From now on what comes to this path is checked with this secret: nothing else is accepted there. */
  trust(path: string, secret: string): void;
  /** How the path answers from now on; as usual with 204. */
  answer(path: string, answer: ((request: IncomingMessage, response: ServerResponse) => void) | null): void;
  /** What was not signed as it has to be. */
  faults: string[];
  close(): Promise<void>;
}

/** A program that is told of events, on loopback. */
export async function startReceiver(): Promise<Receiver> {
  const all: Received[] = [];
  const faults: string[] = [];
  const secrets = new Map<string, string>();
  const answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  const heard: RequestListener = async (request, response) => {
    const path = request.url ?? '';
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    const one = (name: string) => String(request.headers[name] ?? '');
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    try {
      const headers = Object.fromEntries(names.map((name) => [name, one(name)]));
      new Webhook(secrets.get(path) ?? '').verify(body, headers);
      all.push({ id: one('webhook-id'), path, ...JSON.parse(body) });
    } catch (error) {
      faults.push(`${path}: ${error}`);
    }
    const answer = answers.get(path);
    if (answer) answer(request, response);
    else response.writeHead(204).end();
  };
  const server = createServer(heard);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    received: (path = '/') => all.filter((each) => each.path.startsWith(path)),
    trust: (path, secret) => void secrets.set(path, secret),
    answer(path, answer) {
      if (answer) answers.set(path, answer);
      else answers.delete(path);
    },
    faults,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
