import { randomUUID } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';

/**
 * The answers of a server on which our store rests, request by request.
 * @param server a client of it, and a bucket that is there once the tests run
 */
export function wireContract(name: string, server: () => { client: S3Client; bucket: string }): void {
  describe(`${name}: answers on the wire`, () => {
    test('of conditions, ranges and what is absent', async () => {
      const { client, bucket } = server();
      const at = { Bucket: bucket, Key: 'wire/key' };
      const put = (Body: string, more = {}) => client.send(new PutObjectCommand({ ...at, Body, ...more }));
      const get = (more: object) => client.send(new GetObjectCommand({ ...at, ...more }));
      await put('0123456789');
      const { ETag } = await client.send(new HeadObjectCommand(at));
      expect(await outcome(put('x', { IfNoneMatch: '*' }))).toBe('412 PreconditionFailed');
      expect(await outcome(get({ IfMatch: '"another"' }))).toBe('412 PreconditionFailed');
      expect(await outcome(get({ IfMatch: ETag }))).toBe('done');
      expect(await outcome(get({ Range: 'bytes=10-12' }))).toBe('416 InvalidRange');
      expect(await get({ Range: 'bytes=8-99' })).toMatchObject({ ContentLength: 2, ContentRange: 'bytes 8-9/10' });
      expect(await outcome(get({ Key: 'wire' }))).toBe('404 NoSuchKey');
      expect(await outcome(client.send(new HeadObjectCommand({ ...at, Key: 'wire' })))).toBe('404 NotFound');
    });

    test('of uploads that are under way, and of those that are not', async () => {
      const { client, bucket } = server();
      const at = { Bucket: bucket, Key: `${randomUUID()}/parts` };
      const begin = async () =>
        (await client.send(new CreateMultipartUploadCommand({ ...at, Metadata: { mark: 'ours' } }))).UploadId;
      const part = async (UploadId: string | undefined, PartNumber: number) =>
        (await client.send(new UploadPartCommand({ ...at, UploadId, PartNumber, Body: 'small' }))).ETag;
      const complete = (UploadId: string | undefined, ...tags: (string | undefined)[]) => {
        const Parts = tags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
        return client.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } }));
      };
      expect(await outcome(part('2~none', 1))).toBe('404 NoSuchUpload');

      const id = await begin();
      const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: at.Key }));
      expect(Uploads).toMatchObject([{ Key: at.Key, UploadId: id, Initiated: expect.any(Date) }]);
      expect(await outcome(complete(id, await part(id, 1), await part(id, 2)))).toBe('400 EntityTooSmall');
      const other = await begin();
      const tag = await part(other, 1);
      expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
      expect(await outcome(complete(other, '"00000000000000000000000000000000"'))).toBe('400 InvalidPart');
      expect(await outcome(complete(other, tag))).toBe('done');
      const whole = await client.send(new HeadObjectCommand(at));
      expect(whole).toMatchObject({ ETag: expect.stringMatching(/^"[0-9a-f]{32}-1"$/), Metadata: { mark: 'ours' } });
    });

    test('of a list that has more than one page', async () => {
      const { client, bucket } = server();
      const prefix = `${randomUUID()}/`;
      const keys = Array.from({ length: 7 }, (_, number) => `${prefix}k${number}`);
      for (const Key of keys) await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x' }));
      const seen: string[] = [];
      let next: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 3, ContinuationToken: next }),
        );
        expect(page.Contents?.length).toBeLessThanOrEqual(3);
        seen.push(...(page.Contents ?? []).map(({ Key = '' }) => Key));
        next = page.NextContinuationToken;
      } while (next !== undefined);
      expect(seen).toEqual(keys);
    });
  });
}

/** How a request went: `done`, or status and code of its error. */
async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    const { name, $metadata: metadata } = error as { name: string; $metadata: { httpStatusCode: number } };
    return `${metadata.httpStatusCode} ${name}`;
  }
}
