import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

/** A request as the server saw it. */
export interface ModelCall {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
  /** Every text of the request, one below the other: system, messages, input, documents. */
  prompt: string;
  /** Resolves when the other side has closed the connection before the answer was over. */
  aborted: Promise<void>;
}

export async function received(request: IncomingMessage, response: ServerResponse): Promise<ModelCall> {
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
