import { afterAll } from 'vitest';
import { unfinishedDatabase } from '#server/testing/unfinished.ts';
import { type S3Simulator, startS3Simulator } from '#simulators/s3/server.ts';
import { storedSearchContract } from './contract-s3.ts';

const credentials = { accessKeyId: 'tests', secretAccessKey: 'of-the-store-in-memory' };
let simulator: S3Simulator | undefined;
afterAll(() => simulator?.close());

storedSearchContract('the simulator', unfinishedDatabase(), async () => {
  simulator = await startS3Simulator({ users: new Map([[credentials.accessKeyId, credentials]]) });
  return { endpoint: simulator.url, region: 'us-east-1', credentials };
});
