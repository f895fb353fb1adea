import { z } from 'zod';
import { type S3Place, s3Place } from '#server/ports/files/s3/place.ts';
import { baseAddress } from './models.ts';

/** Where originals and search tables are kept. */
export interface FilesConfig {
  /** Absent: below `dataDir`. */
  files?: S3Place;
  /** Absent: below `dataDir`. */
  searchPlace?: S3Place;
  /** With `searchPlace`: what the copies that searches read may take on the disk of this machine. */
  searchCacheBytes: number;
  /** What is kept in memory for searches, in bytes: of the words of companies, and of tables. */
  searchMemory: { words: number; tables: number };
}

const encryptions = ['AES256', 'aws:kms', 'aws:kms:dsse'] as const;

export const fileSettings = {
  FILES_URL: z
    .string()
    .refine((written) => s3Place(written) !== null, 'must be like s3://bucket or s3://bucket/prefix')
    .optional()
    .describe(
      'Where originals, unfinished uploads and exports are kept: s3://bucket/prefix in a store that speaks S3; not set: folders below DATA_DIR. The keys are those of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role of the machine; docs/operations.md says which rights they need.',
    ),
  SEARCH_URL: z
    .string()
    .refine((written) => s3Place(written) !== null, 'must be like s3://bucket or s3://bucket/prefix')
    .optional()
    .describe(
      'Where search tables are kept: s3://bucket/prefix in the same store as FILES_URL, with the same keys and rights, in a place of its own; not set: a folder below DATA_DIR.',
    ),
  SEARCH_CACHE_GB: z.coerce
    .number('must be a number')
    .positive('must be more than 0')
    .max(10_000)
    .default(10)
    .describe(
      'With SEARCH_URL: what the copies of search tables that a process reads may take on its disk, in GB. A table that is larger by itself is searched in the store, which takes many requests.',
    ),
  SEARCH_MEMORY_MB: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(64, 'must be at least 64')
    .max(1_000_000)
    .default(1024)
    .describe(
      'What a process may keep in memory for searches, in MB: half for what it has read of search tables, half for the words of companies. What has no room is read again by each search; docs/operations.md says how much is needed.',
    ),
  S3_ENDPOINT: baseAddress
    .optional()
    .describe(
      "With FILES_URL or SEARCH_URL: address of the store, such as https://objects.example.com; not set: Amazon's.",
    ),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be a region such as eu-central-1')
    .optional()
    .describe(
      'With FILES_URL or SEARCH_URL: region of the bucket, such as eu-central-1; not set: AWS_REGION, and with S3_ENDPOINT us-east-1.',
    ),
  S3_ENCRYPTION: z
    .enum(encryptions, `must be one of ${encryptions.join(', ')}`)
    .optional()
    .describe(
      'With FILES_URL or SEARCH_URL: how the store is asked to seal each file (AES256, aws:kms, aws:kms:dsse); not set: as the bucket says.',
    ),
  S3_ENCRYPTION_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be the id or ARN of a key')
    .optional()
    .describe('With S3_ENCRYPTION aws:kms or aws:kms:dsse: the id or ARN of the key in KMS.'),
};

type Settings = z.infer<z.ZodObject<typeof fileSettings>>;

/** Where originals and search tables are kept; what is missing or of no use goes to the problems. */
export function filesConfig(values: Settings, problems: string[]): FilesConfig {
  const { FILES_URL, SEARCH_URL, S3_ENDPOINT, S3_REGION, S3_ENCRYPTION, S3_ENCRYPTION_KEY } = values;
  const files = FILES_URL === undefined ? null : s3Place(FILES_URL);
  const search = SEARCH_URL === undefined ? null : s3Place(SEARCH_URL);
  const memory = values.SEARCH_MEMORY_MB * 2 ** 20;
  const kept = {
    searchCacheBytes: Math.floor(values.SEARCH_CACHE_GB * 1e9),
    searchMemory: { words: Math.floor(memory / 2), tables: Math.floor(memory / 2) },
  };
  if (!files && !search) {
    for (const [name, value] of Object.entries({ S3_ENDPOINT, S3_REGION, S3_ENCRYPTION, S3_ENCRYPTION_KEY }))
      if (value !== undefined)
        problems.push(`FILES_URL or SEARCH_URL is missing: ${name} is of no use without one of them.`);
    return kept;
  }
  if (S3_ENCRYPTION_KEY !== undefined && !S3_ENCRYPTION?.startsWith('aws:kms'))
    problems.push('S3_ENCRYPTION must be aws:kms or aws:kms:dsse: S3_ENCRYPTION_KEY is of no use without it.');
  if (files && search && isWithin(files, search))
    problems.push('SEARCH_URL must be a place of its own: neither it nor FILES_URL may lie in the other.');
  const store = {
    endpoint: S3_ENDPOINT,
    // Stores that are not Amazon's want a region in the signature, and take any.
    region: S3_REGION ?? (S3_ENDPOINT === undefined ? undefined : 'us-east-1'),
    encryption: S3_ENCRYPTION && { algorithm: S3_ENCRYPTION, keyId: S3_ENCRYPTION_KEY },
  };
  return {
    ...kept,
    ...(files && { files: { ...files, ...store } }),
    ...(search && { searchPlace: { ...search, ...store, setting: 'SEARCH_URL' } }),
  };
}

type Named = Pick<S3Place, 'bucket' | 'prefix'>;

function isWithin(one: Named, other: Named): boolean {
  return one.bucket === other.bucket && (one.prefix.startsWith(other.prefix) || other.prefix.startsWith(one.prefix));
}
