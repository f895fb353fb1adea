import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { setOf } from './explain.ts';
import type { S3Place } from './place.ts';

/** What the checks of a start write goes below this; no key of ours begins with a dot. */
export const startFolder = '.start/';
/** What there is of a part that is not full, of unfinished uploads. */
export const tailFolder = '.unfinished/';

/** What a killed process was writing is of no use to anyone after this long. */
const unfinishedLifeMs = 24 * 3_600_000;

/** Of the names of uploads in parts and of tails, those that somebody will go on with. */
export type InUse = (names: { multipartIds: string[]; tails: string[] }) => Promise<ReadonlySet<string>>;

/**
 * Removes what killed processes have left: parts of what was never completed, tails, and the marks of starts.
 * @param inUse asked of what is old before it goes
 */
export async function tidy(
  client: S3Client,
  place: S3Place,
  { now = Date.now(), inUse }: { now?: number; inUse: InUse },
): Promise<void> {
  const { bucket: Bucket, prefix } = place;
  const isOld = (date: Date | undefined) => date !== undefined && now - date.getTime() > unfinishedLifeMs;
  let from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | null = {};
  while (from !== null) {
    const page: Awaited<ReturnType<typeof unfinished>> = await unfinished(client, Bucket, prefix, from);
    const old = (page.Uploads ?? []).filter(({ Initiated }) => isOld(Initiated));
    const used = await inUse({ multipartIds: old.map(({ UploadId }) => setOf(UploadId)), tails: [] });
    for (const { Key, UploadId } of old)
      if (!used.has(setOf(UploadId))) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    from = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : null;
  }
  for (const folder of [startFolder, tailFolder])
    for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix + folder })) {
      const old = (page.Contents ?? []).filter(({ LastModified }) => isOld(LastModified));
      const tails = old.map(({ Key }) => setOf(Key));
      const used = await inUse({ multipartIds: [], tails });
      for (const Key of tails) if (!used.has(Key)) await client.send(new DeleteObjectCommand({ Bucket, Key }));
    }
}

/** Every key that begins so, with the prefix; also what is no key of ours. */
export async function* keysBelow(client: S3Client, { bucket: Bucket }: S3Place, Prefix: string) {
  for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix }))
    for (const { Key } of page.Contents ?? []) yield setOf(Key);
}

function unfinished(
  client: S3Client,
  Bucket: string,
  Prefix: string,
  from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined },
) {
  return client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...from }));
}
