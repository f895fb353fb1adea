import { z } from 'zod';
import { defineCall } from '../call.ts';
import { maxTags, tag } from './documents.ts';

/** The files that a call is about: one that is named twice is one. */
export const documentIds = z.array(z.uuid()).min(1).max(500);

/** What became of them. */
const outcome = z.object({
  /** To how many it was done; what does not exist any more is none of them. */
  changed: z.number().int(),
  /** Those of the company that it could not be done to, each with the reason. */
  refused: z.array(z.object({ documentId: z.uuid(), message: z.string() })),
});
export type ManyOutcome = z.infer<typeof outcome>;

export const deleteFiles = defineCall({
  summary: 'Deletes many files, each one for itself. Those that are gone already are left out.',
  input: z.object({ documentIds }).strict(),
  output: outcome,
  access: 'admin',
  scope: 'write',
  feature: null,
  idempotent: true,
  audit: 'file-deleted',
});

export const retryFiles = defineCall({
  summary: 'Reads many failed or partly readable files once more, each one for itself.',
  input: z.object({ documentIds }).strict(),
  output: outcome,
  access: 'admin',
  scope: 'write',
  feature: 'upload',
  idempotent: false,
  audit: 'file-retried',
});

export const tagFiles = defineCall({
  summary:
    'Gives many files these tags beside their own, and takes others from them. A file that would have more than 20 is refused.',
  input: z.object({ documentIds, add: z.array(tag).max(maxTags), remove: z.array(tag).max(100) }).strict(),
  output: outcome,
  access: 'admin',
  scope: 'write',
  feature: null,
  idempotent: true,
  audit: 'file-tagged',
});
