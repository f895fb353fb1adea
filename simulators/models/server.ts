import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json, text as textOf } from 'node:stream/consumers';
import type { ModelCall, Script, Turn } from './script.ts';
import { type ModelProtocol, type Wire, wires } from './wire.ts';

export interface ModelServer {
  /** What the adapter takes for the service's base address. */
  url: string;
  /** Where service accounts get their tokens; each is asked for one, and `token()` is what it got. */
  tokenUrl: string;
  tokensGiven(): number;
  /** Requests for an answer, in order. */
  calls: ModelCall[];
  /** From the next request on. */
  play(script: Script): void;
  close(): Promise<void>;
}

/** A model on loopback that speaks a service's wire protocol and follows a script. */
export async function startModelServer({
  protocol,
  script,
}: {
  protocol: ModelProtocol;
  script: Script;
}): Promise<ModelServer> {
  const wire = wires[protocol];
  let playing = script;
  let turns = 0;
  let tokens = 0;
  const calls: ModelCall[] = [];

  const server = await startLoopback(async (request, response) => {
    if (request.url === '/token') {
      await textOf(request);
      tokens += 1;
      return answerJson(response, 200, { access_token: `token-${tokens}`, expires_in: 3600, token_type: 'Bearer' });
    }
    if (request.method !== 'POST' || !wire.path.test(request.url ?? ''))
      return answerJson(response, 404, wire.error('not_found_error', 404));
    const call = await received(request, response);
    calls.push(call);
    const list = Array.isArray(playing) ? playing : [playing];
    const now = list[Math.min(turns++, list.length - 1)];
    if (now) await perform(typeof now === 'function' ? now(call) : now, wire, response, call);
  });

  return {
    url: server.origin + wire.base,
    tokenUrl: `${server.origin}/token`,
    tokensGiven: () => tokens,
    calls,
    play(next) {
      playing = next;
      turns = 0;
    },
    close: server.close,
  };
}

async function perform(turn: Turn, wire: Wire, response: ServerResponse, call: ModelCall): Promise<void> {
  const { failure, pieces, pauseMs, then } = turn;
  if (failure) {
    const { status, reason = 'an_error', headers = {}, body } = failure;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body ?? JSON.stringify(wire.error(reason, status)));
    return;
  }
  const input = Math.ceil(call.prompt.length / 4);
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(wire.begin(input));
  for (const piece of pieces) {
    if (pauseMs !== undefined) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (response.destroyed) return;
    response.write(wire.piece(piece));
  }
  if (then === 'hang') return;
  if (then === 'disconnect') return void response.write('', () => response.destroy());
  if (then === 'malformed') return void response.end('data: {"this is": no json\n\n');
  if (then) return void response.end(wire.errorEvent(then.error));
  response.end(wire.end(turn.end ?? 'done', turn.uncounted ? null : { input, output: pieces.length + 1 }));
}

async function received(request: IncomingMessage, response: ServerResponse): Promise<ModelCall> {
  const body = await json(request);
  return {
    path: request.url ?? '',
    headers: request.headers,
    body,
    prompt: [...texts(body)].join('\n'),
    aborted: new Promise((resolve) => response.once('close', () => !response.writableFinished && resolve())),
  };
}

/** Every text in a request, whatever its shape; names of models and roles are among them. */
function* texts(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* texts(each);
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function startLoopback(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
