import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { apiKeyStart } from '#contract/api-keys.ts';
import { AppError, httpStatus } from '#contract/errors.ts';
import type { Actor, Authenticate, AuthenticateApp } from '#server/calls/actor.ts';
import { toAppError } from '#server/calls/errors.ts';
import { onceClosed } from '#server/calls/once-closed.ts';
import { brandOrigins, originOf } from '#server/config/brand-hosts.ts';
import type { Config } from '#server/config/config.ts';
import { type Content, readJson } from '../body.ts';
import { callerOf } from '../caller.ts';
import type { RunCall } from '../run-call.ts';
import type { Readable as ReadableText } from './document-text.ts';
import { createMakeCall } from './make-call.ts';

export interface McpOptions {
  run: RunCall;
  authenticate: Authenticate;
  authenticateApp: AuthenticateApp;
  readable: ReadableText;
  config: Pick<Config, 'publicUrl' | 'brandHosts' | 'branding'>;
  /** Milliseconds between two signs of life in a stream. */
  pingMs: number;
}

/** What programs that speak MCP send, at most: arrays and objects within each other. */
const maxDepth = 32;
/** Longer than any that is asked for here: it is written back into each answer. */
const maxIdLength = 256;

/**
 * The calls for programs that speak the Model Context Protocol (decision 0055): by an API key, and at `/mcp` as an app
 * that a person has connected (decision 0056). `/mcp/key` never says how that is done: some programs leave the key that
 * they are given unused as soon as they hear of another way.
 */
export function registerMcp(scope: FastifyInstance, options: McpOptions): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) => readJson(request, payload));
  scope.setErrorHandler((thrown, request, reply) => {
    const error = toAppError(thrown);
    if (error.code === 'internal') request.log.error({ err: thrown }, 'failed');
    return refuse(reply, error, { connectAt: connectAt(request, options) });
  });
  const origins = new Set([new URL(options.config.publicUrl).origin, ...brandOrigins(options.config)]);
  for (const url of ['/mcp', '/mcp/key']) {
    scope.post(url, async (request, reply) => {
      requireOwnOrigin(request, origins);
      const authenticate = bearersAt(request, options);
      const actor = await actorOf(request, authenticate);
      return serve({ request, reply, actor, authenticate }, messageIn(request.body), options);
    });
    // No session is kept, so there is none to listen to or to end.
    scope.route({
      method: ['GET', 'PUT', 'PATCH', 'DELETE'],
      url,
      handler: (_request, reply) => refuse(reply.header('allow', 'POST'), new AppError('bad-request'), { status: 405 }),
    });
  }
}

/** A page elsewhere has no business here: nobody pastes a key into one that we know of. */
function requireOwnOrigin({ headers: { origin } }: FastifyRequest, origins: ReadonlySet<string>): void {
  if (origin !== undefined && !origins.has(origin)) {
    throw new AppError('permission-denied', { message: 'Pages of other origins cannot use this.' });
  }
}

/** Who asks, before anything of the message counts. @throws AppError */
async function actorOf(request: FastifyRequest, authenticate: Authenticate): Promise<Actor> {
  if (request.headers.authorization === undefined) {
    throw new AppError('unauthenticated', { message: 'Please send an API key as a bearer.' });
  }
  const actor = await callerOf(request, authenticate);
  if (!actor) throw new AppError('unauthenticated');
  return actor;
}

/** Keys, and at `/mcp` the tokens of apps. A session's token is for the browser that has it. */
function bearersAt(request: FastifyRequest, { authenticate, authenticateApp, config }: McpOptions): Authenticate {
  const resource = `${addressOf(request, config)}/mcp`;
  return (bearer, from) => {
    if (bearer.startsWith(apiKeyStart)) return authenticate(bearer, from);
    if (!takesApps(request)) throw new AppError('invalid-api-key');
    return authenticateApp(bearer, { ip: from.ip, resource });
  };
}

function takesApps({ url }: FastifyRequest): boolean {
  return url.split('?', 1)[0] === '/mcp';
}

/** Under which of our names it was asked. */
function addressOf(request: FastifyRequest, { brandHosts, publicUrl }: McpOptions['config']): string {
  const host = request.hostname.toLowerCase();
  return brandHosts.has(host) ? originOf(host, publicUrl) : publicUrl;
}

/** Where it is written how an app is connected; undefined where none can be. */
function connectAt(request: FastifyRequest, { config }: McpOptions): string | undefined {
  return takesApps(request) ? `${addressOf(request, config)}/.well-known/oauth-protected-resource/mcp` : undefined;
}

/** The one message of a body. @throws AppError */
function messageIn(body: unknown): object {
  // Without one it never reaches the parser.
  const read = body as Content | undefined;
  if (!read) throw new AppError('bad-request');
  if ('problem' in read) throw read.problem;
  const { content } = read;
  // Several at once were taken out of the protocol: they would be one request to whatever counts requests.
  const isOne = typeof content === 'object' && content !== null && !Array.isArray(content);
  if (!isOne || isDeeperThan(content, maxDepth)) throw new AppError('bad-request');
  const { id, method } = content as { id?: unknown; method?: unknown };
  if (typeof id === 'string' && id.length > maxIdLength) throw new AppError('bad-request');
  // Nothing that could be listened to changes, and a stream without an end would be one that nobody bounds.
  if (method === 'subscriptions/listen') throw new McpMethodMissing(id);
  return content;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1));
}

/** A server is made for each message: nothing of one is left for the next. */
async function serve(
  {
    request,
    reply,
    ...who
  }: { request: FastifyRequest; reply: FastifyReply; actor: Actor; authenticate: Authenticate },
  message: object,
  options: McpOptions,
): Promise<FastifyReply> {
  const { config, run, readable, pingMs } = options;
  const gone = new AbortController();
  onceClosed(reply, () => gone.abort());
  const address = addressOf(request, config);
  const call = createMakeCall({ run, request, reply, ...who });
  // Loaded with the first message: most services get none.
  const { createMcpHandler } = await import('@modelcontextprotocol/server');
  const { createMcpServer } = await import('./server.ts');
  const handler = createMcpHandler(() => createMcpServer({ call, readable, address, name: config.branding.name }), {
    keepAliveMs: pingMs,
    onerror: (error) => request.log.debug({ err: error }, 'mcp'),
  });
  const response = await handler.fetch(
    new Request(new URL(request.url, config.publicUrl), {
      method: 'POST',
      headers: headersOf(request),
      signal: gone.signal,
    }),
    { parsedBody: message },
  );
  return send(reply, response);
}

function headersOf({ headers }: FastifyRequest): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') all.set(name, value);
  return all;
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  void reply.code(response.status);
  for (const [name, value] of response.headers) void reply.header(name, value);
  void reply.header('cache-control', 'no-store');
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return reply.send(await response.text());
  // Tells buffering proxies to pass events on as they come.
  void reply.header('x-accel-buffering', 'no');
  return reply.send(Readable.fromWeb(response.body as ReadableStream));
}

/** What is refused before the protocol has its word, in its words: nobody knows which message it was. */
function refuse(
  reply: FastifyReply,
  error: AppError,
  { status, connectAt: at }: { status?: number; connectAt?: string | undefined } = {},
): FastifyReply {
  const isUnknown = error instanceof McpMethodMissing;
  const code = isUnknown
    ? -32601
    : error.status === 'INVALID_ARGUMENT'
      ? -32600
      : error.status === 'INTERNAL'
        ? -32603
        : -32000;
  const { message } = error;
  const details: Record<string, unknown> = { ...error.details, code: error.code };
  if (error.status === 'UNAUTHENTICATED') {
    const said = [
      ...(error.code === 'unauthenticated' ? [] : ['error="invalid_token"']),
      ...(at === undefined ? [] : [`resource_metadata="${at}"`, 'scope="read"']),
    ];
    void reply.header('www-authenticate', `Bearer ${said.join(', ')}`.trim());
  }
  const seconds = details.retryAfterSeconds;
  if (typeof seconds === 'number') void reply.header('retry-after', seconds);
  return reply
    .code(status ?? httpStatus[error.status])
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send({ jsonrpc: '2.0', id: isUnknown ? error.id : null, error: { code, message, data: details } });
}

class McpMethodMissing extends AppError {
  readonly id: unknown;

  constructor(id: unknown) {
    super('unknown-call', { message: 'Method not found' });
    this.id = typeof id === 'string' || typeof id === 'number' ? id : null;
  }
}
