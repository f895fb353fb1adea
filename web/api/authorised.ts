import { AppError } from '#contract/errors.ts';
import { bearer, reloadSession, restartSession } from './session.ts';

/**
 * Does the work with the person's bearer (null: nobody is signed in). A token may be ended early (role changed, clock
 * off): one new one, one more try.
 * @throws AppError `session-expired` when there is no new one
 */
export async function authorised<T>(work: (token: string | null) => Promise<T>): Promise<T> {
  const token = await bearer();
  try {
    return await work(token);
  } catch (error) {
    // The subscription, or the company, is not what this page believes: its notices and locks are to tell.
    if (isRefusedPlan(error) || isAskedToEnrol(error)) reloadSession().catch(() => {});
    // Nothing of the company can be reached from here, whatever the page believes.
    if (isOutside(error)) restartSession();
    if (token === null || !isRefusedToken(error)) throw error;
    const fresh = await bearer(token);
    if (fresh === null) throw new AppError('session-expired', { cause: error });
    return work(fresh);
  }
}

/** A wrong password is refused with the same status, and no new token makes it right. */
function isRefusedToken(error: unknown): boolean {
  return error instanceof AppError && error.status === 'UNAUTHENTICATED' && error.code !== 'invalid-credentials';
}

/** The company asks for a second factor since a moment ago: the page that sets one up takes over. */
function isAskedToEnrol(error: unknown): boolean {
  return error instanceof AppError && error.code === 'second-factor-missing';
}

function isOutside(error: unknown): boolean {
  return error instanceof AppError && error.code === 'address-not-allowed';
}

function isRefusedPlan(error: unknown): boolean {
  return (
    error instanceof AppError && ['subscription-required', 'feature-not-in-plan', 'company-ending'].includes(error.code)
  );
}
