import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { AppError } from '#contract/errors.ts';
import { toAppError } from '#server/calls/errors.ts';
import { addressKey, type Limits } from '#server/calls/limits.ts';
import type { Rates } from '#server/config/rates.ts';
import { lazily } from '#server/lib/lazily.ts';
import { appScope } from './app-access.ts';
import { ClientProblem, type Clients } from './clients.ts';

/** What a program says of itself when it registers. */
const maxRegistrationBytes = 8192;

export interface RouteDeps {
  openProvider: () => Promise<Provider>;
  clients: Clients;
  limits: Limits;
  rates: Pick<Rates, 'appRegistrationsPerHour' | 'appRequestsPerMinute'>;
  publicUrl: string;
  /** The address of `/mcp` under the host name that was asked. */
  resourceAt: (host: string) => string;
  name: string;
}

/** What programs ask that want to be connected: who gives tokens, and for what; to be registered; and for tokens. */
export async function mountAuthorization(scope: FastifyInstance, deps: RouteDeps): Promise<void> {
  await scope.register(async (documents) => mountDocuments(documents, deps));
  await scope.register(async (registration) => mountRegistration(registration, deps));
  await scope.register(async (server) => mountServer(server, deps));
}

function mountDocuments(scope: FastifyInstance, { publicUrl, resourceAt, name }: RouteDeps): void {
  const send = (reply: FastifyReply, document: object) =>
    reply.header('cache-control', 'public, max-age=300').type('application/json; charset=utf-8').send(document);
  scope.get('/.well-known/oauth-protected-resource/mcp', (request, reply) =>
    send(reply, {
      resource: resourceAt(request.hostname),
      authorization_servers: [publicUrl],
      scopes_supported: [appScope],
      bearer_methods_supported: ['header'],
      resource_name: name,
      resource_documentation: `${publicUrl}/developers`,
    }),
  );
  scope.get('/.well-known/oauth-authorization-server', (_request, reply) =>
    send(reply, {
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}/oauth/authorize`,
      token_endpoint: `${publicUrl}/oauth/token`,
      registration_endpoint: `${publicUrl}/oauth/register`,
      revocation_endpoint: `${publicUrl}/oauth/revoke`,
      scopes_supported: [appScope],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: `${publicUrl}/developers`,
    }),
  );
}

function mountRegistration(scope: FastifyInstance, { clients, limits, rates }: RouteDeps): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: maxRegistrationBytes },
    async (_: FastifyRequest, body: string | Buffer) => parsed(String(body)),
  );
  scope.setErrorHandler((thrown, request, reply) => {
    if (thrown instanceof ClientProblem) {
      const status = thrown.code === 'temporarily_unavailable' ? 503 : 400;
      return refuse(reply, status, thrown.code, thrown.message);
    }
    return refuseAs(request, reply, thrown, 'invalid_client_metadata');
  });
  scope.post('/oauth/register', async (request, reply) => {
    await limits.take(`app-registration:${addressKey(request.ip)}`, rates.appRegistrationsPerHour, 3600);
    const client = await clients.register(request.body);
    return reply
      .code(201)
      .header('cache-control', 'no-store')
      .send({
        client_id: client.id,
        client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
        client_name: client.name,
        redirect_uris: client.redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        scope: appScope,
      });
  });
}

/** @throws ClientProblem */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ClientProblem('invalid_client_metadata', 'This is not JSON.');
  }
}

/** The library's own routes: it reads and answers by itself, and is shown no others. */
function mountServer(scope: FastifyInstance, { openProvider, limits, rates }: RouteDeps): void {
  scope.removeAllContentTypeParsers();
  // Left unread: it reads what it asks for, up to 56 kB.
  scope.addContentTypeParser('*', async () => undefined);
  scope.setErrorHandler((thrown, request, reply) => refuseAs(request, reply, thrown, 'invalid_request'));
  const callback = lazily(async () => (await openProvider()).callback());
  const hand = async (request: FastifyRequest, reply: FastifyReply) => {
    await limits.take(`app-request:${addressKey(request.ip)}`, rates.appRequestsPerMinute, 60);
    const answer = await callback();
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.hijack();
    await answer(request.raw, reply.raw);
  };
  // Only whoever goes there begins something.
  const routes = { exposeHeadRoute: false };
  scope.get('/oauth/authorize', routes, hand);
  scope.get('/oauth/authorize/:uid', routes, hand);
  scope.post('/oauth/token', hand);
  scope.post('/oauth/revoke', hand);
}

/** In the words of the protocol. */
function refuseAs(request: FastifyRequest, reply: FastifyReply, thrown: unknown, code: string): FastifyReply {
  const isBody = thrown instanceof Error && 'statusCode' in thrown && Number(thrown.statusCode) < 500;
  if (isBody) return refuse(reply, Number((thrown as { statusCode?: number }).statusCode), code, thrown.message);
  const error = toAppError(thrown);
  if (error.code === 'internal') request.log.error({ err: thrown }, 'failed');
  const seconds = error.details.retryAfterSeconds;
  if (typeof seconds === 'number') void reply.header('retry-after', seconds);
  const isTooMany = error instanceof AppError && error.code === 'too-many-requests';
  return refuse(reply, isTooMany ? 429 : 500, isTooMany ? 'temporarily_unavailable' : 'server_error', error.message);
}

function refuse(reply: FastifyReply, status: number, error: string, description: string): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send({ error, error_description: description });
}
