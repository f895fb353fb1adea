import { describe } from 'vitest';
import { unfinishedDatabase } from '#server/testing/unfinished.ts';
import { storedSearchContract } from './contract-s3.ts';

const { S3_GATEWAY } = process.env;
const gateway: { url: string; accessKeyId: string; secretAccessKey: string } | null =
  S3_GATEWAY === undefined ? null : JSON.parse(S3_GATEWAY);

describe.skipIf(gateway === null)("Ceph's gateway", () => {
  const { url, ...credentials } = gateway ?? { url: '', accessKeyId: '', secretAccessKey: '' };
  const server = { endpoint: url, region: 'us-east-1', credentials };
  storedSearchContract('Ceph', unfinishedDatabase(), async () => server);
});
