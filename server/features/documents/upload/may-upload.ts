import { requireKeyScope } from '#contract/api-keys.ts';
import { AppError } from '#contract/errors.ts';
import { mayAccess, requireFeature, requireOpenCompany } from '#contract/permissions.ts';
import type { Actor } from '#server/calls/actor.ts';

/**
 * Lets through who may send a request of an upload: what the contract says of calls, for a route that is none.
 * @throws AppError `unauthenticated`, `permission-denied`, `api-key-scope`, `company-ending`, or as `requireFeature`
 */
export function requireMayUpload(actor: Actor | null, method: string): asserts actor is Actor {
  if (!actor) throw new AppError('unauthenticated');
  if (!mayAccess(actor.role, 'admin')) throw new AppError('permission-denied');
  requireKeyScope(actor.key, 'write');
  requireOpenCompany(actor);
  // Taking away what one has uploaded is always possible.
  if (method !== 'DELETE') requireFeature(actor.entitlements, 'upload');
}
