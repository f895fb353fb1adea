import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireKeyScope } from '#contract/api-keys.ts';
import type { Call } from '#contract/call.ts';
import { AppError } from '#contract/errors.ts';
import { idempotencyKey } from '#contract/idempotency-key.ts';
import { mayAccess, requireFeature, requireOpenCompany } from '#contract/permissions.ts';
import type { Actor, Authenticate } from '#server/calls/actor.ts';
import type { BrandHosts } from '#server/config/brand-hosts.ts';
import { callerOf } from './caller.ts';
import {
  appRequestCookie,
  attemptCookie,
  clearRefreshCookie,
  deviceCookie,
  refreshCookie,
  requireSameOrigin,
  setAttemptCookie,
  setDeviceCookie,
  setRefreshCookie,
} from './cookie.ts';
import type { EventStream } from './sse.ts';

/** Any handler of `Handlers`. Its input is what its own call's schema made, so no common type but `never` fits all. */
export type AnyHandler = (input: never, context: never) => Promise<unknown>;

export interface PerformOptions {
  /** One for each call of the contract. */
  handlers: Record<string, AnyHandler>;
  authenticate: Authenticate;
  /** Counts a use where the call has a limit. */
  limit?: (name: string, actor: Actor | null, ip: string) => Promise<void>;
  /** The calls that act on the refresh cookie, and so are answered to pages of our own origin only. */
  cookieCalls?: readonly string[];
  publicUrl: string;
  /** Its pages are ours, too. */
  brandHosts: BrandHosts;
}

/** Where the messages of a call go that is made as a stream. */
export type CallStream = Pick<EventStream, 'started' | 'message'>;

/** What is known of the caller by the time the call is logged. */
export interface Seen {
  actor: Actor | null;
}

/**
 * Does what one call asks for: who is calling, whether they may, what they send, and then its handler.
 * @param seen is told who is calling
 * @param watch begins to end the call when the caller loses their access
 * @returns what the contract says of the result, and nothing else
 * @throws AppError for whatever is refused
 */
export async function perform(
  name: string,
  call: Call | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  options: PerformOptions,
  run: {
    /** What was sent. @throws AppError where it can't be read */
    data: () => unknown;
    /** Who asks, where that is known. */
    actor?: Actor | undefined;
    signal: AbortSignal;
    leaving: AbortSignal;
    stream: CallStream | null;
    seen: Seen;
    watch: (actor: Actor) => void;
  },
): Promise<unknown> {
  const handler = Object.hasOwn(options.handlers, name) ? options.handlers[name] : undefined;
  if (!call || !handler) throw new AppError('unknown-call');
  const data = run.data();
  const who = { enrolling: call.whileEnrolling ?? false };
  const actor = run.actor ?? (await callerOf(request, options.authenticate, who));
  run.seen.actor = actor;
  if (actor && !call.endsOwnSessions) run.watch(actor);
  // Once more, or a person removed between the look and the watch would keep a stream for its whole time.
  if (actor && run.stream) await callerOf(request, options.authenticate, who);
  requireAccess(actor, call);
  if (options.cookieCalls?.includes(name)) requireSameOrigin(request, options);
  const input = call.input.safeParse(data);
  if (!input.success) throw invalidInput(input.error.issues);
  const key = call.byKey ? keyOf(request) : undefined;
  if (call.feature && actor) requireFeature(actor.entitlements, call.feature);
  await options.limit?.(name, actor, request.ip);
  run.signal.throwIfAborted();
  const { stream } = run;
  const context = {
    actor,
    idempotencyKey: key,
    signal: run.signal,
    leaving: run.leaving,
    emit: (message: unknown) => {
      if (stream && call.message) stream.message(call.message.parse(message));
    },
    recheck: async () => requireAccess(await callerOf(request, options.authenticate, who), call),
    ip: request.ip,
    agent: request.headers['user-agent'],
    host: request.hostname.toLowerCase(),
    refreshToken: refreshCookie(request),
    setRefreshToken: (token: { value: string; expiresAt: Date } | null) => {
      requireUnsent(stream);
      if (token) setRefreshCookie(reply, token, options.publicUrl);
      else clearRefreshCookie(reply, options.publicUrl);
    },
    attempt: attemptCookie(request),
    setAttempt: (attempt: { value: string; expiresAt: Date } | null) => {
      requireUnsent(stream);
      setAttemptCookie(reply, attempt, options.publicUrl);
    },
    appRequest: appRequestCookie(request),
    device: deviceCookie(request),
    setDevice: (mark: { value: string; expiresAt: Date }) => {
      requireUnsent(stream);
      setDeviceCookie(reply, mark, options.publicUrl);
    },
  };
  // The one cast of the transport: the schema of this very call has just made the input, which no type can follow
  // through a record of calls.
  const result = await handler(input.data as never, context as never);
  return call.output.parse(result);
}

function requireAccess(actor: Actor | null, call: Call): void {
  if (!mayAccess(actor?.role ?? null, call.access)) throw new AppError(actor ? 'permission-denied' : 'unauthenticated');
  requireKeyScope(actor?.key, call.scope);
  if (actor && call.access !== 'anyone') requireOpenCompany(actor, call.whileEnding);
}

/** @throws AppError `invalid-input` */
function keyOf(request: FastifyRequest): string | undefined {
  const key = idempotencyKey.optional().safeParse(request.headers['idempotency-key']);
  if (!key.success) throw invalidInput(key.error.issues.map((issue) => ({ ...issue, path: ['Idempotency-Key'] })));
  return key.data;
}

function requireUnsent(stream: CallStream | null): void {
  if (stream?.started) throw new Error('a cookie was set after the first event of a stream');
}

/**
 * Of names that were sent no more than tells which are meant: nobody reads a thousand, and the rest would only come
 * back.
 */
const longestTold = 200;

function invalidInput(issues: { path: PropertyKey[]; message: string }[]): AppError {
  const short = (text: string) => (text.length > longestTold ? `${text.slice(0, longestTold).toWellFormed()}…` : text);
  const described = issues
    .slice(0, 20)
    .map(({ path, message }) => ({ path: short(path.map(String).join('.')), message: short(message) }));
  return new AppError('invalid-input', { details: { issues: described } });
}
