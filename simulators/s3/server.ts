import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, errorAnswer, operationOf } from './answers.ts';
import { Buckets } from './buckets.ts';
import { S3Error } from './error.ts';
import { type S3User, signer } from './signature.ts';

/** Something that goes wrong with one request. */
export type Fault =
  | { status: number; code: string }
  /** The connection ends before anything was done. */
  | 'cut'
  /** It is done, and the connection ends before the answer. */
  | 'lost-reply'
  /** After so many bytes of the body the connection ends, or nothing more comes. */
  | { cutAfter: number }
  | { stallAfter: number };

export interface S3Simulator {
  url: string;
  users: Map<string, S3User>;
  /** As they were asked: `PUT bucket/key`, with the query. */
  requests: string[];
  /** Asked of each request from now on. */
  onRequest(fault: (request: string) => Fault | undefined): void;
  /** From now on each answer takes so long, as one from a store that is further away. */
  delay(ms: number): void;
  /** From now on its clock is so far ahead. */
  clockAhead(ms: number): void;
  /** Bodies that are still being sent. */
  bodiesOpen(): number;
  close(): Promise<void>;
}

export interface S3SimulatorOptions {
  users: Map<string, S3User>;
  region?: string;
  tls?: { key: string; cert: string };
  /** How far its clock is ahead. */
  clockAheadMs?: number;
  /** Whether it takes notice of `If-None-Match`, as not all stores do. */
  keepsConditions?: boolean;
}

/**
 * A store in memory on loopback that speaks what we need of S3: signed requests, conditional writes, ranges, lists,
 * uploads in parts. It is held to the answers of Ceph by `server/ports/files/contract-s3.ts`.
 */
export async function startS3Simulator({
  users,
  region = 'us-east-1',
  tls,
  clockAheadMs = 0,
  keepsConditions = true,
}: S3SimulatorOptions): Promise<S3Simulator> {
  const buckets = new Buckets();
  const requests: string[] = [];
  let faultOf: (request: string) => Fault | undefined = () => undefined;
  let open = 0;
  let delayMs = 0;
  let aheadMs = clockAheadMs;
  const now = () => new Date(Date.now() + aheadMs);

  const listener: RequestListener = async (request, response) => {
    const { method = '', url = '' } = request;
    const body = await buffer(request).catch(() => null);
    if (!body) return void response.destroy();
    const told = `${method} ${url.slice(1)}`;
    requests.push(told);
    const fault = faultOf(told);
    if (fault === 'cut') return void response.destroy();
    if (delayMs > 0) await wait(delayMs);
    const answer = attempt(() => {
      if (typeof fault === 'object' && 'status' in fault) throw new S3Error(fault.status, fault.code);
      const user = signer(request, body, { users, region, now: now() });
      return answerTo(request, body, user, { buckets, keepsConditions });
    });
    if (fault === 'lost-reply') return void response.destroy();
    open += 1;
    response.once('close', () => (open -= 1));
    send(response, method, answer, now(), fault);
  };

  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${address.port}`,
    users,
    requests,
    onRequest(next) {
      faultOf = next;
    },
    delay(ms) {
      delayMs = ms;
    },
    clockAhead(ms) {
      aheadMs = ms;
    },
    bodiesOpen: () => open,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerTo(
  { method = '', url = '', headers }: IncomingMessage,
  body: Buffer,
  user: S3User,
  { buckets, keepsConditions }: { buckets: Buckets; keepsConditions: boolean },
): Answer {
  const { pathname, searchParams: query } = new URL(url, 'http://localhost');
  const [bucketName = '', ...parts] = decodeURIComponent(pathname.slice(1)).split('/');
  const key = parts.join('/');
  if (method === 'PUT' && key === '' && query.size === 0) {
    buckets.create(bucketName);
    return { status: 200 };
  }
  const { action, answer } = operationOf(method, key !== '', query);
  const bucket = buckets.get(bucketName);
  if (user.mayNot?.includes(action)) throw new S3Error(403, 'AccessDenied');
  const single = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return answer({ bucket, bucketName, key, query, headers: single, body, keepsConditions });
}

function attempt(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (error instanceof S3Error) return errorAnswer(error);
    throw error;
  }
}

function send(
  response: ServerResponse,
  method: string,
  { status, headers, body = '' }: Answer,
  date: Date,
  fault: Fault | undefined,
): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { date: date.toUTCString(), ...headers, 'content-length': bytes.length });
  if (method === 'HEAD') return void response.end();
  if (typeof fault === 'object' && 'cutAfter' in fault)
    return void response.write(bytes.subarray(0, fault.cutAfter), () => response.destroy());
  if (typeof fault === 'object' && 'stallAfter' in fault)
    return void response.write(bytes.subarray(0, fault.stallAfter));
  response.end(bytes);
}
