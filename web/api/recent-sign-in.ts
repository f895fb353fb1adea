import { useSyncExternalStore } from 'react';
import { AppError } from '#contract/errors.ts';
import { authorised } from './authorised.ts';
import { adoptGrant, oneAtATime, onSignOut } from './session.ts';
import { send } from './wire.ts';

/** The question for the password, while it is open. */
let request: PromiseWithResolvers<void> | null = null;
const listeners = new Set<() => void>();

/**
 * Does work that the server may refuse until the person has confirmed the password: asks for it (once, however many wait),
 * and does the work again. Only what changed nothing is refused so, so that nothing is done twice.
 * @throws AppError `cancelled` when the person would rather not; what `work` throws
 */
export async function withRecentSignIn<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const asks = error instanceof AppError && error.code === 'recent-sign-in-required';
    // Without the dialog on the page nobody would ever answer.
    if (!asks || listeners.size === 0) throw error;
    request ??= Promise.withResolvers();
    tell();
    await request.promise;
    return work();
  }
}

/** Whether the password is asked for: what the dialog shows itself by. */
export function usePasswordRequest(): boolean {
  return useSyncExternalStore(watchPasswordRequest, passwordWanted);
}

export function watchPasswordRequest(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function passwordWanted(): boolean {
  return request !== null;
}

/** Answers the question. @throws AppError `invalid-credentials` (the question stays open), `too-many-requests` */
export async function confirmPassword(password: string): Promise<void> {
  const asked = request;
  // Under the lock of refreshing: both change the cookie.
  const fresh = await authorised((bearer) => oneAtATime(() => send('reauthenticate', { password }, { bearer })));
  adoptGrant(fresh);
  if (request === asked) request = null;
  tell();
  asked?.resolve();
}

/** Leaves the question open no longer: what waits for it is not done. */
export function dismissPasswordRequest(): void {
  const asked = request;
  request = null;
  tell();
  asked?.reject(new AppError('cancelled'));
}

onSignOut(dismissPasswordRequest);

function tell(): void {
  for (const listener of listeners) listener();
}
