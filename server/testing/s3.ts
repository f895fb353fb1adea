import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3Place } from '#server/ports/files/s3/place.ts';
import { type S3Simulator, startS3Simulator } from '#simulators/s3/server.ts';

/** A store in memory that speaks S3, with a bucket for originals. */
export async function startTestS3(): Promise<{ simulator: S3Simulator; place: S3Place; close(): Promise<void> }> {
  const credentials = { accessKeyId: 'tests', secretAccessKey: 'of-the-store-in-memory' };
  const simulator = await startS3Simulator({ users: new Map([[credentials.accessKeyId, credentials]]) });
  const place = { endpoint: simulator.url, region: 'us-east-1', credentials, bucket: 'originals', prefix: 'company/' };
  const client = new S3Client({ ...place, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: place.bucket }));
  client.destroy();
  return { simulator, place, close: simulator.close };
}
