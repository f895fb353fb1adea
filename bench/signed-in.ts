import { type Client, createClient } from '#client/client.ts';
import { AppError } from '#contract/errors.ts';

/** The token of somebody who stays signed in. */
export type Bearer = () => Promise<string>;

interface Grant {
  idToken: string;
  cookie: string;
  /** Until when it is used, by `performance.now()`. */
  until: number;
}

/** A token is renewed after this share of its life, or up to a third of it later: people do not come all at once. */
const usedShare = 0.5;

/**
 * Signs in when a token is first asked for, and renews it before its end as the web app does, by the cookie
 * (web/api/session.ts).
 * @param url where the product is reached; the token throws what sign-in and `refreshSession` throw
 */
export function staySignedIn(url: string, { email, password }: { email: string; password: string }): Bearer {
  let grant: Grant | undefined;
  let renewing: Promise<Grant> | undefined;
  const renew = () =>
    grant ? enter(url, 'refreshSession', null, grant.cookie) : enter(url, 'signIn', { email, password });

  return async () => {
    if (grant && performance.now() < grant.until) return grant.idToken;
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    grant = await renewing;
    return grant.idToken;
  };
}

async function enter(url: string, name: 'signIn' | 'refreshSession', input: unknown, cookie?: string): Promise<Grant> {
  const began = performance.now();
  const reply = await fetch(`${url}/v1/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: url, ...(cookie !== undefined && { Cookie: cookie }) },
    body: JSON.stringify({ data: input }),
  });
  const { result, error } = JSON.parse(await reply.text());
  if (error) throw AppError.fromWire(error);
  const fresh = reply.headers.getSetCookie().find((each) => each.startsWith('footnote_refresh='));
  if (!fresh) throw new Error(`${name} has given no cookie`);
  const life = Date.parse(result.expiresAt) - Date.now();
  return {
    idToken: result.idToken,
    cookie: fresh.slice(0, fresh.indexOf(';')),
    until: began + life * (usedShare + Math.random() / 3),
  };
}

/** The same as `createClient`, for as long as it takes. */
export function lastingClient(url: string, bearer: Bearer): Client {
  const now = async () => createClient(url, await bearer());
  return {
    call: async (...of) => (await now()).call(...of),
    stream: async (...of) => (await now()).stream(...of),
    upload: async (...of) => (await now()).upload(...of),
    filesWhenRead: async () => (await now()).filesWhenRead(),
  };
}
