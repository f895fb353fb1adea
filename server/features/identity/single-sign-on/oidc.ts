import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { isOutboundError, type Outbound } from '#server/lib/outbound.ts';

/** A company's provider, and how we are known there. */
export interface OidcClient {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** What one way to the provider and back has to agree in. */
export interface Challenge {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** What a provider says of a person, checked. */
export interface Claims {
  subject: string;
  email: string | null;
  emailVerified: boolean;
  /** When it has seen the person prove who they are; null: it does not say. */
  authenticatedAt: Date | null;
  /** Of the provider's own session. */
  sid: string | null;
}

/** No control characters: the database keeps no NUL, and names have none. */
const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}+$/u);
const said = z.object({
  sub: text(255),
  email: text(254).optional().catch(undefined),
  // Some write it as text. What is neither is not the word for yes.
  email_verified: z
    .union([z.boolean(), z.literal('true').transform(() => true)])
    .optional()
    .catch(false),
  sid: text(500).optional().catch(undefined),
});
const logoutClaims = z.object({
  sub: text(255).optional(),
  sid: text(500).optional(),
  nonce: z.never().optional(),
  events: z.object({ 'http://schemas.openid.net/event/backchannel-logout': z.record(z.string(), z.unknown()) }),
});
/** Signed by a key of the provider's: what is signed with the client's secret could be made by whoever has that. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const logoutTokenMaxAge = '5 minutes';

/**
 * OpenID Connect with the providers of companies. What a provider is like is asked for each time: whatever it has
 * changed counts at once, its keys among them, and nobody waits for it but who signs in.
 */
export function createOidc(outbound: Outbound) {
  async function configurationOf({ issuer, clientId, clientSecret }: OidcClient): Promise<Configuration> {
    if (!URL.canParse(issuer)) throw new AppError('outbound-address-invalid');
    const configuration = await discovery(new URL(issuer), clientId, clientSecret, undefined, {
      // Which addresses may be asked without encryption is for `outbound` to say.
      execute: [allowInsecureRequests, enableNonRepudiationChecks],
      [customFetch]: (url, { method, headers, body, signal }) =>
        outbound(url, { method, headers, ...(body != null && { body: bodyOf(body) }), ...(signal && { signal }) }),
    });
    requireIssuer(configuration, issuer);
    return configuration;
  }

  return {
    /** @throws AppError as `outbound`; `single-sign-on-failed` where no provider answers there */
    check: (client: OidcClient): Promise<void> => speaking(async () => void (await configurationOf(client))),

    /**
     * Where the browser goes, and what it has to come back with.
     * @param fresh the person has to prove anew who they are
     */
    begin: (
      client: OidcClient,
      { redirectUri, email, fresh }: { redirectUri: string; email: string | null; fresh: boolean },
    ): Promise<{ url: string; challenge: Challenge }> =>
      speaking(async () => {
        const configuration = await configurationOf(client);
        const challenge = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
        const url = buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          code_challenge: await calculatePKCECodeChallenge(challenge.codeVerifier),
          code_challenge_method: 'S256',
          state: challenge.state,
          nonce: challenge.nonce,
          ...(email !== null && { login_hint: email }),
          ...(fresh && { max_age: '0' }),
        });
        // The browser is sent there: no script, and nothing that anybody could read on the way.
        const isPlain = url.protocol === 'http:' && new URL(client.issuer).protocol === 'http:';
        if (url.protocol !== 'https:' && !isPlain) throw new AppError('single-sign-on-failed');
        return { url: url.href, challenge };
      }),

    /**
     * What the provider says of whoever has come back.
     * @throws AppError `single-sign-on-refused`, `single-sign-on-failed`
     */
    complete: (
      client: OidcClient,
      { url, challenge, fresh }: { url: URL; challenge: Challenge; fresh: boolean },
    ): Promise<Claims> =>
      speaking(async () => {
        const configuration = await configurationOf(client);
        const answer = await authorizationCodeGrant(configuration, url, {
          expectedState: challenge.state,
          expectedNonce: challenge.nonce,
          pkceCodeVerifier: challenge.codeVerifier,
          idTokenExpected: true,
          // The time in which whoever has just proved it can be back here.
          ...(fresh && { maxAge: 300 }),
        });
        const claims = answer.claims();
        if (!claims) throw new AppError('single-sign-on-failed');
        const person = said.parse(await withEmail(configuration, answer, claims));
        return {
          subject: person.sub,
          email: person.email?.trim().toLowerCase() ?? null,
          emailVerified: person.email_verified ?? true,
          authenticatedAt: typeof claims.auth_time === 'number' ? new Date(claims.auth_time * 1000) : null,
          sid: person.sid ?? null,
        };
      }),

    /** Whom the provider has signed out. @throws AppError `single-sign-on-failed` for what it has not signed */
    signedOut: (client: OidcClient, token: string): Promise<{ subject: string | null; sid: string | null }> =>
      speaking(async () => {
        const { jwks_uri: jwksUri, issuer } = (await configurationOf(client)).serverMetadata();
        if (jwksUri === undefined) throw new AppError('single-sign-on-failed');
        const keys: JSONWebKeySet = await (await outbound(jwksUri)).json();
        const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
          issuer,
          audience: client.clientId,
          algorithms,
          maxTokenAge: logoutTokenMaxAge,
          requiredClaims: ['iat', 'jti'],
        });
        const { sub, sid } = logoutClaims.parse(payload);
        if (sub === undefined && sid === undefined) throw new AppError('single-sign-on-failed');
        return { subject: sub ?? null, sid: sid ?? null };
      }),
  };
}

/**
 * One that speaks for whoever has an account anywhere (as login.microsoftonline.com/common does) names no issuer of its
 * own: any stranger's directory could then claim the company's people.
 */
function requireIssuer(configuration: Configuration, issuer: string): void {
  if (new URL(configuration.serverMetadata().issuer).href !== new URL(issuer).href)
    throw new AppError('single-sign-on-failed', { details: { reason: 'another-issuer' } });
}

/** The same with what the provider tells of the person elsewhere, where its token says no e-mail. */
async function withEmail(
  configuration: Configuration,
  { access_token: accessToken }: { access_token: string },
  claims: IDToken,
): Promise<object> {
  if (claims.email !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  const { email, email_verified } = await fetchUserInfo(configuration, accessToken, claims.sub);
  return { ...claims, email, ...(email_verified !== undefined && { email_verified }) };
}

/** What went wrong between us and a provider, in our words: its own would be of whatever answered. */
async function speaking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const own = ownError(error);
    if (own) throw own;
    if (error instanceof AuthorizationResponseError) throw new AppError('single-sign-on-refused', { cause: error });
    const reason = error instanceof ClientError ? error.code : undefined;
    throw new AppError('single-sign-on-failed', { cause: error, ...(reason && { details: { reason } }) });
  }
}

/** The library wraps what a request has thrown. */
function ownError(error: unknown): AppError | null {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1)
    if (each instanceof AppError || isOutboundError(each)) return each;
  return null;
}

function bodyOf(body: unknown): string | Uint8Array {
  if (body instanceof URLSearchParams || typeof body === 'string') return String(body);
  if (body instanceof Uint8Array) return body;
  throw new Error('a provider is sent text alone');
}
