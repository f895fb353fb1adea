import { z } from 'zod';
import { defineCall } from '../call.ts';

const none = z.null().or(z.object({}).strict());

export const exportStates = ['running', 'ready', 'failed'] as const;

const progress = z.object({
  exportId: z.uuid(),
  state: z.enum(exportStates),
  /** Why it has failed. */
  reason: z.string().optional(),
  /** Originals that have been read, of how many; every version of a document is one. */
  documentsDone: z.number().int(),
  documents: z.number().int(),
  /** The same in bytes. */
  bytesDone: z.number().int(),
  bytes: z.number().int(),
  /** Bytes of the whole file, once it is ready. */
  size: z.number().int().optional(),
  startedAt: z.iso.datetime(),
  readyAt: z.iso.datetime().optional(),
  /** Until when it can be downloaded. */
  expiresAt: z.iso.datetime().optional(),
});

export const startExport = defineCall({
  summary: "Begins to make a file of all the company's data; one that is finished is replaced. Wants a recent sign-in.",
  input: none,
  output: z.object({ exportId: z.uuid() }),
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: false,
  audit: 'export-started',
  whileEnding: 'admin',
});

export const startOwnExport = defineCall({
  summary: "Begins to make a file of the caller's own data; one that is finished is replaced. Wants a recent sign-in.",
  input: none,
  output: z.object({ exportId: z.uuid() }),
  access: 'member',
  scope: null,
  feature: null,
  idempotent: false,
  audit: 'export-started',
});

export const getExport = defineCall({
  summary:
    'How far an export is and, once it is ready, a link to its file, which wants a recent sign-in. The link holds until ' +
    'the export expires, and no longer than the session in which it was made.',
  input: z.object({ exportId: z.uuid() }).strict(),
  output: progress.extend({ url: z.url().optional() }),
  access: 'member',
  scope: null,
  feature: null,
  idempotent: true,
  audit: 'export-opened',
  whileEnding: 'admin',
});

export const listExports = defineCall({
  summary: "The export of the company's data, for admins, and that of the caller's own data, as far as there are any.",
  input: none,
  output: z.object({ company: progress.optional(), own: progress.optional() }),
  access: 'member',
  scope: null,
  feature: null,
  idempotent: true,
  whileEnding: 'admin',
});
