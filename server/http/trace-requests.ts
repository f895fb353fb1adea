import type { FastifyInstance, FastifyRequest } from 'fastify';
import { calls } from '#contract/calls.ts';
import { beginSpan } from '#server/lib/span.ts';

/** Asked for every few seconds by those who watch the service, or files of the web app: they would bury the rest. */
const untraced = new Set(['/healthz', '/readyz', '/metrics', '/*']);

/**
 * Makes each request a step, with all that is done for it as its parts. It is named after its route: a path can have a
 * token or a name in it.
 */
export function traceRequests(http: FastifyInstance): void {
  http.addHook('onRequest', (request, reply, done) => {
    const name = nameOf(request);
    const span = name === null ? null : beginSpan(name, { 'http.request.id': request.id });
    if (!span) return done();
    reply.raw.once('close', () => {
      const isCut = !reply.raw.writableFinished;
      const status = reply.raw.statusCode;
      span.end({ 'http.response.status_code': status, ...(isCut && { 'http.cut': true }), failed: status >= 500 });
    });
    span.within(done);
  });
}

function nameOf({ method, params, routeOptions: { url } }: FastifyRequest): string | null {
  if (url === undefined || untraced.has(url)) return null;
  const call = Object(params).name;
  // Any name can be asked for; those that are none of ours would be so many names of steps.
  const known = typeof call === 'string' && Object.hasOwn(calls, call) ? call : ':name';
  return `${method} ${url === '/v1/:name' ? `/v1/${known}` : url}`;
}
