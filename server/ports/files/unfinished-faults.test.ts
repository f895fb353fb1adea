import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { startTestS3 } from '#server/testing/s3.ts';
import { unfinishedDatabase } from '#server/testing/unfinished.ts';
import type { Fault } from '#simulators/s3/server.ts';
import { inChunks } from './contract-unfinished.ts';
import type { UnfinishedFiles, UnfinishedKey } from './port.ts';
import { tidy } from './s3/tidy.ts';
import { unfinishedRows } from './s3/unfinished-rows.ts';
import { s3Files } from './s3.ts';

// Whatever request goes wrong, in whatever way, an upload ends as one file, and nothing else is left.

// Each sends its bytes as often as it makes requests.
vi.setConfig({ testTimeout: 300_000 });

const mib = 1024 * 1024;
const s3 = await startTestS3();
const { simulator, place } = s3;
const client = new S3Client({ ...place, forcePathStyle: true });
const folder = await mkdtemp(join(tmpdir(), 'footnote-faults-'));
afterAll(async () => {
  client.destroy();
  await s3.close();
  await rm(folder, { recursive: true });
});
const database = unfinishedDatabase();

/** What a killed process has is gone: each step is taken by another one. */
function newProcess(): UnfinishedFiles {
  const files = s3Files(place, { tries: 1 });
  onTestFinished(() => files.close());
  return files.unfinished({ db: database.db(), folder });
}

/** As a client does it: asks where to go on, sends, and after a failure asks again. @returns how often it failed */
async function send(key: UnfinishedKey, bytes: Buffer, pieceBytes: number): Promise<number> {
  let failures = 0;
  for (;;) {
    try {
      const at = await newProcess().size(key);
      if (at === null) return failures;
      if (at < bytes.length) await newProcess().append(key, at, inChunks(bytes.subarray(at, at + pieceBytes)));
      else await newProcess().store(key, `${key.companyId}/${key.uploadId}`);
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
      expect(['unavailable', 'upload-conflict']).toContain((error as AppError).code);
      failures += 1;
    }
  }
}

async function left(): Promise<string[]> {
  const at = { Bucket: place.bucket, Prefix: place.prefix };
  const { Contents = [] } = await client.send(new ListObjectsV2Command(at));
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand(at));
  return [...Contents.map(({ Key = '' }) => Key.slice(place.prefix.length)), ...Uploads.map(() => 'parts')];
}

const faults: [string, Fault][] = [
  ['fails', { status: 503, code: 'SlowDown' }],
  ['is cut', 'cut'],
  ['loses its reply', 'lost-reply'],
];

describe.each([
  ['of several parts', 18 * mib, 9 * mib],
  ['of a few bytes', 10, 6],
])('an upload %s', (_, size, pieceBytes) => {
  test.each(faults)('ends whole whichever of its requests %s', async (_how, fault) => {
    const bytes = randomBytes(size);
    for (let which = 1; ; which++) {
      const key = await database.newKey();
      await newProcess().create(key, size);
      let seen = 0;
      simulator.onRequest(() => (++seen === which ? fault : undefined));
      const failures = await send(key, bytes, pieceBytes);
      simulator.onRequest(() => undefined);
      const files = s3Files(place);
      const stored = await buffer(await files.get(`${key.companyId}/${key.uploadId}`));
      expect(stored.equals(bytes), `request ${which}`).toBe(true);
      const rows = unfinishedRows(database.db());
      await tidy(client, place, { now: Date.now() + 25 * 3_600_000, inUse: rows.named });
      expect(await left(), `request ${which}`).toEqual([`${key.companyId}/${key.uploadId}`]);
      await files.delete(`${key.companyId}/${key.uploadId}`);
      files.close();
      if (seen < which) {
        expect(failures).toBe(0);
        break;
      }
    }
  });
});

test('an upload to a slow store whose clock goes wrong on the way ends whole', async () => {
  const bytes = randomBytes(18 * mib);
  const key = await database.newKey();
  onTestFinished(() => {
    simulator.delay(0);
    simulator.clockAhead(0);
  });
  simulator.delay(50);
  const process = s3Files(place);
  onTestFinished(() => process.close());
  const uploads = process.unfinished({ db: database.db(), folder });
  await uploads.create(key, bytes.length);
  for (const [at, ahead] of [
    [0, 0],
    [9 * mib, 3_600_000],
  ] as const) {
    simulator.clockAhead(ahead);
    await uploads.append(key, at, inChunks(bytes.subarray(at, at + 9 * mib)));
  }
  simulator.clockAhead(-3_600_000);
  await uploads.store(key, `${key.companyId}/${key.uploadId}`);
  expect((await buffer(await process.get(`${key.companyId}/${key.uploadId}`))).equals(bytes)).toBe(true);
});
