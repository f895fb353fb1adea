import { describe } from 'vitest';
import { gatewayServer, hasGateway } from '#server/testing/s3-gateway.ts';
import { unfinishedDatabase } from '#server/testing/unfinished.ts';
import { s3Contract } from './contract-s3.ts';

describe.skipIf(!hasGateway)("Ceph's gateway", () => {
  s3Contract('Ceph', unfinishedDatabase(), async () => gatewayServer);
});
