import { z } from 'zod';
import { apiKeyKinds, apiKeyScopes, maxKeyDays, maxKeyName, usualKeyDays } from '../api-keys.ts';
import { defineCall } from '../call.ts';
import { roles } from '../permissions.ts';

const none = z.null().or(z.object({}).strict());

export const createApiKey = defineCall({
  summary:
    'Makes an API key, which is shown this once. A personal key has the rights of its person, as they are at each call; one of the company has a role of its own, and admins alone make it. Asks for a recent sign-in.',
  input: z
    .object({
      name: z.string().trim().min(1).max(maxKeyName),
      kind: z.enum(apiKeyKinds),
      /** Of a company's key: a member unless said otherwise. */
      role: z.enum(roles).optional(),
      scope: z.enum(apiKeyScopes),
      /** Null: it never ends, which admins alone may say. */
      expiresInDays: z.number().int().min(1).max(maxKeyDays).nullable().default(usualKeyDays),
      /**
       * Of a company's key that acts as a member: which collections it sees, beside what is in the company's own.
       * Without it, those that are for everyone. Needs `collections`.
       */
      collectionIds: z.array(z.uuid()).max(500).optional(),
    })
    .strict()
    .refine(({ kind, role, collectionIds }) => kind === 'company' || (role ?? collectionIds) === undefined, {
      message: 'A personal key has the role and the collections of its person.',
    })
    .refine(({ role, collectionIds }) => role !== 'admin' || collectionIds === undefined, {
      message: 'Admins see every collection.',
    }),
  output: z.object({
    keyId: z.uuid(),
    /** `fn_…`: the bearer of calls. Nobody can be told it again. */
    key: z.string(),
  }),
  access: 'member',
  scope: null,
  feature: 'api-keys',
  idempotent: false,
  audit: 'api-key-created',
});

const apiKey = z.object({
  keyId: z.uuid(),
  name: z.string(),
  /** How the key begins, by which it can be told from others. */
  start: z.string(),
  kind: z.enum(apiKeyKinds),
  scope: z.enum(apiKeyScopes),
  /** Whose a personal key is. */
  person: z.object({ uid: z.uuid(), email: z.string() }).optional(),
  /** Of a company's key. */
  role: z.enum(roles).optional(),
  /** Of a company's key that is kept within some. */
  collectionIds: z.array(z.uuid()).optional(),
  /** Whether it is the caller's own. */
  own: z.boolean(),
  createdAt: z.iso.datetime(),
  /** The e-mail of who made it, as it was then. */
  createdBy: z.string(),
  /** Absent: never. */
  expiresAt: z.iso.datetime().optional(),
  /** To the minute; absent: never. */
  lastUsedAt: z.iso.datetime().optional(),
});

export const listApiKeys = defineCall({
  summary:
    "The caller's API keys that are not revoked, the newest first, expired ones too; for admins those of the company and of everybody in it.",
  input: none,
  output: z.array(apiKey),
  access: 'member',
  scope: null,
  feature: null,
  idempotent: true,
});

export const revokeApiKey = defineCall({
  summary:
    "Ends an API key at once, with all that is open by it: one's own, and for admins any key of the company and its people.",
  input: z.object({ keyId: z.uuid() }).strict(),
  output: z.null(),
  access: 'member',
  scope: null,
  feature: null,
  idempotent: false,
  audit: 'api-key-revoked',
});
