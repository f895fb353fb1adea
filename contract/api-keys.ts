import { AppError } from './errors.ts';

/** Whose rights a key has: those of a person, or a role of its own. */
export const apiKeyKinds = ['personal', 'company'] as const;
export type ApiKeyKind = (typeof apiKeyKinds)[number];

/** By what programs act: a key, or what an app is given that a person has connected (decision 0056). */
export const actingKinds = [...apiKeyKinds, 'app'] as const;
export type ActingKind = (typeof actingKinds)[number];

/**
 * What a key may do, each with all before it: read and ask; change documents; look after the company (who sees what,
 * people, settings, analytics, the audit log). Never more than its role may.
 */
export const apiKeyScopes = ['read', 'write', 'admin'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** How every key begins: no token does. */
export const apiKeyStart = 'fn_';

/** How long a key holds unless said otherwise, and at most, but for those of admins that never end. */
export const usualKeyDays = 90;
export const maxKeyDays = 365;

/** Live keys of a person, and of a company as its own. */
export const maxPersonalKeys = 20;
export const maxCompanyKeys = 50;
export const maxKeyName = 80;

/** Apps that a person has connected at once. */
export const maxConnectedApps = 50;

/**
 * Lets a key through where its scope has that of the call, or of the route. Whoever is signed in has no key, and
 * passes.
 * @param scope null: closed to keys
 * @throws AppError `not-for-api-keys`, `api-key-scope`
 */
export function requireKeyScope(key: { scope: ApiKeyScope } | undefined, scope: ApiKeyScope | null): void {
  if (!key) return;
  if (scope === null) throw new AppError('not-for-api-keys');
  if (apiKeyScopes.indexOf(key.scope) < apiKeyScopes.indexOf(scope)) {
    throw new AppError('api-key-scope', { details: { scope, keyScope: key.scope } });
  }
}
