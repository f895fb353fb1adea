import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

/** What stands before several processes. */
export interface ReverseProxy {
  /** Without a slash at the end. */
  url: string;
  /** Resolves when all processes say that they are ready. */
  allReady(): Promise<void>;
  close(): Promise<void>;
}

const lookEveryMs = 250;
const lookTimeoutMs = 5000;
/** For less than the service keeps them, as docs/operations.md has it: whoever closes must be the proxy. */
const keepIdleMs = 60_000;

/**
 * Leads each request to the next of those processes that say they are ready, in turn, as docs/operations.md has proxies
 * do: where none can be connected to, the next is tried; what was sent once is never sent again.
 * @param processes the addresses of those that run at the moment; asked before each request
 */
export async function startProxy(processes: () => readonly string[]): Promise<ReverseProxy> {
  const ready = new Set<string>();
  const closed = new AbortController();
  const agent = new Agent({ keepAlive: true, timeout: keepIdleMs });
  let turn = 0;

  const server = createServer((incoming, outgoing) => {
    const all = processes();
    const good = all.filter((each) => ready.has(each));
    // Where none is ready, one that runs can at least say so.
    const some = good.length > 0 ? good : all;
    turn += 1;
    const first = some.length > 0 ? turn % some.length : 0;
    pass({ incoming, outgoing, agent }, [...some.slice(first), ...some.slice(0, first)]);
  });
  // Connections are kept for longer than a person thinks, or one would be closed while the next request is on its way.
  server.keepAliveTimeout = 10 * 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function look(): Promise<void> {
    const all = processes();
    for (const each of ready) if (!all.includes(each)) ready.delete(each);
    await Promise.all(
      all.map(async (each) => {
        const isReady = await fetch(`${each}/readyz`, { signal: AbortSignal.timeout(lookTimeoutMs) }).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) ready.add(each);
        else ready.delete(each);
      }),
    );
  }

  const looking = (async () => {
    while (!closed.signal.aborted) {
      await look();
      await wait(lookEveryMs, undefined, { signal: closed.signal }).catch(() => {});
    }
  })();

  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async allReady() {
      for (;;) {
        // One that was ready before it was killed is looked at anew.
        await look();
        if (processes().length > 0 && processes().every((each) => ready.has(each))) return;
        await wait(lookEveryMs);
      }
    },
    async close() {
      closed.abort();
      server.closeAllConnections();
      server.close();
      agent.destroy();
      await looking;
    },
  };
}

interface Passed {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  agent: Agent;
}

function pass(passed: Passed, processes: readonly string[]): void {
  const { incoming, outgoing, agent } = passed;
  const [target, ...others] = processes;
  if (target === undefined) {
    badGateway(outgoing);
    return;
  }
  let isSent = false;
  const { method, socket } = incoming;
  const { connection: _, ...headers } = incoming.headers;
  const sending = request(new URL(incoming.url ?? '/', target), {
    agent,
    ...(method !== undefined && { method }),
    headers: { ...headers, 'x-forwarded-for': socket.remoteAddress ?? '' },
  });
  const send = () => {
    isSent = true;
    incoming.pipe(sending);
  };
  sending.once('socket', (to) => {
    if (sending.reusedSocket) send();
    else to.once('connect', send);
  });
  sending.once('response', (reply) => {
    const { connection: _, 'keep-alive': __, ...told } = reply.headers;
    outgoing.writeHead(reply.statusCode ?? 502, told);
    outgoing.flushHeaders();
    // Cut behind, it is cut in front: nobody may take a part for the whole.
    pipeline(reply, outgoing, () => {});
  });
  sending.on('error', () => {
    if (outgoing.destroyed) return;
    if (!isSent) pass(passed, others);
    else if (outgoing.headersSent) outgoing.destroy();
    else badGateway(outgoing);
  });
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) sending.destroy();
  });
}

function badGateway(outgoing: ServerResponse): void {
  // Some of what was sent may not have been taken, so the connection is good for nothing more.
  outgoing.writeHead(502, { 'content-type': 'text/plain', connection: 'close' });
  outgoing.end('Bad gateway\n');
}
