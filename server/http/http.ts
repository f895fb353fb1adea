import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Branding } from '#contract/calls/identity.ts';
import { calls } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Authenticate, AuthenticateApp } from '#server/calls/actor.ts';
import { toAppError } from '#server/calls/errors.ts';
import type { Handlers } from '#server/calls/handlers.ts';
import { brandOrigins } from '#server/config/brand-hosts.ts';
import type { Config } from '#server/config/config.ts';
import { asksForThisMachine, servesThisMachineAlone } from '#server/lib/this-machine.ts';
import { registerApiDocument } from './api-document.ts';
import { type CallsOptions, registerCalls, sendError } from './calls.ts';
import {
  type ConnectionLimits,
  capAddresses,
  connectionOptions,
  limitBodies,
  usualConnectionLimits,
} from './connections.ts';
import { cookieCalls } from './cookie.ts';
import { keepAddresses } from './forwarded.ts';
import { type HealthOptions, registerHealth } from './health.ts';
import { createInspection } from './inspection.ts';
import { type McpOptions, registerMcp } from './mcp/mcp.ts';
import { createMetrics, type Observed, registerMetrics } from './metrics.ts';
import { createOpenStreams } from './open-streams.ts';
import { createRunCall, type RunCall } from './run-call.ts';
import { registerWeb } from './static.ts';
import { traceRequests } from './trace-requests.ts';

export interface HttpOptions {
  config: Pick<
    Config,
    | 'role'
    | 'host'
    | 'publicUrl'
    | 'trustProxy'
    | 'metricsToken'
    | 'branding'
    | 'brandHosts'
    | 'maxStreamsPerPerson'
    | 'maxConnectionsPerAddress'
  >;
  log: Logger;
  handlers: Handlers;
  authenticate: Authenticate;
  authenticateApp: AuthenticateApp;
  limit: CallsOptions['limit'];
  watchAccess: NonNullable<CallsOptions['watchAccess']>;
  /** What `/metrics` tells. */
  observed: Observed;
  /** The public half of the keys that sign ID tokens. */
  jwks: () => Promise<object | null>;
  health: Omit<HealthOptions, 'leaving'>;
  /** What features serve beside calls: uploads, file links. Each is registered in a scope of its own. */
  mounts: ((http: FastifyInstance) => Promise<void>)[];
  /** What programs may read that hand it to language models of their own. */
  readable: McpOptions['readable'];
  /** How the pages of a host name show the product; never fails. */
  brandingAt: (host: string) => Promise<Branding>;
  /** Folder of the built web app. */
  webRoot: string;
  /** Aborted some time before the service stops, for the proxy in front to see. */
  leaving: AbortSignal;
  /** Other limits than usual. */
  connections?: Partial<ConnectionLimits> | undefined;
  deadlineMs?: number;
  pingMs?: number;
}

/**
 * Everything that is answered over HTTP, in the order in which it is asked; a worker says how it is, and nothing else.
 */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { publicUrl, trustProxy, metricsToken } = options.config;
  const log: FastifyBaseLogger = options.log;
  const connections = { ...usualConnectionLimits, ...options.connections };
  const http = Fastify({
    ...connectionOptions(connections),
    loggerInstance: log,
    // Ours are shorter, and without query strings: those of file links are as good as a password.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy,
    // The token of a file link is longer than the 100 characters that the router allows.
    routerOptions: { maxParamLength: 1000 },
    // Idle connections are cut at shutdown; what is being answered is let finish.
    forceCloseConnections: 'idle',
  });
  const metrics = createMetrics(options.observed);
  if (trustProxy === true)
    log.warn('TRUST_PROXY=on believes what any sender says of its address: name the proxies, or how many there are.');
  limitBodies(http.server, connections, ({ url }) => /^\/v1\/uploads(?:[/?]|$)/.test(url ?? ''));
  endPromptly(http, options.leaving);

  http.setErrorHandler((thrown, request, reply) => {
    const error = toAppError(thrown);
    if (error.code === 'internal') request.log.error({ err: thrown }, 'failed');
    return sendError(reply, error);
  });
  traceRequests(http);
  lookAtEach(http, options.config);
  capAddresses(http, options.config);
  await sayWhatPagesMay(http, publicUrl);
  await http.register(cookie);

  const mayInspect = createInspection(metricsToken ?? null);
  registerHealth(http, { ...options.health, leaving: options.leaving }, mayInspect);
  registerMetrics(http, metrics, mayInspect);
  if (options.config.role === 'worker') return answerNothingElse(http);
  publishKeys(http, options);
  registerApiDocument(http, options.config);

  // A passkey belongs to the host of the public address, which thereby lets the pages of other names use it.
  const origins = brandOrigins(options.config);
  if (origins.length > 0) http.get('/.well-known/webauthn', async (_request, reply) => reply.send({ origins }));

  const pingMs = options.pingMs ?? 15_000;
  const run = await mountCalls(http, {
    contract: calls,
    handlers: options.handlers,
    authenticate: options.authenticate,
    limit: options.limit,
    watchAccess: options.watchAccess,
    noteStream: createOpenStreams(options.config.maxStreamsPerPerson),
    cookieCalls,
    publicUrl,
    brandHosts: options.config.brandHosts,
    deadlineMs: options.deadlineMs ?? 65_000,
    pingMs,
    observe: metrics.observe,
  });
  await http.register(async (scope) => registerMcp(scope, { ...options, run, pingMs }));
  for (const mount of options.mounts) await http.register(async (scope) => mount(scope));
  await registerWeb(http, options.webRoot, options);
  return http;
}

/** Gives each request an id that its answer says, and refuses what only pretends to come from this machine. */
function lookAtEach(http: FastifyInstance, config: HttpOptions['config']): void {
  const forThisMachineAlone = servesThisMachineAlone(config);
  http.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    keepAddresses(request.raw);
    // A page elsewhere can give its own name the address of this machine, and would then speak to us as its own server.
    if (forThisMachineAlone && !asksForThisMachine(request.raw)) {
      return reply.code(421).type('text/plain; charset=utf-8').send(misdirected);
    }
  });
}

async function sayWhatPagesMay(http: FastifyInstance, publicUrl: string): Promise<void> {
  await http.register(helmet, {
    // For everything but the web app, which sets its own: nothing that is answered here is a page.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    strictTransportSecurity: publicUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'no-referrer' },
  });
}

function publishKeys(http: FastifyInstance, { jwks }: Pick<HttpOptions, 'jwks'>): void {
  http.get('/.well-known/jwks.json', async (_request, reply) => {
    const keys = await jwks();
    // Another host publishes them.
    if (!keys) return reply.callNotFound();
    return reply.header('cache-control', 'public, max-age=300').send(keys);
  });
}

function answerNothingElse(http: FastifyInstance): FastifyInstance {
  http.setNotFoundHandler((_request, reply) => sendError(reply, new AppError('unknown-call')));
  return http;
}

const misdirected =
  'This service is for this machine alone, and does not answer to this name. Set PUBLIC_URL to the address that browsers use.\n';

/**
 * The calls at `/v1/<name>`, and at the address that the official `firebase/functions` client makes up.
 * @returns how another protocol makes the same calls
 */
export async function mountCalls(http: FastifyInstance, options: CallsOptions): Promise<RunCall> {
  const run = createRunCall(http, options);
  for (const prefix of ['/v1', '/:project/us-east4']) {
    await http.register(
      async (scope) => {
        await scope.register(cors, corsOfCalls);
        registerCalls(scope, options, run);
      },
      { prefix },
    );
  }
  return run;
}

/**
 * At shutdown, lets end what is being answered (10 s at most) and then cuts every connection: one that a browser opened
 * ahead and never used does not count as idle, and would hold up the end for a minute. One whose answer has ended is
 * cut then, so that what is asked next is asked elsewhere.
 * @param leaving aborted some time before, from when on a connection is closed behind its answer
 */
export function endPromptly(http: FastifyInstance, leaving?: AbortSignal): void {
  let answering = 0;
  let closing = false;
  const cut = () => {
    if (!closing) return;
    setImmediate(() => (answering === 0 ? http.server.closeAllConnections() : http.server.closeIdleConnections()));
  };
  http.addHook('onRequest', async (_request, reply) => {
    answering += 1;
    reply.raw.once('close', () => {
      answering -= 1;
      cut();
    });
  });
  http.addHook('onSend', async (_request, reply) => {
    // Or a proxy would go on sending to us by the connections that it has open.
    if (leaving?.aborted) void reply.header('connection', 'close');
  });
  http.addHook('preClose', async () => {
    closing = true;
    setTimeout(() => http.server.closeAllConnections(), 10_000).unref();
    cut();
  });
}

/** Any page may call with a bearer; none may with cookies. */
const corsOfCalls: FastifyCorsOptions = {
  origin: '*',
  credentials: false,
  methods: ['POST'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'Firebase-Instance-ID-Token',
    'X-Firebase-AppCheck',
  ],
  exposedHeaders: ['Retry-After', 'X-Request-Id'],
  maxAge: 3600,
};
