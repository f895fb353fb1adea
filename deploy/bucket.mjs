// Makes the bucket of compose.yaml in its store, as soon as that answers. Run in the image of the service, whose client
// it uses.
import { setTimeout as wait } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';

const patienceMs = 120_000;
const pauseMs = 1000;
const { S3_ENDPOINT: endpoint, S3_BUCKET: Bucket } = process.env;
const store = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, maxAttempts: 1 });

/** @returns what stands against it, or undefined where the bucket is there */
async function make() {
  try {
    await store.send(new CreateBucketCommand({ Bucket }));
  } catch (error) {
    if (error.name !== 'BucketAlreadyOwnedByYou' && error.name !== 'BucketAlreadyExists') return error;
  }
}

let refusal = await make();
while (refusal && performance.now() < patienceMs) {
  await wait(pauseMs);
  refusal = await make();
}
if (refusal) throw refusal;
