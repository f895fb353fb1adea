import { exportJWK, generateKeyPair } from 'jose';
import { type Configuration, errors, interactionPolicy, Provider } from 'oidc-provider';
import type { Logger } from 'pino';
import type { Database } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { users } from '#server/db/schema.ts';
import { createAdapter } from './adapter.ts';
import { accessSeconds, appScope, grantSeconds, requestCookie, requestSeconds, unusedSeconds } from './app-access.ts';
import { type Clients, unheld } from './clients.ts';

export interface ProviderDeps {
  db: Database;
  clients: Clients;
  clock: () => Date;
  log: Logger;
  publicUrl: string;
  /** The addresses that tokens are made for: `/mcp` under each name of ours, the public one first. */
  resources: readonly string[];
  cookieKey: Uint8Array;
}

/**
 * The authorization server. Of the library's many ways one is open: the authorization code with PKCE, for public
 * clients, by opaque tokens for one of our own addresses.
 */
export async function createProvider(deps: ProviderDeps): Promise<Provider> {
  const provider = new Provider(deps.publicUrl, await configurationOf(deps));
  const isEncrypted = deps.publicUrl.startsWith('https:');
  provider.use(async (context, next) => {
    // Behind a proxy the connection does not say so.
    context.cookies.secure = isEncrypted;
    if (begins(context)) {
      if (Object.values(context.query).some((each) => String(each).includes(unheld)))
        return context.redirect(problemPage(deps.publicUrl, 'invalid_request'));
      context.query = onlyKnown(context.query);
    } else if (comesBack.test(context.path)) {
      // Whoever comes back brings a cookie: what stands in the address is anybody's.
      context.query = {};
    }
    await next();
    stayHere(context, deps.publicUrl);
    // Nobody is remembered here, and our page has a cookie of its own.
    const kept = context.response.get('set-cookie') as unknown as string | string[];
    if (Array.isArray(kept))
      context.response.set(
        'set-cookie',
        kept.filter((each) => !unneeded.test(each)),
      );
  });
  provider.on('server_error', (_, error) => deps.log.error({ err: error }, 'the authorization server failed'));
  return provider;
}

const unneeded = /^footnote_app_(none|page)/;
const authorization = '/oauth/authorize';
/** The address at which a person's answer is taken to the program. */
const comesBack = /^\/oauth\/authorize\/[\w-]+$/;

/** Whether a request is one to be connected, however the address is written: the library takes it with a slash, too. */
function begins({ path }: { path: string }): boolean {
  return path.startsWith(authorization) && !comesBack.test(path);
}

/**
 * What a request may say; the rest is for what is not done here. Every app gets the one right that there is, whatever
 * it asks for, and is told so.
 */
function onlyKnown(query: Record<string, string | string[] | undefined>) {
  const names = ['response_type', 'client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method'];
  const kept = [...names, 'resource'].filter((name) => query[name] !== undefined);
  const prompt = query.prompt === 'none' ? { prompt: 'none' } : {};
  return { ...Object.fromEntries(kept.map((name) => [name, query[name]])), ...prompt, scope: appScope };
}

async function configurationOf({
  db,
  clients,
  clock,
  publicUrl,
  resources,
  cookieKey,
}: ProviderDeps): Promise<Configuration> {
  const [resource = ''] = resources;
  return {
    adapter: createAdapter({ db, clients, clock }),
    // The library wants one, for tokens of OpenID Connect: none is made, and its public half is shown to nobody.
    jwks: { keys: [await unusedKey()] },
    cookies: {
      keys: [Buffer.from(cookieKey).toString('base64url')],
      names: { session: 'footnote_app_none', interaction: 'footnote_app_page', resume: 'footnote_app_resume' },
      long: { httpOnly: true, sameSite: 'lax', signed: true },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    clientAuthMethods: ['none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'EdDSA',
    },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    responseTypes: ['code'],
    scopes: [],
    claims: {},
    pkce: { required: () => true },
    clockTolerance: 0,
    clientBasedCORS: () => false,
    allowOmittingSingleRegisteredRedirectUri: false,
    formats: { bitsOfOpaqueRandomness: 256 },
    routes: {
      authorization,
      token: '/oauth/token',
      revocation: '/oauth/revoke',
    },
    ttl: {
      AccessToken: accessSeconds,
      AuthorizationCode: 60,
      Grant: grantSeconds,
      Interaction: requestSeconds,
      RefreshToken: unusedSeconds,
      Session: requestSeconds,
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    loadExistingGrant: async ({ oidc }) => {
      const grantId = oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
    },
    findAccount: async (_, accountId) =>
      (await isHere(db, accountId)) ? { accountId, claims: () => ({ sub: accountId }) } : undefined,
    interactions: { policy: askedEachTime(), url: (context, { uid }) => pageFor(context, uid, publicUrl) },
    renderError: async (context, out) => {
      if (!context.path.startsWith(authorization)) context.body = out;
      else context.redirect(problemPage(publicUrl, begins(context) ? out.error : 'ended'));
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, asked) => {
          if (!resources.includes(asked)) throw new errors.InvalidTarget();
          return { scope: appScope, audience: asked, accessTokenTTL: accessSeconds, accessTokenFormat: 'opaque' };
        },
      },
    },
  };
}

/** Words that came with the request are not shown: anybody could have written them. */
function problemPage(publicUrl: string, error: string): string {
  return `${publicUrl}/connect-app?problem=${encodeURIComponent(error)}`;
}

type Middleware = Parameters<Provider['use']>[0];

/**
 * A request that can't be answered is told to its person, not to the address in it: anybody may register one, and an
 * address of ours would lead to theirs without anyone being asked.
 */
function stayHere(context: Parameters<Middleware>[0], publicUrl: string): void {
  const to = context.response.get('location');
  if (!begins(context) || !URL.canParse(to) || to.startsWith(`${publicUrl}/`)) return;
  const said = new URL(to.replace('#', '?')).searchParams;
  context.redirect(problemPage(publicUrl, said.get('error') ?? 'ended'));
}

async function unusedKey() {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  return { ...(await exportJWK(privateKey)), alg: 'EdDSA', use: 'sig' };
}

/** Nobody is connected to an app by having been so before. */
function askedEachTime() {
  const { base, Check, Prompt } = interactionPolicy;
  const policy = base();
  policy.clear();
  const isUnanswered = new Check('unanswered', 'The person is asked each time.', ({ oidc }) => !oidc.result?.consent);
  policy.add(new Prompt({ name: 'consent', requestable: true }, isUnanswered));
  return policy;
}

type Context = Parameters<NonNullable<NonNullable<Configuration['interactions']>['url']>>[0];

function pageFor(context: Context, uid: string, publicUrl: string): string {
  // For the calls of that page alone.
  context.cookies.set(requestCookie, uid, {
    path: '/v1',
    httpOnly: true,
    sameSite: 'strict',
    signed: false,
    maxAge: requestSeconds * 1000,
  });
  return `${publicUrl}/connect-app?request=${encodeURIComponent(uid)}`;
}

async function isHere(db: Database, accountId: string): Promise<boolean> {
  const [companyId = '', userId = ''] = accountId.split('/');
  const [user] = await db.asCompany(companyId, (tx) =>
    tx.select({ state: users.state }).from(users).where(eq(users.id, userId)),
  );
  return user?.state === 'active';
}
