import type { Handlers } from '#server/calls/handlers.ts';
import type { createApiKeys } from './api-keys.ts';

export function apiKeyCalls(apiKeys: ReturnType<typeof createApiKeys>) {
  return {
    createApiKey: (input, { actor, ip }) => apiKeys.create({ ...actor, ip }, input),
    listApiKeys: (_, { actor }) => apiKeys.list(actor),
    revokeApiKey: async ({ keyId }, { actor, ip }) => {
      await apiKeys.revoke({ ...actor, ip }, keyId);
      return null;
    },
  } satisfies Partial<Handlers>;
}
