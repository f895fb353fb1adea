import type { ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { answerJson, startLoopback } from './loopback.ts';
import { type ModelCall, received } from './received.ts';
import type { Script, Turn } from './script.ts';
import { type ModelProtocol, type Wire, wires } from './wire.ts';

export type { ModelProtocol } from './wire.ts';

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
  const { failure, pieces, pauseMs, afterwards } = turn;
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
  if (afterwards === 'hang') return;
  if (afterwards === 'disconnect') return void response.write('', () => response.destroy());
  if (afterwards === 'malformed') return void response.end('data: {"this is": no json\n\n');
  if (afterwards) return void response.end(wire.errorEvent(afterwards.error));
  response.end(wire.end(turn.end ?? 'done', turn.uncounted ? null : { input, output: pieces.length + 1 }));
}
