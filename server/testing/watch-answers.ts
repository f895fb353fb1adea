import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** What a call was sent and answered on the wire. */
export interface Answered {
  call: string;
  /** The bytes of the request's body. */
  sent: string;
  /** The HTTP status; a stream has 200 whatever comes of it. */
  status: number;
  streamed: boolean;
  /** The JSON of the answer, or each of a stream's. */
  lines: unknown[];
}

/** What a server has that calls come to. */
export interface Listening {
  prependListener(event: 'request', listener: RequestListener): unknown;
}

/**
 * Tells of every call that a server answers to its end, as its bytes came and left: whatever client asked, and however.
 */
export function watchAnswers(server: Listening, tell: (answered: Answered) => void): void {
  server.prependListener('request', (request, response) => {
    const call = /^\/(?:v1|[^/]+\/us-east4)\/(\w+)(?:\?|$)/.exec(request.url ?? '')?.[1];
    if (call === undefined || call === 'uploads' || request.method !== 'POST') return;
    const sent = keepSent(request);
    const left = keepLeaving(response);
    response.once('finish', () => {
      const streamed = String(response.getHeader('content-type')).startsWith('text/event-stream');
      const text = left();
      const lines = streamed ? dataLines(text) : [text];
      const { statusCode: status } = response;
      // Sent to another name of this machine: no call has been reached.
      if (status !== 421) tell({ call, sent: sent(), status, streamed, lines: lines.map(parsed) });
    });
  });
}

/** As it is pushed: a listener for its data would take the bytes away from whoever reads them. */
function keepSent(request: IncomingMessage): () => string {
  const pieces: Buffer[] = [];
  const push = request.push.bind(request);
  request.push = (piece: unknown, encoding?: BufferEncoding) => {
    if (piece instanceof Uint8Array) pieces.push(Buffer.from(piece));
    return push(piece, encoding);
  };
  return () => Buffer.concat(pieces).toString();
}

function keepLeaving(response: ServerResponse): () => string {
  const pieces: Buffer[] = [];
  for (const method of ['write', 'end'] as const) {
    const usual = response[method];
    const kept = function (this: ServerResponse, ...given: unknown[]): unknown {
      const [piece] = given;
      if (typeof piece === 'string') pieces.push(Buffer.from(piece));
      else if (piece instanceof Uint8Array) pieces.push(Buffer.from(piece));
      return Reflect.apply(usual, this, given);
    };
    Object.assign(response, { [method]: kept });
  }
  return () => Buffer.concat(pieces).toString();
}

function dataLines(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []));
}

/** What is no JSON is told as it is, and fits nothing. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
