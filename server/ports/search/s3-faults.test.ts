import { randomUUID } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { certificate } from '#server/testing/certificate.ts';
import { unfinishedDatabase } from '#server/testing/unfinished.ts';
import { type Fault, type S3Simulator, startS3Simulator } from '#simulators/s3/server.ts';
import type { S3User } from '#simulators/s3/signature.ts';
import { chunkOf, countIn, pagesOf, searchBench } from './contract-s3-bench.ts';
import type { SearchChunk } from './port.ts';
import { usualPatience } from './s3/engine.ts';
import type { StoredSearchOptions } from './s3/open.ts';

const credentials = { accessKeyId: 'tests', secretAccessKey: 'of-the-store-in-memory' };
const users = new Map([[credentials.accessKeyId, credentials]]);
const unavailable = new AppError('unavailable');
let simulator: S3Simulator;
beforeAll(async () => {
  simulator = await startS3Simulator({ users });
});
afterAll(() => simulator.close());
beforeEach(() => simulator.onRequest(() => undefined));

const database = unfinishedDatabase();
const bench = searchBench(database, async () => ({ endpoint: simulator.url, region: 'us-east-1', credentials }));

async function open(place: string, more?: Partial<StoredSearchOptions>) {
  const store = await bench.open(place, more);
  onTestFinished(() => store.close());
  return store;
}

const failing = (which: RegExp, fault: Fault) =>
  simulator.onRequest((request) => (which.test(request) ? fault : undefined));

/** How many requests work takes. */
async function requestsOf(work: () => Promise<unknown>): Promise<number> {
  const before = simulator.requests.length;
  await work();
  return simulator.requests.length - before;
}

const faults: [string, Fault][] = [
  ['asks to slow down', { status: 503, code: 'SlowDown' }],
  ['cuts connections', 'cut'],
  ['no longer takes the keys', { status: 403, code: 'AccessDenied' }],
];

describe.each(faults)('a store that %s', (_, fault) => {
  test('is unavailable where it is needed, and loses nothing', async () => {
    const place = randomUUID();
    const [one, two] = [await open(place), await open(place)];
    const companyId = randomUUID();
    const [first, second] = [chunkOf(1), chunkOf(2)];
    await one.add(companyId, [first]);
    expect([await countIn(one, companyId), await countIn(two, companyId)]).toEqual([1, 1]);
    failing(/./, fault);
    // What has a copy of the newest version needs no store.
    expect(await countIn(two, companyId)).toBe(1);
    await expect(one.add(companyId, [second])).rejects.toEqual(unavailable);
    await expect(one.remove(companyId, first.documentId)).rejects.toEqual(unavailable);
    await expect(one.erase(companyId, pagesOf([second]))).rejects.toEqual(unavailable);
    simulator.onRequest(() => undefined);
    expect([await countIn(one, companyId), await countIn(two, companyId)]).toEqual([1, 1]);
    await one.add(companyId, [second]);
    failing(/./, fault);
    // There is more than its copy has: it does not pretend.
    await expect(countIn(two, companyId)).rejects.toEqual(unavailable);
    simulator.onRequest(() => undefined);
    expect(await countIn(two, companyId)).toBe(2);
    await one.remove(companyId, first.documentId);
    expect([await countIn(one, companyId), await countIn(two, companyId)]).toEqual([1, 1]);
  });
});

test.each<[string, Fault]>([
  ['slows down', { status: 503, code: 'SlowDown' }],
  ['cuts the connection', 'cut'],
  ['never tells that it has committed', 'lost-reply'],
])('a store that %s once at a commit has each row once', async (_, fault) => {
  const place = randomUUID();
  const store = await open(place, { patience: usualPatience });
  const companyId = randomUUID();
  await store.add(companyId, [chunkOf(0)]);
  const left: Fault[] = [fault];
  simulator.onRequest((request) => (/^PUT .*\.manifest/.test(request) ? left.pop() : undefined));
  await store.add(companyId, [chunkOf(1), chunkOf(2)]);
  expect(left).toEqual([]);
  expect(await countIn(store, companyId)).toBe(3);
  expect(await countIn(await open(place), companyId)).toBe(3);

  const [near, far] = [1, -1].map((x) => ({ ...chunkOf(0), vector: Float32Array.of(x, 0) }));
  if (!near || !far) throw new Error('no vectors');
  await store.addVectors(companyId, [far]);
  left.push(fault);
  await store.addVectors(companyId, [near]);
  expect(left).toEqual([]);
  const found = await store.searchVectors(companyId, near.vector, 10);
  expect(found.map(({ id }) => id)).toEqual([near.id, far.id]);

  left.push(fault);
  await store.remove(companyId, near.documentId);
  expect(left).toEqual([]);
  expect(await store.searchVectors(companyId, near.vector, 10)).toHaveLength(1);
});

test('a commit that is never told while a table is made anew doubles nothing', async () => {
  const store = await open(randomUUID(), { patience: usualPatience });
  const companyId = randomUUID();
  const chunks = Array.from({ length: 20 }, (_, i) => chunkOf(i));
  await store.add(companyId, chunks);
  let commits = 0;
  // The first makes the table, the second has the rows.
  simulator.onRequest((request) => (/^PUT .*\.manifest/.test(request) && ++commits === 2 ? 'lost-reply' : undefined));
  await expect(store.erase(companyId, pagesOf(chunks))).rejects.toEqual(unavailable);
  expect(await countIn(store, companyId)).toBe(20);
  await store.erase(companyId, pagesOf(chunks.slice(1)));
  expect(await countIn(store, companyId)).toBe(19);
});

test('a copy that is cut while it is brought is not read, and is brought when the store answers', async () => {
  const place = randomUUID();
  const [one, two] = [await open(place), await open(place)];
  const companyId = randomUUID();
  await one.add(companyId, [chunkOf(1)]);
  failing(/^GET .*\/data\//, { cutAfter: 10 });
  await expect(countIn(two, companyId)).rejects.toThrow();
  simulator.onRequest(() => undefined);
  expect(await countIn(two, companyId)).toBe(1);
});

const hour = 3_600_000;

test('a store that is slow is waited for, and has all that it was told', async () => {
  const place = randomUUID();
  const [one, two] = [await open(place), await open(place)];
  const companyId = randomUUID();
  const [first, second, third] = [chunkOf(1), chunkOf(2), chunkOf(3)];
  onTestFinished(() => simulator.delay(0));
  simulator.delay(50);
  await one.add(companyId, [first, second]);
  expect(await countIn(two, companyId)).toBe(2);
  await two.remove(companyId, first.documentId);
  expect([await countIn(one, companyId), await countIn(two, companyId)]).toEqual([1, 1]);
  await one.erase(companyId, pagesOf([second, third]));
  expect([await countIn(one, companyId), await countIn(two, companyId)]).toEqual([2, 2]);
});

test('a store that falls silent within a file is given up, and loses nothing', async () => {
  const place = randomUUID();
  const patience = { tries: 1, idleMs: 2000 };
  const [one, two] = [await open(place), await open(place, { patience })];
  // Searched in the store by the engine, for want of room for a copy.
  const tight = await open(place, { patience, copiesBytes: 1 });
  const companyId = randomUUID();
  await one.add(companyId, [chunkOf(1)]);
  failing(/^GET .*\/(data|_indices)\//, { stallAfter: 10 });
  await expect(countIn(two, companyId)).rejects.toEqual(unavailable);
  await expect(countIn(tight, companyId)).rejects.toEqual(unavailable);
  simulator.onRequest(() => undefined);
  await one.add(companyId, [chunkOf(2)]);
  // Others, who are as patient as usual: this machine may be slow.
  for (const store of [one, await open(place), await open(place, { copiesBytes: 1 })])
    expect(await countIn(store, companyId)).toBe(2);
});

describe('a clock that is an hour wrong', () => {
  test('is said at the start', async () => {
    onTestFinished(() => simulator.clockAhead(0));
    simulator.clockAhead(hour);
    await expect(bench.open('x')).rejects.toThrow(/^The clock of this machine and that of http.* differ too much/);
  });

  test('stops changes while it is, and loses none', async () => {
    const place = randomUUID();
    const [one, two] = [await open(place), await open(place)];
    const companyId = randomUUID();
    const [first, second] = [chunkOf(1), chunkOf(2)];
    await one.add(companyId, [first]);
    expect(await countIn(one, companyId)).toBe(1);
    onTestFinished(() => simulator.clockAhead(0));
    simulator.clockAhead(hour);
    await expect(one.add(companyId, [second])).rejects.toEqual(unavailable);
    await expect(one.remove(companyId, first.documentId)).rejects.toEqual(unavailable);
    await expect(one.erase(companyId, pagesOf([second]))).rejects.toEqual(unavailable);
    // A copy of the newest version needs no store.
    expect(await countIn(one, companyId)).toBe(1);
    simulator.clockAhead(0);
    await one.add(companyId, [second]);
    expect([await countIn(one, companyId), await countIn(two, companyId)]).toEqual([2, 2]);
  });
});

test.each([['s3:PutObject'], ['s3:DeleteObject'], ['s3:GetObject'], ['s3:ListBucket']])(
  'a key that loses the right to %s while it is used loses no change',
  async (right) => {
    const place = randomUUID();
    const name = `loses-${right}`.replace(/\W/g, '-');
    const user: S3User & { accessKeyId: string } = { ...credentials, accessKeyId: name };
    simulator.users.set(name, user);
    const store = await open(place, { place: { ...bench.placeOf(place), credentials: user } });
    const companyId = randomUUID();
    const chunks = [chunkOf(1), chunkOf(2)];
    await store.add(companyId, chunks);
    expect(await countIn(store, companyId)).toBe(2);
    const isDone = (work: Promise<void>) =>
      work.then(
        () => true,
        (error) => {
          expect(error).toEqual(unavailable);
          return false;
        },
      );
    user.mayNot = [right];
    const [first, third] = [chunks[0], chunkOf(3)];
    const isRemoved = await isDone(store.remove(companyId, first?.documentId ?? ''));
    const isAdded = await isDone(store.add(companyId, [third]));
    // Nothing is written without the right to write.
    if (right === 's3:PutObject') expect([isRemoved, isAdded]).toEqual([false, false]);
    delete user.mayNot;
    // What was acknowledged is there, and what was refused is as it was.
    const left = 2 - Number(isRemoved) + Number(isAdded);
    const other = await open(place);
    expect([await countIn(store, companyId), await countIn(other, companyId)]).toEqual([left, left]);
    await store.erase(companyId, pagesOf([...chunks, third]));
    expect([await countIn(store, companyId), await countIn(other, companyId)]).toEqual([3, 3]);
  },
);

test('a search takes no request where nothing has changed, and few where something has', async () => {
  const place = randomUUID();
  const [one, two] = [await open(place), await open(place)];
  const companyId = randomUUID();
  await one.add(
    companyId,
    Array.from({ length: 300 }, (_, i) => chunkOf(i)),
  );
  await one.optimize(companyId);
  const cold = await requestsOf(() => countIn(two, companyId));
  expect(cold).toBeLessThan(40);
  expect(await requestsOf(() => countIn(two, companyId))).toBe(0);
  expect(await requestsOf(() => countIn(two, companyId, 'number7'))).toBe(0);
  const added = chunkOf(1000);
  await one.add(companyId, [added]);
  // Two lists, and the files that are new.
  expect(await requestsOf(() => countIn(two, companyId))).toBeLessThan(8);
  await one.remove(companyId, added.documentId);
  expect(await requestsOf(() => countIn(two, companyId))).toBeLessThan(8);
});

test('a table is made anew page by page: one is in the store before the next but one is asked for', async () => {
  const store = await open(randomUUID());
  const companyId = randomUUID();
  const page = 2000;
  const written: number[] = [];
  simulator.requests.length = 0;
  async function* live(): AsyncGenerator<SearchChunk[]> {
    for (let i = 0; i < 4 * page; i += 500) {
      if (i % page === 0) written.push(simulator.requests.filter((request) => /^PUT .*\/data\//.test(request)).length);
      yield Array.from({ length: 500 }, (_, at) => chunkOf(i + at));
    }
  }
  await store.erase(companyId, live());
  expect(written).toEqual([0, 1, 2, 3]);
  expect(await countIn(store, companyId, `number${4 * page - 1}`)).toBe(1);
});

test('a store that takes no notice of conditions is refused: two writers would lose a commit', async () => {
  const careless = await startS3Simulator({ users, keepsConditions: false });
  onTestFinished(() => careless.close());
  const place = { ...bench.placeOf('x'), endpoint: careless.url };
  const client = new S3Client({ ...place, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: place.bucket }));
  client.destroy();
  await expect(bench.open('x', { place })).rejects.toThrow(/conditional writes .* set S3_ENDPOINT to a store/);
});

test.each([['s3:ListBucket'], ['s3:PutObject'], ['s3:GetObject'], ['s3:DeleteObject']])(
  'a key without the right to %s is refused, and the right is named',
  async (right) => {
    const limited = { ...credentials, accessKeyId: `without ${right}`.replace(/\W/g, '-'), mayNot: [right] };
    simulator.users.set(limited.accessKeyId, limited);
    const place = { ...bench.placeOf('x'), credentials: limited };
    await expect(bench.open('x', { place })).rejects.toThrow(new RegExp(`may not do what takes ${right}`));
  },
);

test('a certificate that nobody trusts is refused, and so is one that the engine alone does not', async () => {
  const { key, cert } = certificate;
  const sealed = await startS3Simulator({ users, tls: { key, cert } });
  onTestFinished(() => sealed.close());
  const place = { ...bench.placeOf('x'), endpoint: sealed.url.replace('127.0.0.1', 'localhost') };
  await expect(bench.open('x', { place })).rejects.toThrow(/^The certificate of S3_ENDPOINT .* is not trusted/);
  const usual = getCACertificates();
  setDefaultCACertificates([...usual, cert]);
  onTestFinished(() => setDefaultCACertificates(usual));
  const client = new S3Client({ ...place, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: place.bucket }));
  client.destroy();
  await expect(bench.open('x', { place })).rejects.toThrow(/^The search engine can't use s3:.* by SSL_CERT_FILE/);
});

test('vectors of another model go with its last start, and are made anew for this one', async () => {
  const place = randomUUID();
  const companyId = randomUUID();
  const vector = { ...chunkOf(1), vector: Float32Array.of(1, 0) };
  const before = await open(place, { vectorModel: 'before' });
  await before.addVectors(companyId, [vector]);
  const vectorKeys = async () => (await bench.keysIn(place)).filter((key) => key.startsWith('vectors/'));
  expect(await vectorKeys()).not.toEqual([]);
  const now = await open(place, { vectorModel: 'now' });
  expect(await vectorKeys()).toEqual([]);
  expect(await now.withoutVectors(companyId, [vector.id])).toEqual([vector.id]);
  await now.addVectors(companyId, [vector]);
  expect(await now.searchVectors(companyId, vector.vector, 5)).toHaveLength(1);
});
