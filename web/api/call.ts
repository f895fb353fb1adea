import type { CallInput, CallName, CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { authorised } from './authorised.ts';
import { withRecentSignIn } from './recent-sign-in.ts';
import { isIdempotent, withRetry } from './retry.ts';
import { send } from './wire.ts';

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Whether to try again while the service can't be reached, for up to 120 s. Default: for idempotent calls. */
  retry?: boolean;
}

/**
 * Makes a call of the contract as the person signed in (as nobody, when nobody is). One that wants a recent sign-in has
 * the person asked for the password, and is then made again.
 * @throws AppError of the catalogue; `unavailable`, `deadline-exceeded` (70 s) and `cancelled` (the signal, or the
 * person would not confirm the password) among it
 */
export function call<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  { signal, retry = isIdempotent(name) }: CallOptions = {},
): Promise<CallOutput<Name>> {
  const once = () => withRecentSignIn(() => authorised((bearer) => send(name, input, { bearer, signal })));
  return retry ? withRetry(once, signal) : once();
}

/** A call that needs nobody: the prices on the public pages, without asking who is there. */
export function callAnonymously<Name extends 'getPlans'>(
  name: Name,
  input: CallInput<Name>,
): Promise<CallOutput<Name>> {
  return withRetry(() => send(name, input, { bearer: null }));
}

/** Whether a call was refused since nobody is signed in any more: its page is about to be left for the login screen. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'session-expired' || error.code === 'unauthenticated');
}

/** What to tell a person: the server's words where they mean something to them, else `fallback`. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof AppError && error.code !== 'internal' ? error.message : fallback;
}
