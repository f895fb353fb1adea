import { z } from 'zod';
import { defineCall } from '../call.ts';
import { documentIds } from './many-documents.ts';

const none = z.null().or(z.object({}).strict());

/** What a collection or a group is called: 1 to 80 characters of which one can be seen, none a control character. */
const name = z
  .string()
  .max(200)
  .transform((text) => text.normalize('NFC').trim().replace(/\s+/g, ' '))
  .refine((text) => text.length <= 80 && text.isWellFormed())
  .refine((text) => /[^\s\p{Default_Ignorable_Code_Point}]/u.test(text) && !/\p{Cc}/u.test(text));
const people = z.array(z.uuid()).max(10_000);
const groups = z.array(z.uuid()).max(1000);

/** Who sees a collection: everyone in the company, or its people, the members of its groups, and admins. */
export const collectionAccess = ['everyone', 'restricted'] as const;
const access = z.enum(collectionAccess);

export const collection = z.object({
  /** Of the company's own collection: the company's id. */
  collectionId: z.uuid(),
  name: z.string(),
  access,
  /** How many documents are in it. */
  documents: z.number().int(),
  /** For whom it is restricted: told to admins alone. */
  userIds: z.array(z.uuid()).optional(),
  groupIds: z.array(z.uuid()).optional(),
});
export type Collection = z.infer<typeof collection>;

export const listCollections = defineCall({
  summary: "The collections that the caller sees, the company's own first.",
  input: none,
  output: z.array(collection),
  access: 'member',
  scope: 'read',
  feature: null,
  idempotent: true,
});

const made = z.object({ collectionId: z.uuid() });

export const createCollection = defineCall({
  summary: 'Makes a collection, which everyone sees, or these people and groups alone, and admins.',
  input: z.object({ name, access, userIds: people.optional(), groupIds: groups.optional() }).strict(),
  output: made,
  access: 'admin',
  scope: 'admin',
  feature: 'collections',
  idempotent: false,
  audit: 'collection-created',
});

export const updateCollection = defineCall({
  summary:
    'Changes name and access of a collection, at once, in open streams too. People and groups not named stay. Without `collections` it can only be renamed, opened to everyone, and lose people and groups.',
  input: z
    .object({ collectionId: z.uuid(), name, access, userIds: people.optional(), groupIds: groups.optional() })
    .strict(),
  output: made,
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: false,
  audit: 'collection-changed',
});

export const deleteCollection = defineCall({
  summary: 'Removes a collection; its documents go to another one: without `collections`, to one that everyone sees.',
  input: z.object({ collectionId: z.uuid(), moveTo: z.uuid() }).strict(),
  output: z.null(),
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: false,
  audit: 'collection-deleted',
});

export const moveDocuments = defineCall({
  summary:
    'Moves documents to a collection, mails with what is attached to them, all of them or none; without `collections`, to one that everyone sees.',
  input: z.object({ documentIds, collectionId: z.uuid() }).strict(),
  output: z.null(),
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: false,
  audit: 'files-moved',
});

export const listGroups = defineCall({
  summary: 'The groups of people of the company.',
  input: none,
  output: z.array(z.object({ groupId: z.uuid(), name: z.string(), userIds: z.array(z.uuid()) })),
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: true,
});

export const createGroup = defineCall({
  summary: 'Makes a group of people, for whom collections can be restricted.',
  input: z.object({ name, userIds: people }).strict(),
  output: z.object({ groupId: z.uuid() }),
  access: 'admin',
  scope: 'admin',
  feature: 'collections',
  idempotent: false,
  audit: 'group-created',
});

export const updateGroup = defineCall({
  summary: 'Gives a group this name and exactly these people: without `collections`, none that is not in it.',
  input: z.object({ groupId: z.uuid(), name, userIds: people }).strict(),
  output: z.object({ groupId: z.uuid() }),
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: false,
  audit: 'group-changed',
});

export const deleteGroup = defineCall({
  summary: 'Removes a group; its people see no more what they saw by it alone.',
  input: z.object({ groupId: z.uuid() }).strict(),
  output: z.null(),
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: false,
  audit: 'group-deleted',
});
