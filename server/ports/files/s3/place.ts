import { isKey } from '../port.ts';

/** A place in a store that speaks S3: where originals lie, or search tables. */
export interface S3Place {
  /** Which setting names it, for sentences about it; absent: FILES_URL. */
  setting?: 'SEARCH_URL' | undefined;
  bucket: string;
  /** What our keys begin with there: empty, or with a slash at its end. */
  prefix: string;
  /** Origin of a store that is not Amazon's. */
  endpoint?: string | undefined;
  /** Absent: what the environment or the machine says. */
  region?: string | undefined;
  /** What the store is asked to seal each object with. Absent: what the bucket says. */
  encryption?: { algorithm: 'AES256' | 'aws:kms' | 'aws:kms:dsse'; keyId?: string | undefined } | undefined;
  /** Absent, as the configuration leaves it: from the environment, its files or the role of the machine. */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
}

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/**
 * Reads `s3://bucket/prefix`; the prefix may be left out.
 * @returns null where it can't be meant
 */
export function s3Place(url: string): Pick<S3Place, 'bucket' | 'prefix'> | null {
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]*)(?:\/(.*?)\/?)?$/.exec(url) ?? [];
  if (!bucketName.test(bucket) || (path !== '' && !isKey(path))) return null;
  return { bucket, prefix: path === '' ? '' : `${path}/` };
}

/** The setting that names it. */
export function settingOf({ setting }: S3Place): string {
  return setting ?? 'FILES_URL';
}

/** How it is named to the operator. */
export function nameOf({ bucket, prefix }: S3Place): string {
  return `s3://${bucket}/${prefix}`;
}
