import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, httpStatus } from '#contract/errors.ts';
import { toAppError } from '#server/calls/errors.ts';
import { type Envelope, readEnvelope } from './body.ts';
import type { RunCall, RunOptions } from './run-call.ts';
import { openEventStream } from './sse.ts';

export interface CallsOptions extends RunOptions {
  /** Milliseconds between two signs of life in a stream. */
  pingMs: number;
}

/**
 * Binds every call of the contract to its handler, at `/<name>` below the scope's prefix. A scope is closed for other
 * routes: what it knows of bodies is for calls alone.
 */
export function registerCalls(scope: FastifyInstance, options: CallsOptions, run: RunCall): void {
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
  scope.post<{ Params: { name: string } }>('/:name', (request, reply) =>
    answer(request.params.name, request, reply, options, run),
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
  run: RunCall,
): Promise<FastifyReply> {
  const stream = asksForStream(request) ? openEventStream(reply, options.pingMs) : null;
  try {
    const result = await run({ name, request, reply, data: () => dataOf(request.body), stream });
    if (stream) stream.end({ result });
    else {
      const isCall = Object.hasOwn(options.contract, name);
      const body = isCall && options.contract[name]?.alsoAsData ? { result, data: result } : { result };
      void reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(body);
    }
  } catch (thrown) {
    const error = toAppError(thrown);
    if (stream) stream.end({ error: error.toWire() });
    else void sendError(reply, error);
  }
  return reply;
}

/** Exactly this value, as the official server compares it: any list and any wildcard ask for JSON. */
function asksForStream(request: FastifyRequest): boolean {
  return request.headers.accept === 'text/event-stream';
}

function dataOf(body: unknown): unknown {
  // No body at all never reaches the parser.
  const envelope = body as Envelope | undefined;
  if (!envelope) throw new AppError('bad-request');
  if ('problem' in envelope) throw envelope.problem;
  return envelope.data;
}
