import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from '#contract/call.ts';
import { AppError, httpStatus, type Status } from '#contract/errors.ts';
import type { WatchAccess } from '#server/calls/access.ts';
import type { Actor } from '#server/calls/actor.ts';
import { toAppError } from '#server/calls/errors.ts';
import { readEnvelope } from './body.ts';
import { callerOf } from './caller.ts';
import type { NoteStream } from './open-streams.ts';
import { type PerformOptions, perform, type Seen } from './perform.ts';
import { openEventStream } from './sse.ts';

export interface CallsOptions extends PerformOptions {
  contract: Record<string, Call>;
  /** Ends what a person has open when they lose their access. */
  watchAccess?: WatchAccess;
  /** Ends the oldest of too many streams of a person. */
  noteStream?: NoteStream;
  /** Milliseconds that a call may take. */
  deadlineMs: number;
  /** Milliseconds between two signs of life in a stream. */
  pingMs: number;
  /** Told of every call answered; `name` is `unknown` for one that does not exist. */
  observe?: (call: { name: string; status: Status | 'OK'; milliseconds: number }) => void;
}

/** For the end of an answer that is being written when the service stops; less than for all requests together. */
const answersEndMs = 8000;

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
  const leaving = new AbortController();
  const closing = new AbortController();
  scope.addHook('preClose', async () => {
    leaving.abort();
    setTimeout(() => closing.abort(new AppError('unavailable')), answersEndMs).unref();
  });
  const stopping = { leaving: leaving.signal, closing: closing.signal };
  scope.post<{ Params: { name: string } }>('/:name', (request, reply) =>
    answer(request.params.name, request, reply, options, stopping),
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
  { leaving, closing }: { leaving: AbortSignal; closing: AbortSignal },
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
  /**
   * A key is not renewed as a token is: what it has open goes on where it opens as much as before. A change is heard of a
   * moment later, also by calls that began after it. Where changes may have been missed it is looked whether there was one.
   */
  const accessChanged = async (actor: Actor, reason: AppError | null) => {
    if (reason === null || (actor.key && reason.code === 'invalid-api-key')) {
      const who = { enrolling: call?.whileEnrolling ?? false };
      const now = await callerOf(request, options.authenticate, who).catch(toAppError);
      if (now instanceof AppError) return ended.abort(now);
      if (now?.role === actor.role) return;
    }
    ended.abort(reason ?? new AppError('session-expired'));
  };
  const watch = (actor: Actor) => {
    const { companyId, userId, sessionId, key } = actor;
    const holder = { companyId, userId, sessionId, key, ip: request.ip };
    const changed = (reason: AppError | null) => void accessChanged(actor, reason);
    const unwatchAccess = options.watchAccess?.(holder, changed, () => changed(null));
    const streamEnded = stream ? options.noteStream?.(userId, (reason) => ended.abort(reason)) : undefined;
    unwatch = () => {
      unwatchAccess?.();
      streamEnded?.();
    };
  };
  let status: Status | 'OK' = 'OK';
  try {
    const work = perform(name, call, request, reply, options, { signal, leaving, stream, seen, watch });
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
        keyId: seen.actor?.key?.id,
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

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
