import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { forPrograms } from '#client/client.ts';
import { gatewayPackages, hasGateway, startGateway } from '#scripts/ceph-gateway.ts';
import { type OutsidePostgres, startOutsidePostgres } from '#server/testing/outside-postgres.ts';
import { startProxy } from '#server/testing/proxy.ts';
import { startS3Simulator } from '#simulators/s3/server.ts';
import { type RunningApp, startApp } from '../e2e/app.ts';

export interface Process {
  role: 'web' | 'worker';
  app: RunningApp;
}

/** The product in several processes that share nothing but services. */
export interface Several {
  /** Of the proxy. */
  url: string;
  postgres: OutsidePostgres;
  /** Which store it is. */
  store: string;
  processes: Process[];
  /** Resolves when all web processes say that they are ready. */
  allReady(): Promise<void>;
  stop(): Promise<void>;
}

/** Longer than the proxy takes to notice. */
const drainSeconds = 2;

/** One worker, and web processes before it, each with a folder of its own. */
export async function startSeveral(count: number): Promise<Several> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-bench-'));
  // As root the database runs as another user, who has to get at it.
  await chmod(folder, 0o755);
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const store = await startStore();
    closers.push(store.stop);
    const postgres = await startOutsidePostgres(folder);
    closers.push(postgres.stop);
    const processes: Process[] = [];
    const proxy = await startProxy(() => processes.flatMap(({ role, app }) => (role === 'web' ? app.url : [])));
    closers.push(proxy.close);
    const settings = {
      ...forPrograms,
      ...store.settings,
      DATABASE_URL: postgres.url,
      SECRET_KEY: randomUUID(),
      PUBLIC_URL: proxy.url,
      TRUST_PROXY: 'loopback',
      DRAIN_SECONDS: String(drainSeconds),
    };
    for (let i = 0; i < count; i++) {
      const role = i === 0 ? 'worker' : 'web';
      const app = await startApp({ ...settings, ROLE: role });
      closers.push(app.stop);
      processes.push({ role, app });
    }
    await proxy.allReady();
    return { url: proxy.url, postgres, store: store.name, processes, allReady: proxy.allReady, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Ceph's gateway where the system has it, else a store in memory of our own. */
async function startStore() {
  const found = hasGateway();
  const user = { accessKeyId: 'bench', secretAccessKey: randomUUID() };
  const gateway = found
    ? await startGateway()
    : { ...(await startS3Simulator({ users: new Map([[user.accessKeyId, user]]) })), ...user };
  const credentials = { accessKeyId: gateway.accessKeyId, secretAccessKey: gateway.secretAccessKey };
  const client = new S3Client({ endpoint: gateway.url, region: 'us-east-1', credentials, forcePathStyle: true });
  for (const Bucket of ['originals', 'search']) await client.send(new CreateBucketCommand({ Bucket }));
  client.destroy();
  return {
    name: found ? "Ceph's S3 gateway" : `our simulator (of ${gatewayPackages.join(', ')} one is not installed)`,
    settings: {
      FILES_URL: 's3://originals/bench',
      SEARCH_URL: 's3://search/bench',
      S3_ENDPOINT: gateway.url,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    stop: async () => ('stop' in gateway ? gateway.stop() : gateway.close()),
  };
}
