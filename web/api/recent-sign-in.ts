import type { CallInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { createStore, useStore } from '#web/lib/store.ts';
import { authorised } from './authorised.ts';
import { adoptGrant, oneAtATime, onSignOut } from './session.ts';
import { send } from './wire.ts';

/** The question for the password, while it is open. */
const request = createStore<PromiseWithResolvers<void> | null>(null);

/**
 * Does work that the server may refuse until the person has confirmed the password: asks for it (once, however many
 * wait), and does the work again. Only what changed nothing is refused so, so that nothing is done twice.
 * @throws AppError `cancelled` when the person would rather not; what `work` throws
 */
export async function withRecentSignIn<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const asks = error instanceof AppError && error.code === 'recent-sign-in-required';
    // Without the dialog on the page nobody would ever answer.
    if (!asks || !request.isHeard()) throw error;
    const asked = request.value ?? Promise.withResolvers<void>();
    request.set(asked);
    await asked.promise;
    return work();
  }
}

/** Whether the password is asked for: what the dialog shows itself by. */
export function usePasswordRequest(): boolean {
  return useStore(request) !== null;
}

export function watchPasswordRequest(listener: () => void): () => void {
  return request.subscribe(listener);
}

export function passwordWanted(): boolean {
  return request.value !== null;
}

/**
 * Answers the question. @throws AppError `invalid-credentials`, `second-factor-required`, `invalid-second-factor` (the
 * question stays open), `too-many-requests`
 */
export async function confirmPassword(proof: CallInput<'reauthenticate'>): Promise<void> {
  const asked = request.value;
  // Under the lock of refreshing: both change the cookie.
  const fresh = await authorised((bearer) => oneAtATime(() => send('reauthenticate', proof, { bearer })));
  adoptGrant(fresh);
  if (request.value === asked) request.set(null);
  asked?.resolve();
}

/** Leaves the question open no longer: what waits for it is not done. */
export function dismissPasswordRequest(): void {
  const asked = request.value;
  request.set(null);
  asked?.reject(new AppError('cancelled'));
}

onSignOut(dismissPasswordRequest);
