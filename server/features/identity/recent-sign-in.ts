import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';

const recentMs = 15 * 60_000;

/**
 * For calls that do harm that can't be undone: whoever finds an open screen must not be able to make them.
 * @param now milliseconds since the epoch.
 * @throws AppError `recent-sign-in-required`; after `reauthenticate` the call can be made again.
 */
export function requireRecentSignIn({ authenticatedAt }: Actor, maxAgeMs = recentMs, now = Date.now()): void {
  if (now - authenticatedAt.getTime() > maxAgeMs) throw new AppError('recent-sign-in-required');
}
