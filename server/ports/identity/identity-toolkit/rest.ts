import { z } from 'zod';
import { AppError, type ErrorCode } from '#contract/errors.ts';
import { type GoogleAccount, googleGrant, tokenForm } from '#server/lib/google-account.ts';

/** How to reach a project of Google Identity Platform (Firebase Auth), or its emulator. */
export interface ToolkitOptions {
  projectId: string;
  /** The web API key: names the project in calls that people make. Not a secret. */
  apiKey: string;
  /** For the calls that only an admin of the project may make. */
  serviceAccount?: GoogleAccount;
  /** Origin of Google's Auth emulator, on loopback; its tokens are unsigned. */
  emulatorUrl?: string;
}

/** What a person calls with the API key, and what the service calls as the project's admin. */
export interface ToolkitRest {
  asPerson<T>(path: string, body: object, answer: z.ZodType<T>): Promise<T>;
  asAdmin<T>(path: string, body: object, answer: z.ZodType<T>): Promise<T>;
  /** Exchanges Google's refresh token. @throws AppError `session-expired` when it is over. */
  exchange(refreshToken: string): Promise<{ idToken: string; refreshToken: string }>;
}

const scope = 'https://www.googleapis.com/auth/identitytoolkit';
const timeoutMs = 15_000;

/**
 * The Identity Toolkit REST API, version 1, and the Secure Token API, as Google documents them.
 * @throws AppError of the catalogue for every error the service answers; `unavailable` when it does not answer.
 */
export function toolkitRest({ projectId, apiKey, serviceAccount, emulatorUrl }: ToolkitOptions): ToolkitRest {
  // The emulator serves every API below one origin, each under its host's name.
  const hostOf = (name: string) => (emulatorUrl ? `${emulatorUrl}/${name}` : `https://${name}`);
  const toolkit = `${hostOf('identitytoolkit.googleapis.com')}/v1`;
  const secureToken = `${hostOf('securetoken.googleapis.com')}/v1`;
  let granted: { token: string; until: number } | null = null;

  async function adminToken(): Promise<string> {
    // What the emulator takes for an admin.
    if (emulatorUrl) return 'owner';
    if (!serviceAccount) throw new Error('no service account is configured');
    if (granted && Date.now() < granted.until) return granted.token;
    const form = await tokenForm(serviceAccount, scope);
    const { access_token, expires_in } = googleGrant.parse(await post(serviceAccount.token_uri, form, {}));
    granted = { token: access_token, until: Date.now() + (expires_in - 60) * 1000 };
    return access_token;
  }

  return {
    async asPerson(path, body, answer) {
      const url = `${toolkit}/${path}?key=${encodeURIComponent(apiKey)}`;
      return answer.parse(await post(url, body, {}));
    },

    async asAdmin(path, body, answer) {
      const url = `${toolkit}/projects/${encodeURIComponent(projectId)}/${path}`;
      return answer.parse(await post(url, body, { authorization: `Bearer ${await adminToken()}` }));
    },

    async exchange(refreshToken) {
      const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
      const answer = z.object({ id_token: z.string(), refresh_token: z.string() });
      const url = `${secureToken}/token?key=${encodeURIComponent(apiKey)}`;
      const { id_token, refresh_token } = answer.parse(await post(url, body, {}));
      return { idToken: id_token, refreshToken: refresh_token };
    },
  };
}

async function post(url: string, body: object, headers: Record<string, string>): Promise<unknown> {
  const form = body instanceof URLSearchParams;
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' },
      body: form ? body : JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    text = await response.text();
  } catch (cause) {
    throw new AppError('unavailable', { cause });
  }
  if (response.ok) return JSON.parse(text);
  const said = errorBody.safeParse(parsed(text));
  throw errorFor(said.success ? said.data.error.message : '', response.status);
}

const errorBody = z.object({ error: z.object({ message: z.string() }) });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The service's reasons, which stand before the first colon or space of its message. */
const reasons: Record<string, ErrorCode> = {
  INVALID_LOGIN_CREDENTIALS: 'invalid-credentials',
  INVALID_PASSWORD: 'invalid-credentials',
  INVALID_EMAIL: 'invalid-credentials',
  EMAIL_NOT_FOUND: 'invalid-credentials',
  MISSING_PASSWORD: 'invalid-credentials',
  USER_DISABLED: 'invalid-credentials',
  EMAIL_EXISTS: 'email-already-in-use',
  DUPLICATE_EMAIL: 'email-already-in-use',
  WEAK_PASSWORD: 'weak-password',
  PASSWORD_DOES_NOT_MEET_REQUIREMENTS: 'weak-password',
  INVALID_OOB_CODE: 'invalid-code',
  EXPIRED_OOB_CODE: 'invalid-code',
  TOO_MANY_ATTEMPTS_TRY_LATER: 'too-many-requests',
  QUOTA_EXCEEDED: 'too-many-requests',
  TOKEN_EXPIRED: 'session-expired',
  INVALID_REFRESH_TOKEN: 'session-expired',
  INVALID_GRANT_TYPE: 'session-expired',
  MISSING_REFRESH_TOKEN: 'session-expired',
  USER_NOT_FOUND: 'user-not-found',
};

function errorFor(message: string, status: number): AppError {
  const reason = /^[A-Z_]+/.exec(message)?.[0] ?? '';
  const code = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
  if (code) return new AppError(code);
  const cause = new Error(`the identity service answered ${status}: ${reason || 'no reason'}`);
  return new AppError(status === 429 ? 'too-many-requests' : 'unavailable', { cause });
}
