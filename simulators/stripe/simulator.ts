import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { answerApi } from './api/api.ts';
import { type Faults, faultsInput, noFaults } from './faults.ts';
import { moveClock, settle } from './lifecycle/timeline.ts';
import { checkoutPage } from './pages/checkout.ts';
import { type PageReply, page } from './pages/html.ts';
import { invoicePage } from './pages/invoice.ts';
import { portalPage } from './pages/portal.ts';
import { createWebhooks } from './webhooks.ts';
import { createClock } from './world/clock.ts';
import { createStore, loadSnapshot, saveSnapshot } from './world/store.ts';
import { defaultSettings, type Settings, type World } from './world/world.ts';

export interface SimulatorOptions {
  /** Absent: the system chooses. */
  port?: number;
  /** Keeps everything there across restarts; absent: in memory only. */
  file?: string;
  /** Where time stands still until it is moved (unix seconds); absent: real time. */
  frozenAt?: number;
  settings?: Partial<Settings>;
}

/** The payment provider on loopback: its API, its hosted pages, its events. */
export interface Simulator {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Its time, unix seconds. */
  now(): number;
  /** Moves its time ahead (unix seconds), and lets happen what lies between. */
  moveTo(moment: number): void;
  /** What goes wrong; what is not named becomes harmless again. */
  setFaults(faults: Partial<Faults>): void;
  /** Sends events there, signed with the secret; called again it takes the place of the former. */
  deliverTo(url: string, secret: string): void;
  /** Resolves when every event that was made has been taken, or given up. */
  delivered(): Promise<void>;
  close(): Promise<void>;
}

const maxBodyBytes = 1024 * 1024;
/** The endpoint that `deliverTo` sets; others are made through the API. */
const ownEndpoint = 'we_simulator';

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const store = createStore();
  const saved = options.file === undefined ? null : loadSnapshot(store, options.file);
  let url = '';
  const world: World = {
    store,
    clock: createClock(options.frozenAt, saved?.moved),
    faults: noFaults(),
    baseUrl: () => url,
    settings: { ...defaultSettings, ...options.settings },
    request: { id: null, key: null },
    onEvent: (id) => webhooks.send(id),
  };
  const webhooks = createWebhooks(world);
  const save = () => {
    if (options.file !== undefined) saveSnapshot(store, options.file, { moved: world.clock.moved });
  };

  const server = createServer((request, response) => {
    answer(world, request, response, { save, moved: webhooks.wake }).catch((error: unknown) => {
      console.error('the payment simulator failed', error);
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { type: 'api_error', message: 'the payment simulator failed' } }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  url = `http://127.0.0.1:${port}`;

  // What falls due while nobody asks. A frozen clock moves by hand alone.
  const ticking = setInterval(() => {
    const events = store.events.size;
    settle(world);
    if (store.events.size !== events) save();
  }, 1000).unref();

  return {
    url,
    port,
    now: () => world.clock.now(),
    moveTo(moment) {
      moveClock(world, moment);
      save();
      webhooks.wake();
    },
    setFaults(faults) {
      Object.assign(world.faults, noFaults(), faults);
      webhooks.wake();
    },
    deliverTo(target, secret) {
      store.endpoints.set(ownEndpoint, {
        id: ownEndpoint,
        created: world.clock.now(),
        url: target,
        secret,
        enabledEvents: ['*'],
        description: null,
        status: 'enabled',
        metadata: {},
      });
      // Made before a restart, and not taken since.
      for (const event of store.events.values()) {
        if (event.undelivered.includes(ownEndpoint)) webhooks.send(event.id);
      }
    },
    delivered: webhooks.delivered,
    async close() {
      clearInterval(ticking);
      await webhooks.stop();
      save();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Hooks {
  save: () => void;
  moved: () => void;
}

async function answer(world: World, request: IncomingMessage, response: ServerResponse, hooks: Hooks): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://simulator');
  // A page elsewhere can give its own name our address, and would then speak to us as its own server.
  if (!/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(request.headers.host ?? '')) {
    response.writeHead(421, { 'content-type': 'text/plain' }).end('The simulator is for this machine alone.\n');
    return;
  }
  const body = await read(request);
  if (url.pathname.startsWith('/v1/')) {
    answerOverApi(world, request, response, { url, body, save: hooks.save });
    return;
  }
  if (url.pathname.startsWith('/_control/')) {
    const { status, result } = control(world, url.pathname, request.method ?? 'GET', body);
    hooks.save();
    hooks.moved();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(result));
    return;
  }
  settle(world);
  const form = request.method === 'POST' ? Object.fromEntries(new URLSearchParams(body)) : null;
  const reply = hostedPage(world, url.pathname, form);
  if (form) hooks.save();
  if ('redirect' in reply) response.writeHead(303, { location: reply.redirect }).end();
  else {
    response
      .writeHead(reply.status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
      .end(reply.html);
  }
}

/** The API, with the faults that were asked for. */
function answerOverApi(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  { url, body, save }: { url: URL; body: string; save: () => void },
): void {
  const fault = takeFault(world.faults, url.pathname);
  const reply = fault && !fault.afterwards ? null : answerApi(world, request, url, body);
  if (request.method !== 'GET') save();
  if (fault?.kind === 'timeout') return;
  if (fault?.kind === 'reset') {
    request.socket.destroy();
    return;
  }
  if (fault || !reply) {
    const status = fault?.status ?? 500;
    const error = { type: status === 429 ? 'invalid_request_error' : 'api_error', message: 'a fault on demand' };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    return;
  }
  response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(reply.body);
}

function takeFault(faults: Faults, path: string): Faults['api'] {
  const { api } = faults;
  if (!api || !path.startsWith(api.path)) return null;
  api.times -= 1;
  if (api.times === 0) faults.api = null;
  return api;
}

const clockInput = z.union([
  z.strictObject({ to: z.int() }),
  z.strictObject({ advanceSeconds: z.int().min(0) }),
  z.strictObject({ advanceDays: z.int().min(0) }),
]);

/** `POST /_control/clock` moves the time, `POST /_control/faults` sets faults; `GET` shows either. */
function control(world: World, path: string, method: string, body: string): { status: number; result: object } {
  try {
    if (path === '/_control/clock') {
      if (method === 'POST') {
        const asked = clockInput.parse(JSON.parse(body));
        const now = world.clock.now();
        if ('to' in asked) moveClock(world, asked.to);
        else moveClock(world, now + ('advanceDays' in asked ? asked.advanceDays * 86_400 : asked.advanceSeconds));
      }
      return { status: 200, result: { now: world.clock.now() } };
    }
    if (path === '/_control/faults') {
      if (method === 'POST') Object.assign(world.faults, faultsInput.parse(JSON.parse(body)));
      return { status: 200, result: world.faults };
    }
  } catch (error) {
    return { status: 400, result: { error: error instanceof Error ? error.message : String(error) } };
  }
  return { status: 404, result: { error: 'there is no such control' } };
}

function hostedPage(world: World, path: string, form: Record<string, string> | null): PageReply {
  const [, kind, first = '', second = '', third = ''] = path.split('/');
  if (kind === 'c' && first === 'pay') {
    return checkoutPage(world, second, third === 'authenticate' ? 'authenticate' : 'pay', form);
  }
  if (kind === 'i') return invoicePage(world, first, second === 'authenticate' ? 'authenticate' : 'pay', form);
  if (kind === 'p' && first === 'session') return portalPage(world, second, form);
  return page('Payment simulator', '<p>There is nothing at this address.</p>', 404);
}

async function read(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += piece.length;
    if (size > maxBodyBytes) throw new Error('the request is too large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
