import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from '#contract/call.ts';
import { AppError, httpStatus, type Status } from '#contract/errors.ts';
import { mayAccess, requireFeature } from '#contract/permissions.ts';
import type { WatchAccess } from '#server/calls/access.ts';
import type { Actor } from '#server/calls/actor.ts';
import { toAppError } from '#server/calls/errors.ts';
import { type Envelope, readEnvelope } from './body.ts';
import {
  clearRefreshCookie,
  deviceCookie,
  refreshCookie,
  requireSameOrigin,
  setDeviceCookie,
  setRefreshCookie,
} from './cookie.ts';
import type { NoteStream } from './open-streams.ts';
import { type EventStream, openEventStream } from './sse.ts';

/** Any handler of `Handlers`. Its input is what its own call's schema made, so no common type but `never` fits all. */
export type AnyHandler = (input: never, context: never) => Promise<unknown>;

export interface CallsOptions {
  contract: Record<string, Call>;
  /** One for each call of the contract. */
  handlers: Record<string, AnyHandler>;
  /** @throws AppError of status UNAUTHENTICATED when the bearer is not valid (any more). */
  authenticate: (bearer: string) => Promise<Actor>;
  /** Ends what a person has open when they lose their access. */
  watchAccess?: WatchAccess;
  /** Ends the oldest of too many streams of a person. */
  noteStream?: NoteStream;
  /** Counts a use where the call has a limit. */
  limit?: (name: string, actor: Actor | null, ip: string) => Promise<void>;
  /** The calls that act on the refresh cookie, and so are answered to pages of our own origin only. */
  cookieCalls?: readonly string[];
  publicUrl: string;
  /** Milliseconds that a call may take. */
  deadlineMs: number;
  /** Milliseconds between two signs of life in a stream. */
  pingMs: number;
  /** Told of every call answered; `name` is `unknown` for one that does not exist. */
  observe?: (call: { name: string; status: Status | 'OK'; milliseconds: number }) => void;
}

/**
 * Binds every call of the contract to its handler, at `/<name>` below the scope's prefix. A scope is closed for other
 * routes: what it knows of bodies is for calls alone.
 */
export function registerCalls(scope: FastifyInstance, options: CallsOptions): void {
  // A body is read by `readEnvelope` whatever its type, so that every wrong one gets the same clean answer.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    readEnvelope(request, payload),
  );
  // What never reaches a handler, like a header that can't be read.
  scope.setErrorHandler((thrown, request, reply) => {
    const error = toAppError(thrown);
    if (error.code === 'internal') request.log.error({ err: thrown }, 'failed');
    if (asksForStream(request)) openEventStream(reply, options.pingMs).end({ error: error.toWire() });
    else void sendError(reply, error);
  });
  const closing = new AbortController();
  scope.addHook('preClose', async () => closing.abort(new AppError('unavailable')));
  scope.post<{ Params: { name: string } }>('/:name', (request, reply) =>
    answer(request.params.name, request, reply, options, closing.signal),
  );
  scope.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url: '/:name',
    handler: (_request, reply) => sendError(reply, new AppError('bad-request')),
  });
}

/** Sends an error as the protocol has it. */
export function sendError(reply: FastifyReply, error: AppError): FastifyReply {
  const seconds = error.details.retryAfterSeconds;
  if (typeof seconds === 'number') void reply.header('retry-after', seconds);
  return reply
    .code(httpStatus[error.status])
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send({ error: error.toWire() });
}

async function answer(
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
  options: CallsOptions,
  closing: AbortSignal,
): Promise<FastifyReply> {
  const started = performance.now();
  const ended = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) ended.abort(new AppError('cancelled'));
  });
  const deadline = setTimeout(() => ended.abort(new AppError('deadline-exceeded')), options.deadlineMs);
  const streamed = asksForStream(request);
  const stream = streamed ? openEventStream(reply, options.pingMs) : null;
  // A stream could hold a shutdown up for its whole time; a unary call is let finish.
  const signal = stream ? AbortSignal.any([ended.signal, closing]) : ended.signal;
  const call = Object.hasOwn(options.contract, name) ? options.contract[name] : undefined;
  const seen: Seen = { actor: null };
  let unwatch = () => {};
  const watch = ({ userId, sessionId }: Actor) => {
    const accessEnded = () => ended.abort(new AppError('session-expired'));
    const unwatchAccess = options.watchAccess?.({ userId, sessionId }, accessEnded);
    const streamEnded = stream ? options.noteStream?.(userId, (reason) => ended.abort(reason)) : undefined;
    unwatch = () => {
      unwatchAccess?.();
      streamEnded?.();
    };
  };
  let status: Status | 'OK' = 'OK';
  try {
    const work = perform(name, call, request, reply, options, { signal, stream, seen, watch });
    const result = await Promise.race([work, whenAborted(signal)]);
    if (stream) stream.end({ result });
    else {
      const body = call?.alsoAsData ? { result, data: result } : { result };
      void reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(body);
    }
  } catch (thrown) {
    const error = toAppError(thrown);
    status = error.status;
    if (error.code === 'internal' || error.code === 'unavailable')
      request.log.error({ err: thrown, call: name }, 'failed');
    if (stream) stream.end({ error: error.toWire() });
    else void sendError(reply, error);
  } finally {
    clearTimeout(deadline);
    unwatch();
    const milliseconds = performance.now() - started;
    options.observe?.({ name: call ? name : 'unknown', status, milliseconds });
    request.log.info(
      {
        call: call ? name : 'unknown',
        status: status === 'OK' ? 200 : httpStatus[status],
        ms: Math.round(milliseconds * 10) / 10,
        companyId: seen.actor?.companyId,
        userId: seen.actor?.userId,
        streamed: streamed || undefined,
      },
      'call',
    );
  }
  return reply;
}

/** Exactly this value, as the official server compares it: any list and any wildcard ask for JSON. */
function asksForStream(request: FastifyRequest): boolean {
  return request.headers.accept === 'text/event-stream';
}

/** What is known of the caller by the time the call is logged. */
interface Seen {
  actor: Actor | null;
}

async function perform(
  name: string,
  call: Call | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  options: CallsOptions,
  run: { signal: AbortSignal; stream: EventStream | null; seen: Seen; watch: (actor: Actor) => void },
): Promise<unknown> {
  const handler = Object.hasOwn(options.handlers, name) ? options.handlers[name] : undefined;
  if (!call || !handler) throw new AppError('unknown-call');
  const data = dataOf(request.body);
  const actor = await callerOf(request, options.authenticate);
  run.seen.actor = actor;
  if (actor && !call.endsOwnSessions) run.watch(actor);
  // Once more, or a person removed between the look and the watch would keep a stream for its whole time.
  if (actor && run.stream) await callerOf(request, options.authenticate);
  requireAccess(actor, call);
  if (options.cookieCalls?.includes(name)) requireSameOrigin(request, options.publicUrl);
  const input = call.input.safeParse(data);
  if (!input.success) throw invalidInput(input.error.issues);
  if (call.feature && actor) requireFeature(actor.entitlements, call.feature);
  await options.limit?.(name, actor, request.ip);
  run.signal.throwIfAborted();
  const { stream } = run;
  const context = {
    actor,
    signal: run.signal,
    emit: (message: unknown) => {
      if (stream && call.message) stream.message(call.message.parse(message));
    },
    recheck: async () => requireAccess(await callerOf(request, options.authenticate), call),
    ip: request.ip,
    agent: request.headers['user-agent'],
    refreshToken: refreshCookie(request),
    setRefreshToken: (token: { value: string; expiresAt: Date } | null) => {
      requireUnsent(stream);
      if (token) setRefreshCookie(reply, token, options.publicUrl);
      else clearRefreshCookie(reply, options.publicUrl);
    },
    device: deviceCookie(request),
    setDevice: (mark: { value: string; expiresAt: Date }) => {
      requireUnsent(stream);
      setDeviceCookie(reply, mark, options.publicUrl);
    },
  };
  // The one cast of the transport: the schema of this very call has just made the input, which no type can follow
  // through a record of calls.
  const result = await handler(input.data as never, context as never);
  return call.output.parse(result);
}

function requireAccess(actor: Actor | null, call: Call): void {
  if (!mayAccess(actor?.role ?? null, call.access)) throw new AppError(actor ? 'permission-denied' : 'unauthenticated');
}

function requireUnsent(stream: EventStream | null): void {
  if (stream?.started) throw new Error('a cookie was set after the first event of a stream');
}

function dataOf(body: unknown): unknown {
  // No body at all never reaches the parser.
  const envelope = body as Envelope | undefined;
  if (!envelope) throw new AppError('bad-request');
  if ('problem' in envelope) throw envelope.problem;
  return envelope.data;
}

/** Who sends the request; null without a bearer. @throws AppError for a bearer that is not valid (any more) */
export async function callerOf(
  request: FastifyRequest,
  authenticate: CallsOptions['authenticate'],
): Promise<Actor | null> {
  const header = request.headers.authorization;
  if (header === undefined) return null;
  const bearer = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (!bearer) throw new AppError('unauthenticated');
  return authenticate(bearer);
}

function invalidInput(issues: { path: PropertyKey[]; message: string }[]): AppError {
  const described = issues.slice(0, 20).map(({ path, message }) => ({ path: path.map(String).join('.'), message }));
  return new AppError('invalid-input', { details: { issues: described } });
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
