import { z } from 'zod';

const entry = z.object({
  /** Its path in the backup, without the endings that say how it is packed. */
  name: z.string(),
  /** Of its content, not of what lies on the disk. */
  bytes: z.number().int().nonnegative(),
  sha256: z.string(),
});

/**
 * What a backup holds, and what each part must be like when it is read again. Written last: without it there is none.
 */
export const manifestSchema = z.object({
  product: z.literal('footnote'),
  format: z.literal(1),
  /** When the database was read, as it stood at one moment. */
  madeAt: z.string(),
  /** The newest migration that the database had: a restore makes its tables as that one leaves them. */
  migration: z.object({ hash: z.string(), createdAt: z.number() }),
  tables: z.array(entry.extend({ table: z.string(), columns: z.array(z.string()), rows: z.number().int() })),
  originals: z.array(entry.extend({ key: z.string() })),
  /** Jobs that waited or ran. */
  jobs: entry,
  /** The key of second factors, where the backup is sealed and the key is a file. */
  secretKey: entry.optional(),
  /** Documents that were deleted while the backup was made, in that order: their originals are not in it. */
  erased: z.array(z.string()),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type Entry = z.infer<typeof entry>;
