import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { ProviderFailure, type ProviderFailureKind } from './provider-failure.ts';

export interface ProviderRequest {
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON, or as a form where it is one. */
  body: unknown;
  signal: AbortSignal;
}

/** Tries after the first. */
const retries = 2;
const firstPauseMs = 300;
/** Whoever asked is waiting: a service that wants a longer pause is not asked again. */
const maxPauseMs = 5000;

/**
 * Sends a request to a model's service. No redirect is followed: the key and the company's text go to the address that
 * the operator has set and nowhere else.
 * @throws ProviderFailure for every status but 2xx and where nothing answered; the signal's reason where it was aborted
 */
export async function postToProvider({ url, headers, body, signal }: ProviderRequest): Promise<Response> {
  const form = body instanceof URLSearchParams;
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' },
    body: form ? body : JSON.stringify(body),
    redirect: 'manual',
    signal,
  }).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new ProviderFailure('unavailable', 'was not reached', { cause });
  });
  if (response.ok) return response;
  const text = await response.text().catch(() => '');
  throw failureFrom(reasonIn(text), response.status, response.headers);
}

/**
 * The same for an answer that comes in one piece, tried again where that may help.
 * @param timeoutMs for each try
 */
export async function askProvider<T>(
  { signal, ...request }: ProviderRequest,
  { answer, timeoutMs }: { answer: z.ZodType<T>; timeoutMs: number },
): Promise<T> {
  return retried(signal, () =>
    withinTime(signal, timeoutMs, async ({ signal: both }) => {
      const response = await postToProvider({ ...request, signal: both });
      const text = await response.text().catch((cause: unknown) => {
        both.throwIfAborted();
        throw new ProviderFailure('unavailable', 'broke off', { cause });
      });
      const parsed = answer.safeParse(jsonOf(text));
      if (!parsed.success) throw new ProviderFailure('misconfigured', 'answered in a shape that is not known');
      return parsed.data;
    }),
  );
}

/** The header with the key; a server without keys gets none. */
export function bearer(apiKey: string | undefined): Record<string, string> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}

/** Does it again, with pauses, while what fails may go better next time; a time-out has cost enough already. */
export async function retried<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let done = 0; ; done++) {
    try {
      return await work();
    } catch (error) {
      const pause = done < retries ? pauseAfter(error, done) : null;
      if (pause === null) throw error;
      await wait(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

function pauseAfter(error: unknown, done: number): number | null {
  if (!(error instanceof ProviderFailure) || isTimeout(error.cause)) return null;
  if (error.kind !== 'unavailable' && error.kind !== 'rate-limited') return null;
  // Spread out, or all who were turned away together come back together.
  const usual = firstPauseMs * 2 ** done * (0.5 + Math.random());
  const asked = (error.retryAfterSeconds ?? 0) * 1000;
  return asked > maxPauseMs ? null : Math.max(usual, asked);
}

/** Ends what it guards when nothing is heard for too long. */
export interface Deadline {
  /** Aborted with the caller's signal, or when time is up. */
  signal: AbortSignal;
  /** Something was heard: from now on, so much time until the next. */
  renew(ms: number): void;
}

/** @throws ProviderFailure `unavailable` when time is up; the signal's reason where it was aborted */
export async function withinTime<T>(
  signal: AbortSignal,
  ms: number,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const deadline = startDeadline(signal, ms);
  try {
    return await work(deadline);
  } catch (error) {
    throw deadline.explain(error);
  } finally {
    deadline.stop();
  }
}

/** The parts of `withinTime`, for a generator, which can't be run inside a callback. */
export function startDeadline(outer: AbortSignal, ms: number) {
  outer.throwIfAborted();
  const own = new AbortController();
  const giveUp = (allowed: number) =>
    setTimeout(() => own.abort(new DOMException(`nothing came for ${allowed / 1000} s`, 'TimeoutError')), allowed);
  let timer = giveUp(ms);
  return {
    signal: AbortSignal.any([outer, own.signal]),
    /** Until `renew` the other side is not waited for. */
    pause: () => clearTimeout(timer),
    renew(allowed: number) {
      clearTimeout(timer);
      timer = giveUp(allowed);
    },
    /** What an error that came out of the guarded work really was. */
    explain(error: unknown): unknown {
      if (outer.aborted) return outer.reason;
      if (own.signal.aborted && isTimeout(own.signal.reason))
        return new ProviderFailure('unavailable', own.signal.reason.message, { cause: own.signal.reason });
      return error;
    },
    /** Also closes a connection that is still open. */
    stop() {
      clearTimeout(timer);
      own.abort();
    },
  };
}

function isTimeout(error: unknown): error is DOMException {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

/** Services say in several ways what kind of error it is; all of them in words that name no one. */
const reason = z.union([z.string(), z.number()]).nullish().catch(null);
const errorBody = z.object({ error: z.object({ code: reason, type: reason, status: reason }) });

/** What an error body says in a word or a number, most telling first; its sentence may hold the key or the question. */
export function reasonIn(body: unknown): string[] {
  const parsed = errorBody.safeParse(typeof body === 'string' ? firstOf(jsonOf(body)) : body);
  if (!parsed.success) return [];
  const { code, type, status } = parsed.data.error;
  return [code, type, status].flatMap((each) => (/^[\w.-]{1,60}$/.test(String(each ?? '')) ? [String(each)] : []));
}

/** Google's streams answer an error as a list of one. */
function firstOf(body: unknown): unknown {
  return Array.isArray(body) ? body[0] : body;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Reasons that say more than the status, or come where there is none. */
const kinds: [RegExp, ProviderFailureKind][] = [
  [/content_?(filter|policy|management)|safety|^refus/i, 'refused'],
  [/rate_?limit|insufficient_quota|resource_exhausted|^429$/i, 'rate-limited'],
  [/overloaded|server_error|api_error|internal|unavailable|timeout|deadline|^5\d\d$/i, 'unavailable'],
  [
    /invalid|auth|permission|not_?found|billing|argument|context_length|too_large|unsupported|^4\d\d$/i,
    'misconfigured',
  ],
];

/** @param status absent where the error came inside a stream, after a good beginning */
export function failureFrom(reasons: string[], status?: number, headers?: Headers): ProviderFailure {
  const said = [...(status === undefined ? [] : [String(status)]), ...reasons].join(' ') || 'an error without a reason';
  const kind = kindOf(reasons, status);
  return new ProviderFailure(kind, `answered ${said}`, { retryAfterSeconds: headers && pauseAskedFor(headers) });
}

function kindOf(reasons: string[], status: number | undefined): ProviderFailureKind {
  // A filter answers with the status of a bad request, which would blame the operator.
  if (status === undefined || status === 400)
    for (const each of reasons) for (const [pattern, kind] of kinds) if (pattern.test(each)) return kind;
  if (status === 429) return 'rate-limited';
  if (status === undefined || status >= 500 || status === 408 || status === 409) return 'unavailable';
  return 'misconfigured';
}

/** Of `Retry-After` (seconds or a date) or the milliseconds that OpenAI sends beside it; in seconds. */
function pauseAskedFor(headers: Headers): number | undefined {
  const ms = headers.get('retry-after-ms');
  if (ms !== null && /^\d+$/.test(ms)) return Number(ms) / 1000;
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
