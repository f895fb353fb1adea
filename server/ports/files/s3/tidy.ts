import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { S3Place } from './place.ts';

/** What the checks of a start write goes below this; no key of ours begins with a dot. */
export const startFolder = '.start/';

/** What a killed process was writing is of no use to anyone after this long. */
const unfinishedLifeMs = 24 * 3_600_000;

/** Removes what killed processes have left: parts of what was never completed, and the marks of starts. */
export async function tidy(client: S3Client, { bucket: Bucket, prefix }: S3Place, now = Date.now()): Promise<void> {
  const isOld = (date: Date | undefined) => date !== undefined && now - date.getTime() > unfinishedLifeMs;
  let from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | null = {};
  while (from !== null) {
    const page: Awaited<ReturnType<typeof unfinished>> = await unfinished(client, Bucket, prefix, from);
    for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
      if (isOld(Initiated)) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    from = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : null;
  }
  for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix + startFolder }))
    for (const { Key, LastModified } of page.Contents ?? [])
      if (isOld(LastModified)) await client.send(new DeleteObjectCommand({ Bucket, Key }));
}

function unfinished(
  client: S3Client,
  Bucket: string,
  Prefix: string,
  from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined },
) {
  return client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...from }));
}
