import { z } from 'zod';

/** Every job by its name with the data it carries. A job is enqueued inside the business transaction that wants it. */
export const jobs = {
  /** Reads a version: parse, chunk, index, and make it current. */
  'ingest-version': z.object({
    companyId: z.uuid(),
    documentId: z.uuid(),
    version: z.number().int(),
    attempt: z.number().int(),
  }),
  /** Removes what is left of a deleted document: search rows, bytes, quotes, rows. */
  'erase-document': z.object({ companyId: z.uuid(), documentId: z.uuid() }),
  /** Rewrites a company's search table without what was deleted. */
  'erase-search': z.object({ companyId: z.uuid() }),
  /** Folds added rows into a company's search index. */
  'optimize-search': z.object({ companyId: z.uuid() }),
} as const;

export type JobName = keyof typeof jobs;
export type JobData<Name extends JobName> = z.infer<(typeof jobs)[Name]>;
