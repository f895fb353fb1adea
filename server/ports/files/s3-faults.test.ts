import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CreateBucketCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { certificate } from '#server/testing/certificate.ts';
import { type Fault, type S3Simulator, type S3SimulatorOptions, startS3Simulator } from '#simulators/s3/server.ts';
import { FileAbsent } from './port.ts';
import type { S3Place } from './s3/place.ts';
import { partBytes } from './s3/write.ts';
import { s3Files } from './s3.ts';

const credentials = { accessKeyId: 'tests', secretAccessKey: 'of-the-store-in-memory' };
const unavailable = new AppError('unavailable');
const hour = 3_600_000;

async function open(
  options: Partial<S3SimulatorOptions> = {},
  { tries = 3, idleMs = 30_000, ...more }: Partial<S3Place> & { tries?: number; idleMs?: number } = {},
) {
  const simulator = await startS3Simulator({ users: new Map([[credentials.accessKeyId, credentials]]), ...options });
  const place: S3Place = {
    endpoint: simulator.url,
    region: 'us-east-1',
    credentials,
    bucket: 'originals',
    prefix: 'p/',
    ...more,
  };
  const log = { warn: vi.fn(), info: vi.fn() };
  const files = s3Files(place, { log, idleMs, tries });
  const client = new S3Client({ ...place, endpoint: simulator.url, forcePathStyle: true });
  onTestFinished(async () => {
    files.close();
    client.destroy();
    await simulator.close();
  });
  if (!options.tls) await client.send(new CreateBucketCommand({ Bucket: 'originals' }));
  simulator.requests.length = 0;
  return { simulator, place, files, client, log };
}

/** The first of the requests that match fail, each in its way. */
function failing(simulator: S3Simulator, which: RegExp, ...faults: Fault[]): void {
  simulator.onRequest((request) => (which.test(request) ? faults.shift() : undefined));
}

const always = (simulator: S3Simulator, which: RegExp, fault: Fault) =>
  simulator.onRequest((request) => (which.test(request) ? fault : undefined));

async function localFile(content: string | Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-s3-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'upload'), content);
  return join(folder, 'upload');
}

const slowDown = { status: 503, code: 'SlowDown' };
const isPut = /^PUT originals\/p\/a\b/;
const isGet = /^GET originals\/p\/a\b/;

describe('a store that fails for a moment', () => {
  test.each<[string, Fault]>([
    ['asks to slow down', slowDown],
    ['has an error of its own', { status: 500, code: 'InternalError' }],
    ['cuts the connection', 'cut'],
    ['never gets to its answer', 'lost-reply'],
  ])('and %s is asked again: one object, whole', async (_, fault) => {
    const { simulator, files } = await open();
    failing(simulator, isPut, fault);
    await files.putFile('a', await localFile('the bytes'));
    expect(simulator.requests.filter((request) => isPut.test(request)).length).toBeGreaterThan(1);
    simulator.onRequest(() => undefined);
    failing(simulator, isGet, fault);
    expect(String(await buffer(await files.get('a')))).toBe('the bytes');
    expect(await files.list('')).toEqual(['a']);
  });

  test('in the middle of many parts sends that part again', async () => {
    const { simulator, files } = await open();
    failing(simulator, /partNumber=2/, slowDown, 'cut');
    const bytes = randomBytes(partBytes + 1000);
    await files.put('a', Readable.from([bytes]));
    expect((await buffer(await files.get('a'))).equals(bytes)).toBe(true);
  });
});

test('many parts whose completion is never told are there all the same', async () => {
  const { simulator, files } = await open();
  const bytes = randomBytes(partBytes + 1000);
  failing(simulator, /^POST .*uploadId/, 'lost-reply');
  await files.put('a', Readable.from([bytes]));
  expect((await buffer(await files.get('a'))).equals(bytes)).toBe(true);
});

describe('a store that goes on failing', () => {
  test.each<[string, Fault]>([
    ['slow down', slowDown],
    ['cut', 'cut'],
  ])('(%s) loses nothing: the local file stays, and is taken later', async (_, fault) => {
    const { simulator, files } = await open();
    const path = await localFile('the bytes');
    always(simulator, isPut, fault);
    await expect(files.putFile('a', path)).rejects.toEqual(unavailable);
    expect((await stat(path)).size).toBe(9);
    simulator.onRequest(() => undefined);
    await expect(files.get('a')).rejects.toThrow(FileAbsent);
    await files.putFile('a', path);
    expect(String(await buffer(await files.get('a')))).toBe('the bytes');
  });

  test('says so for every method, and not that files are absent; the log says it once', async () => {
    const { simulator, files, log } = await open({}, { tries: 1 });
    await files.put('a', Readable.from(['text']));
    always(simulator, /./, slowDown);
    const content = Readable.from(['other']);
    await expect(files.put('a', content)).rejects.toEqual(unavailable);
    expect(content.destroyed).toBe(true);
    await expect(files.get('a')).rejects.toEqual(unavailable);
    await expect(files.size('a')).rejects.toEqual(unavailable);
    await expect(files.delete('a')).rejects.toEqual(unavailable);
    await expect(files.list('')).rejects.toEqual(unavailable);
    expect(log.warn.mock.calls).toEqual([
      [{ code: 'SlowDown', status: 503, message: 'SlowDown' }, 'the file store fails'],
    ]);
    simulator.onRequest(() => undefined);
    expect(String(await buffer(await files.get('a')))).toBe('text');
    expect(log.info.mock.calls).toEqual([[{}, 'the file store answers again']]);
  });

  test('in the middle of many parts shows nothing of them, also where it fails to give them up', async () => {
    const { simulator, files } = await open();
    await files.put('a', Readable.from(['before']));
    always(simulator, /partNumber=2|^DELETE/, slowDown);
    await expect(files.put('a', Readable.from([Buffer.alloc(partBytes + 1)]))).rejects.toEqual(unavailable);
    simulator.onRequest(() => undefined);
    expect(String(await buffer(await files.get('a')))).toBe('before');
  });

  test('tells a store that is full as such', async () => {
    const { simulator, files } = await open();
    always(simulator, isPut, { status: 403, code: 'QuotaExceeded' });
    await expect(files.put('a', Readable.from(['x']))).rejects.toEqual(new AppError('storage-full'));
  });

  test('tells a right that was taken away, and not that the file is absent', async () => {
    const { simulator, files } = await open();
    await files.put('a', Readable.from(['text']));
    simulator.users.set('tests', { ...credentials, mayNot: ['s3:GetObject', 's3:DeleteObject'] });
    await expect(files.get('a')).rejects.toEqual(unavailable);
    await expect(files.delete('a')).rejects.toEqual(unavailable);
  });
});

describe('a read', () => {
  const bytes = randomBytes(900_000);

  test('that is cut or hangs goes on where it was', async () => {
    const { simulator, files } = await open({}, { idleMs: 500 });
    await files.put('a', Readable.from([bytes]));
    failing(simulator, isGet, { cutAfter: 300_000 }, { stallAfter: 100_000 }, { cutAfter: 0 });
    expect((await buffer(await files.get('a'))).equals(bytes)).toBe(true);
    failing(simulator, isGet, { cutAfter: 10_000 });
    const range = { start: 5, end: 700_000 };
    expect((await buffer(await files.get('a', range))).equals(bytes.subarray(5, 700_001))).toBe(true);
  });

  test('that is cut again and again ends with an error, never short', async () => {
    const { simulator, files } = await open();
    await files.put('a', Readable.from([bytes]));
    always(simulator, isGet, { cutAfter: 0 });
    await expect(buffer(await files.get('a'))).rejects.toThrow('broke off');
  });

  test('goes on with the same bytes alone', async () => {
    const { simulator, files } = await open({}, { idleMs: 500 });
    await files.put('a', Readable.from([bytes]));
    failing(simulator, isGet, { stallAfter: 1000 });
    const stream = await files.get('a');
    await files.put('a', Readable.from([randomBytes(900_000)]));
    await expect(buffer(stream)).rejects.toEqual(unavailable);
    failing(simulator, isGet, { stallAfter: 1000 });
    const erased = await files.get('a');
    await files.delete('a');
    await expect(buffer(erased)).rejects.toThrow(FileAbsent);
  });

  test('that nobody goes on with lets go of its connection', async () => {
    const { simulator, files } = await open();
    await files.put('a', Readable.from([randomBytes(8_000_000)]));
    for (let i = 0; i < 20; i++) {
      const stream = await files.get('a');
      if (i % 2) await once(stream, 'readable');
      stream.destroy();
      await once(stream, 'close');
    }
    await expect.poll(() => simulator.bodiesOpen()).toBe(0);
  });
});

test('a clock that is wrong by an hour is made up for', async () => {
  const { files } = await open({ clockAheadMs: hour });
  await files.check();
  await files.put('a', Readable.from(['text']));
  expect(String(await buffer(await files.get('a')))).toBe('text');
});

test('a clock that goes wrong while it is used, one way and the other, is made up for each time', async () => {
  const { files, simulator } = await open();
  await files.put('a', Readable.from(['text']));
  for (const ahead of [hour, -hour]) {
    simulator.clockAhead(ahead);
    expect(String(await buffer(await files.get('a')))).toBe('text');
    await files.put(`at-${ahead}`, Readable.from(['more']));
    await files.put(`parts-at-${ahead}`, Readable.from([Buffer.alloc(partBytes + 1)]));
  }
  expect((await files.list('')).length).toBe(5);
});

test('a store that is slow is waited for, and has all that it was told', async () => {
  const { files, simulator } = await open();
  simulator.delay(50);
  const large = randomBytes(2 * partBytes + 1);
  await files.put('small', Readable.from(['text']));
  await files.put('large', Readable.from([large]));
  await files.putFile('a', await localFile('of a file'));
  expect(await files.list('')).toEqual(['a', 'large', 'small']);
  expect((await buffer(await files.get('large'))).equals(large)).toBe(true);
  await files.delete('a');
  await expect(files.get('a')).rejects.toBeInstanceOf(FileAbsent);
});

test('the store is asked to seal each file as it is set', async () => {
  const { files, client } = await open({}, { encryption: { algorithm: 'aws:kms', keyId: 'alias/originals' } });
  await files.putFile('small', await localFile('text'));
  await files.put('large', Readable.from([Buffer.alloc(partBytes + 1)]));
  for (const key of ['small', 'large'])
    expect(await client.send(new HeadObjectCommand({ Bucket: 'originals', Key: `p/${key}` }))).toMatchObject({
      ServerSideEncryption: 'aws:kms',
      SSEKMSKeyId: 'alias/originals',
    });
});

describe('the start is refused in one sentence that says what to set', () => {
  const refusal = async (options: Partial<S3SimulatorOptions>, more: Partial<S3Place> = {}) => {
    const { files } = await open(options, more);
    return files.check().then(
      () => '',
      (error: Error) => error.message,
    );
  };

  test.each([
    's3:ListBucket',
    's3:PutObject',
    's3:GetObject',
    's3:AbortMultipartUpload',
    's3:ListBucketMultipartUploads',
    's3:DeleteObject',
  ])('where %s is missing', async (right) => {
    const users = new Map([[credentials.accessKeyId, { ...credentials, mayNot: [right] }]]);
    const said = await refusal({ users });
    expect(said).toMatch(/^The keys may not do what takes .*: give them that right/);
    expect(said).toContain(right);
  });

  test('where a store takes no notice of conditions', async () => {
    expect(await refusal({ keepsConditions: false })).toMatch(
      /^Of 20 conditional writes to s3:\/\/originals\/p\/ 20 succeeded .*: set S3_ENDPOINT/,
    );
  });

  test('where the region is another', async () => {
    const { place } = await open({ region: 'eu-central-1' }, { region: 'eu-central-1' });
    const files = s3Files({ ...place, region: 'us-east-1' });
    onTestFinished(() => files.close());
    await expect(files.check()).rejects.toThrow(
      'The bucket originals is in the region eu-central-1: set S3_REGION=eu-central-1.',
    );
  });

  test('where the certificate is nobody’s, or another host’s', async () => {
    expect(await refusal({ tls: certificate })).toMatch(
      /^The certificate of S3_ENDPOINT .* is not trusted \(\w+\): .*NODE_EXTRA_CA_CERTS/,
    );
  });

  test('where there are no keys', async () => {
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nowhere');
    vi.stubEnv('AWS_CONFIG_FILE', '/nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { place } = await open();
    const files = s3Files({ ...place, credentials: undefined });
    onTestFinished(() => files.close());
    await expect(files.check()).rejects.toThrow(/^There are no keys for the file store: set AWS_ACCESS_KEY_ID/);
  });

  test('where something else answers, or only failures do', async () => {
    const other = createServer((_, response) => void response.end('<html>It works!</html>')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { place, simulator, files } = await open();
    const wrong = s3Files({ ...place, endpoint: `http://127.0.0.1:${port}` }, { tries: 1 });
    onTestFinished(() => wrong.close());
    await expect(wrong.check()).rejects.toThrow(/does not speak S3 as FILES_URL needs it .* set S3_ENDPOINT/);
    always(simulator, /./, slowDown);
    await expect(files.check()).rejects.toThrow(/fails at the moment \(503 SlowDown\): start again/);
  });
});
