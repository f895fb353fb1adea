import type { CallInput, CallName, CallOutput } from '#contract/calls.ts';
import { AppError, type WireError } from '#contract/errors.ts';
import { noteFailure } from '#web/lib/connection.ts';

/** Milliseconds after which the browser gives up; in a stream: without any event. */
const timeoutMs = 70_000;

export interface Sending {
  /** Sent as `Authorization: Bearer`; null: anonymous. */
  bearer: string | null;
  signal?: AbortSignal | undefined;
  /** Sent as `Idempotency-Key`. */
  key?: string | undefined;
  /** Whether the browser still sends it when the page is left meanwhile. */
  keepalive?: boolean;
}

/**
 * One call over the callable protocol, sent once.
 * @throws AppError of the catalogue; `unavailable` when the server can't be reached, `deadline-exceeded` after 70 s,
 * `cancelled` when `signal` fires
 */
export async function send<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  { bearer, signal, keepalive = false }: Sending,
): Promise<CallOutput<Name>> {
  const watch = new Watch(signal);
  try {
    const init = { ...request(input, bearer, 'application/json', watch.signal), keepalive };
    const response = await fetch(`/v1/${name}`, init);
    const body = await readJson<CallOutput<Name>>(response);
    if ('result' in body) return body.result;
    throw AppError.fromWire(body.error);
  } catch (error) {
    throw watch.explain(error);
  } finally {
    watch.end();
  }
}

/** What the server says of a call in the end. */
export type Answer<Result> = { result: Result } | { error: Partial<WireError> };

export function request(
  data: unknown,
  bearer: string | null,
  accept: string,
  signal: AbortSignal,
  key?: string,
): RequestInit {
  return {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: accept,
      ...(bearer === null ? {} : { Authorization: `Bearer ${bearer}` }),
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    body: JSON.stringify({ data }),
    signal,
  };
}

/** The body of an answer; what is no answer of ours (a proxy's page) becomes an error of its HTTP status. */
export async function readJson<Result>(response: Response): Promise<Answer<Result>> {
  const body: unknown = await response.json().catch((error: unknown) => {
    if (error instanceof SyntaxError) return null;
    throw error;
  });
  if (isAnswer<Result>(body)) return body;
  if (response.status === 401) throw new AppError('unauthenticated');
  // A proxy answers so while what is behind it does not.
  if ([502, 503, 504].includes(response.status)) noteFailure();
  throw new AppError([429, 502, 503, 504].includes(response.status) ? 'unavailable' : 'internal');
}

function isAnswer<Result>(body: unknown): body is Answer<Result> {
  return typeof body === 'object' && body !== null && ('result' in body || 'error' in body);
}

/** Ends a request when the caller wants so or when nothing has been heard for too long, and knows which it was. */
export class Watch {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller;
    if (caller?.aborted) this.#cancel();
    caller?.addEventListener('abort', this.#cancel);
    this.restart();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(new AppError('deadline-exceeded')), timeoutMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#cancel);
    // Frees the connection of a stream that was left before its end.
    this.#controller.abort(new AppError('cancelled'));
  }

  explain(error: unknown): AppError {
    if (error instanceof AppError) return error;
    if (this.signal.reason instanceof AppError) return this.signal.reason;
    // fetch and its streams say TypeError for everything that is the network's fault.
    if (error instanceof TypeError) {
      noteFailure();
      return new AppError('unavailable', { cause: error });
    }
    return new AppError('internal', { cause: error });
  }

  readonly #cancel = () => this.#controller.abort(new AppError('cancelled'));
}
