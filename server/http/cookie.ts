import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallName } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { type BrandHosts, originOf } from '#server/config/brand-hosts.ts';
import { isLoopbackName } from '#server/lib/this-machine.ts';

const name = 'footnote_refresh';
const deviceName = 'footnote_device';
const attemptName = 'footnote_single_sign_on';
const appRequestName = 'footnote_app_request';

/** The calls that act on what a cookie says, and so are answered to pages of our own origin only. */
export const cookieCalls: readonly CallName[] = [
  'refreshSession',
  'signOut',
  'reauthenticate',
  'changePassword',
  'beginSingleSignOn',
  'confirmBySingleSignOn',
  'testSingleSignOn',
  'completeSingleSignOn',
  'getAppRequest',
  'allowApp',
  'refuseApp',
];

/** The refresh token that the browser sent. */
export function refreshCookie(request: FastifyRequest): string | undefined {
  return request.cookies[name] || undefined;
}

export function setRefreshCookie(
  reply: FastifyReply,
  token: { value: string; expiresAt: Date },
  publicUrl: string,
): void {
  void reply.setCookie(name, token.value, { ...attributes(publicUrl), expires: token.expiresAt });
}

export function clearRefreshCookie(reply: FastifyReply, publicUrl: string): void {
  void reply.clearCookie(name, attributes(publicUrl));
}

/** The mark that the browser sent: an account's owner has used it before. */
export function deviceCookie(request: FastifyRequest): string | undefined {
  return request.cookies[deviceName] || undefined;
}

export function setDeviceCookie(
  reply: FastifyReply,
  mark: { value: string; expiresAt: Date },
  publicUrl: string,
): void {
  void reply.setCookie(deviceName, mark.value, { ...attributes(publicUrl), expires: mark.expiresAt });
}

/** What the browser has begun with a company's provider. */
export function attemptCookie(request: FastifyRequest): string | undefined {
  return request.cookies[attemptName] || undefined;
}

/**
 * The page that the provider leads back to asks for the rest by a call of its own, so that this one need not travel
 * with the provider's redirect, and is as strict as the others.
 */
export function setAttemptCookie(
  reply: FastifyReply,
  attempt: { value: string; expiresAt: Date } | null,
  publicUrl: string,
): void {
  if (attempt)
    void reply.setCookie(attemptName, attempt.value, { ...attributes(publicUrl), expires: attempt.expiresAt });
  else void reply.clearCookie(attemptName, attributes(publicUrl));
}

/** The request of an app that the browser has come with; the authorization server sets it. */
export function appRequestCookie(request: FastifyRequest): string | undefined {
  return request.cookies[appRequestName] || undefined;
}

function attributes(publicUrl: string) {
  return { path: '/v1', httpOnly: true, sameSite: 'strict', secure: publicUrl.startsWith('https:') } as const;
}

/**
 * Refuses a call that another site's page makes: `/v1` is open to any origin, and a cookie set before a browser knew
 * SameSite would otherwise be used by it.
 */
export function requireSameOrigin(
  request: FastifyRequest,
  { publicUrl, brandHosts }: { publicUrl: string; brandHosts: BrandHosts },
): void {
  const { origin } = request.headers;
  if (origin === undefined || origin === publicUrl) return;
  const host = request.hostname.toLowerCase();
  if (brandHosts.has(host) && origin === originOf(host, publicUrl)) return;
  // Without a public address nothing says under which names people come; one that has a cookie of ours is ours.
  const anyName = isLoopbackName(new URL(publicUrl).hostname);
  if (anyName && URL.canParse(origin) && new URL(origin).host === request.headers.host) return;
  throw new AppError('permission-denied');
}
