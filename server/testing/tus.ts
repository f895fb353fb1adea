import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { AppError } from '#contract/errors.ts';
import type { TestApp } from './app.ts';

export interface TusReply {
  status: number;
  headers: Headers;
  body: string;
  /** Of the catalogue; absent where it went well. */
  code: string | undefined;
}

export interface Send {
  headers?: Record<string, string>;
  body?: BodyInit;
  token?: string | undefined;
}

export interface Begin extends Omit<Send, 'body'> {
  /** What the creating request brings along. */
  body?: Uint8Array;
  /** What the upload is said to be; the length of the body when absent. */
  size?: number;
}

/** The tus protocol as it is on the wire, for what no client library would send. */
export function rawTus(app: Pick<TestApp, 'url' | 'fetch'>, token?: string) {
  async function send(method: string, path: string, options: Send = {}): Promise<TusReply> {
    const { body, headers } = options;
    const bearer = 'token' in options ? options.token : token;
    const response = await app.fetch(path, {
      method,
      headers: {
        ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
        'Tus-Resumable': '1.0.0',
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const answer = await response.text();
    const error = answer.startsWith('{') ? JSON.parse(answer).error : undefined;
    return {
      status: response.status,
      headers: response.headers,
      body: answer,
      code: error && AppError.fromWire(error).code,
    };
  }

  return {
    send,

    begin: (name: string, { body, size = body?.length ?? 0, headers, ...rest }: Begin = {}) =>
      send('POST', '/v1/uploads', {
        ...rest,
        headers: { ...beginning(name, size), ...(body && octets), ...headers },
        ...(body && { body: Buffer.from(body) }),
      }),

    patch: (path: string, offset: number, body: Uint8Array, options: Send = {}) =>
      send('PATCH', path, {
        ...options,
        headers: { ...octets, 'Upload-Offset': String(offset), ...options.headers },
        body: Buffer.from(body),
      }),

    head: (path: string, options: Send = {}) => send('HEAD', path, options),

    /** How far it has got. */
    async offset(path: string): Promise<number> {
      return Number((await send('HEAD', path)).headers.get('Upload-Offset'));
    },

    remove: (path: string, options: Send = {}) => send('DELETE', path, options),

    /** A request that its sender holds open: `write` bytes, `destroy` it, or `end` it and never read the answer. */
    open: (method: string, path: string, headers: Record<string, string>): ClientRequest => {
      const opened = request(app.url + path, {
        method,
        agent: false,
        headers: { Authorization: `Bearer ${token}`, 'Tus-Resumable': '1.0.0', ...octets, ...headers },
      });
      // What the other side does to a request that is torn down is not what these tests are about.
      opened.on('error', () => {});
      opened.flushHeaders();
      return opened;
    },
  };
}

export type RawTus = ReturnType<typeof rawTus>;

/** The answer to a held request. */
export async function answerOf(opened: ClientRequest): Promise<{ status: number | undefined; body: string }> {
  const [response]: IncomingMessage[] = await once(opened, 'response');
  return { status: response?.statusCode, body: response ? await text(response) : '' };
}

export const octets = { 'Content-Type': 'application/offset+octet-stream' };

/** The headers that begin an upload. */
export function beginning(name: string, size: number): Record<string, string> {
  return {
    'Upload-Length': String(size),
    'Upload-Metadata': `filename ${Buffer.from(name).toString('base64')}`,
  };
}

/** The path of an upload that was begun. @throws when it was not */
export function locationOf({ status, headers, body }: TusReply): string {
  const location = headers.get('Location');
  if (status !== 201 || location === null) throw new Error(`not begun: ${status} ${body}`);
  return location;
}
