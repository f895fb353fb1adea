import { createServer } from 'node:http';
import { decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';

/** A person as the provider knows them. */
export interface Account {
  sub: string;
  email?: string;
  email_verified?: boolean;
}

/** A real provider of OpenID Connect on this machine, whose people sign in without being asked. */
export interface TestProvider {
  issuer: string;
  client: { issuer: string; clientId: string; clientSecret: string };
  /** Who signs in next. */
  person: Account;
  /** Changes what its ID tokens say, before they are signed by its own key. */
  tamper: ((claims: JWTPayload) => JWTPayload) | null;
  /** Signs by a key that it does not show, though under the name of the one that it does. */
  forges: boolean;
  /** How often it was asked for anything. */
  asked: () => number;
  /** Leads back to there alone from now on. */
  leadBackTo(address: string): Promise<void>;
  /** Signs with a new key from now on; the one before is forgotten. */
  changeKey(): Promise<void>;
  /** Goes from an address that it was asked to open to the one that it leads back to. */
  signIn(url: string): Promise<URL>;
  /** Whom it has signed out, to the address that the client has given. */
  signOut(to: string, about: { sub?: string; sid?: string } & JWTPayload): Promise<Response>;
  close(): Promise<void>;
}

/** @param redirectUri where it leads back to; can be said later */
export async function startTestProvider(redirectUri = 'http://footnote.localhost/login'): Promise<TestProvider> {
  let backTo = redirectUri;
  let inner: Provider;
  let key: JWK;
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    if (request.url?.startsWith('/interaction/')) void interact(request, response);
    else void inner.callback()(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const issuer = `http://localhost:${address.port}`;
  const client = { issuer, clientId: 'footnote', clientSecret: 'a secret that only the provider and we know' };

  async function interact(
    ...[request, response]: Parameters<Provider['interactionFinished']> extends [infer A, infer B, ...unknown[]]
      ? [A, B]
      : never
  ) {
    await inner.interactionFinished(request, response, { login: { accountId: subject.person.sub } });
  }

  async function make() {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: `key-${count}` };
    inner = new Provider(issuer, {
      clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [backTo] }],
      jwks: { keys: [key] },
      cookies: { keys: ['cookies of tests'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, accountId) => ({ accountId, claims: () => ({ ...subject.person, sub: accountId }) }),
      // Nobody is asked what may be told.
      loadExistingGrant: async ({ oidc }) => {
        const grant = new inner.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    inner.use(async (context, next) => {
      await next();
      const body: unknown = context.body;
      if (!subject.tamper || !(body instanceof Object) || !('id_token' in body)) return;
      const claims = subject.tamper(decodeJwt(String(body.id_token)));
      context.body = { ...body, id_token: await sign(claims, 'JWT') };
    });
  }

  const sign = (claims: JWTPayload, typ: string) => signed(claims, { typ, key, forges: subject.forges });

  const subject: TestProvider = {
    issuer,
    client,
    person: { sub: 'nobody' },
    tamper: null,
    forges: false,
    asked: () => count,
    changeKey: make,
    async leadBackTo(address) {
      backTo = address;
      await make();
    },
    signIn: (url) => follow(url, backTo),
    async signOut(to, about) {
      const now = Math.floor(Date.now() / 1000);
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const claims = { iss: issuer, aud: client.clientId, iat: now, exp: now + 120, jti: `${Math.random()}`, events };
      const body = new URLSearchParams({ logout_token: await sign({ ...claims, ...about }, 'logout+jwt') });
      return fetch(to, { method: 'POST', body });
    },
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  await make();
  return subject;
}

async function signed(
  claims: JWTPayload,
  { typ, key, forges }: { typ: string; key: JWK; forges: boolean },
): Promise<string> {
  const header = { alg: 'RS256', typ, ...(key.kid !== undefined && { kid: key.kid }) };
  const own = forges ? (await generateKeyPair('RS256')).privateKey : await importJWK(key, 'RS256');
  return new SignJWT(claims).setProtectedHeader(header).sign(own);
}

/** As a browser does: with cookies, from redirect to redirect. */
async function follow(url: string, until: string): Promise<URL> {
  const jar = new Map<string, string>();
  for (let next = new URL(url), steps = 0; steps < 10; steps += 1) {
    if (next.href.startsWith(until)) return next;
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
    next = new URL(location, next);
  }
  throw new Error('the provider leads in circles');
}
