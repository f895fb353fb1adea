import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import type { Database } from '#server/db/db.ts';
import { apiKeys } from '#server/db/schema.ts';
import type { Person, TestApp } from './app.ts';

/** Where programs of tests are told that they are connected: nobody listens there. */
export const callback = 'http://127.0.0.1:33333/callback';

/** A browser as far as this needs one: it keeps cookies, and goes where it is sent only when it is told to. */
export interface Browser {
  open(url: string, init?: RequestInit): Promise<Response>;
  /** A call from a page of ours. */
  call(name: string, data: unknown, token: string): Promise<{ status: number; body: Record<string, unknown> }>;
  cookies: Map<string, string>;
}

export function openBrowser(app: TestApp): Browser {
  const cookies = new Map<string, string>();
  const open = async (url: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
    const answer = await app.fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  return {
    open,
    cookies,
    async call(name, data, token) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await open(`/v1/${name}`, { method: 'POST', headers, body: JSON.stringify({ data }) });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    },
  };
}

export function registerProgram(app: TestApp, said: object = {}): Promise<Response> {
  const body = JSON.stringify({ client_name: 'Test Desk', redirect_uris: [callback], ...said });
  return app.fetch('/oauth/register', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

export async function newClientId(app: TestApp, said: object = {}): Promise<string> {
  const answer = await registerProgram(app, said);
  const { client_id: id } = (await answer.json()) as { client_id?: string };
  if (id === undefined) throw new Error(`registration was answered ${answer.status}`);
  return id;
}

export function newVerifier(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The address that a program sends the browser to. @param more null leaves a parameter out */
export function authorizationUrl(
  { clientId, challenge }: { clientId: string; challenge: string },
  more: Record<string, string | null> = {},
): string {
  const all: Record<string, string | null> = {
    ...{ response_type: 'code', client_id: clientId, redirect_uri: callback, state: 'a state' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
    ...more,
  };
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null);
  return `/oauth/authorize?${new URLSearchParams(given)}`;
}

/** Goes to such an address, up to our page. @returns the request that the page asks about */
export async function beginRequest(browser: Browser, url: string): Promise<string> {
  const answer = await browser.open(url);
  const request = new URL(answer.headers.get('location') ?? 'none:').searchParams.get('request');
  if (request === null) throw new Error(`answered ${answer.status}, to ${answer.headers.get('location')}`);
  return request;
}

/** Says yes (or no) there. @returns where the program is told so */
export async function answerRequest(
  browser: Browser,
  requestId: string,
  { token, as = 'allowApp' }: { token: string; as?: 'allowApp' | 'refuseApp' },
): Promise<URL> {
  const { body } = await browser.call(as, { requestId }, token);
  const { url } = (body.result ?? {}) as { url?: string };
  if (url === undefined) throw new Error(JSON.stringify(body));
  const answer = await browser.open(url);
  return new URL(answer.headers.get('location') ?? 'none:');
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
}

export async function askToken(
  app: TestApp,
  fields: Record<string, string>,
): Promise<{ status: number; body: Tokens & { error?: string } }> {
  const answer = await app.fetch('/oauth/token', { method: 'POST', body: new URLSearchParams(fields) });
  return { status: answer.status, body: (await answer.json()) as Tokens & { error?: string } };
}

/** What a program has when its person has connected it. */
export interface Connected extends Tokens {
  clientId: string;
  code: string;
  verifier: string;
}

export async function connectApp(
  app: TestApp,
  { token }: Pick<Person, 'token'>,
  { clientId: given, ...more }: { clientId?: string; resource?: string } = {},
): Promise<Connected> {
  const clientId = given ?? (await newClientId(app));
  const { verifier, challenge } = newVerifier();
  const browser = openBrowser(app);
  const request = await beginRequest(browser, authorizationUrl({ clientId, challenge }, more));
  const back = await answerRequest(browser, request, { token });
  const code = back.searchParams.get('code') ?? '';
  const { status, body } = await askToken(app, codeFields({ clientId, code, verifier }));
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { ...body, clientId, code, verifier };
}

/** Puts an app into a company, past the calls and without tokens. @returns its id */
export async function insertApp(
  db: Database,
  companyId: string,
  { uid: userId, name }: { uid: string; name: string },
): Promise<string> {
  const id = randomUUID();
  const expiresAt = new Date(Date.now() + 86_400_000);
  await db.asSystem((tx) =>
    tx.insert(apiKeys).values({
      ...{ companyId, id, publicId: id, hash: null, kind: 'app', scope: 'read', userId, name, expiresAt },
      ...{ clientId: 'app_of_tests', clientAddress: 'desk.example', createdByEmail: 'admin@example.com' },
    }),
  );
  return id;
}

export function codeFields({ clientId, code, verifier }: Pick<Connected, 'clientId' | 'code' | 'verifier'>) {
  const fields = { grant_type: 'authorization_code', client_id: clientId, code, code_verifier: verifier };
  return { ...fields, redirect_uri: callback };
}

export function refreshFields({ clientId, refresh_token }: Pick<Connected, 'clientId' | 'refresh_token'>) {
  return { grant_type: 'refresh_token', client_id: clientId, refresh_token };
}

/** A program that keeps what the official client has it keep, and notes where it wants its person sent. */
export function createProgram(clientMetadataUrl?: string): OAuthClientProvider & { sentTo: URL | null } {
  const kept: Record<string, unknown> = {};
  return {
    sentTo: null,
    redirectUrl: callback,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    clientMetadata: { client_name: 'Official Desk', redirect_uris: [callback] },
    state: () => 'a state of its own',
    clientInformation: () => kept.client as never,
    saveClientInformation(client) {
      kept.client = client;
    },
    tokens: () => kept.tokens as never,
    saveTokens(tokens) {
      if (isDeepStrictEqual(tokens, kept.tokens)) throw new Error('nothing new was given');
      kept.tokens = tokens;
    },
    invalidateCredentials: () => void delete kept.tokens,
    saveDiscoveryState(state) {
      kept.found = state;
    },
    discoveryState: () => kept.found as never,
    saveCodeVerifier(verifier) {
      kept.verifier = verifier;
    },
    codeVerifier: () => String(kept.verifier),
    redirectToAuthorization(url) {
      this.sentTo = url;
    },
  };
}
