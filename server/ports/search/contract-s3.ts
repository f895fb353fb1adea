import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import type { S3Place } from '#server/ports/files/s3/place.ts';
import { searchStoreContract } from './contract.ts';
import { chunkOf, countIn, pagesOf, type S3Server, searchBench } from './contract-s3-bench.ts';
import type { StoredSearchOptions } from './s3/open.ts';

/** What holds on every server that we say search runs on. */
export function storedSearchContract(
  name: string,
  database: { db(): Database },
  server: () => Promise<S3Server>,
): void {
  const bench = searchBench(database, server);
  searchStoreContract(name, (place) => bench.open(place));

  const open = async (place: string, more?: Partial<StoredSearchOptions>) => {
    const store = await bench.open(place, more);
    onTestFinished(() => store.close());
    return store;
  };

  describe(`${name}: several processes`, () => {
    test('lose nothing of what they write at once, and each finds it at once', async () => {
      const place = randomUUID();
      const stores = await Promise.all([1, 2, 3].map(() => open(place)));
      const [one, two, three] = stores;
      if (!one || !two || !three) throw new Error('not opened');
      const companyId = randomUUID();
      const chunks = Array.from({ length: 12 }, (_, i) => chunkOf(i));
      // The table is made by all of them at once, too.
      await Promise.all(chunks.map((chunk, i) => stores[i % 3]?.add(companyId, [chunk])));
      for (const store of stores) expect(await countIn(store, companyId)).toBe(12);
      const [first, ...rest] = chunks;
      await one.remove(companyId, first?.documentId ?? '');
      expect(await countIn(two, companyId)).toBe(11);
      await three.erase(companyId, pagesOf(rest.slice(1)));
      expect([await countIn(two, companyId), await countIn(two, companyId, 'number1')]).toEqual([10, 0]);
      await two.add(companyId, [chunkOf(99)]);
      expect(await countIn(one, companyId, 'number99')).toBe(1);
      await two.drop(companyId);
      for (const store of stores) expect(await countIn(store, companyId)).toBe(0);
    });

    test('go on finding everything while one adds, folds in and makes anew', async () => {
      const place = randomUUID();
      const [writer, reader] = [await open(place), await open(place)];
      const companyId = randomUUID();
      const chunks = [chunkOf(0)];
      await writer.add(companyId, chunks);
      let told = 1;
      let isOver = false;
      const reading = (async () => {
        for (let searches = 0; !isOver || searches < 5; searches++) {
          const least = told;
          expect(await countIn(reader, companyId)).toBeGreaterThanOrEqual(least);
        }
      })();
      for (let i = 1; i <= 8; i++) {
        const chunk = chunkOf(i);
        await writer.add(companyId, [chunk]);
        chunks.push(chunk);
        told = chunks.length;
        if (i % 3 === 0) await writer.erase(companyId, pagesOf(chunks));
        if (i % 3 === 1) await writer.optimize(companyId);
      }
      isOver = true;
      await reading;
    });
  });

  test(`${name}: erasing leaves no object of before, and no copy on the disk of any process`, async () => {
    const place = randomUUID();
    const [one, two] = [await open(place), await open(place)];
    const companyId = randomUUID();
    const chunks = [chunkOf(1), chunkOf(2)];
    await one.add(companyId, chunks);
    expect([await countIn(one, companyId), await countIn(two, companyId)]).toEqual([2, 2]);
    const before = await bench.keysIn(place);
    expect(before.some((key) => key.includes('/data/'))).toBe(true);
    const copied = await Promise.all([one, two].map(({ copies }) => filesBelow(copies)));
    for (const files of copied) expect(files.some((file) => file.includes('/data/'))).toBe(true);
    await one.remove(companyId, chunks[0]?.documentId ?? '');
    await one.erase(companyId, pagesOf(chunks.slice(1)));
    const after = await bench.keysIn(place);
    expect(before.filter((key) => after.includes(key))).toEqual([]);
    // Neither of them searches: they are told.
    await expect
      .poll(async () => (await Promise.all([one, two].map(({ copies }) => filesBelow(copies)))).flat())
      .not.toContainEqual(expect.stringContaining('.lance'));
    expect([await countIn(one, companyId), await countIn(two, companyId)]).toEqual([1, 1]);
  });

  test(`${name}: what a killed process was making goes with the next erasure, and what is lost is known to be`, async () => {
    const place = randomUUID();
    const store = await open(place);
    const companyId = randomUUID();
    await store.add(companyId, [chunkOf(1)]);
    async function* broken() {
      yield [chunkOf(2)];
      throw new Error('killed');
    }
    await expect(store.erase(companyId, broken())).rejects.toThrow('killed');
    expect([await countIn(store, companyId), await countIn(store, companyId, 'number2')]).toEqual([1, 0]);
    const tablesThere = async () =>
      new Set((await bench.keysIn(place)).map((key) => key.split('/').find((part) => part.endsWith('.lance'))));
    expect((await tablesThere()).size).toBe(2);
    await store.erase(companyId, pagesOf([chunkOf(3)]));
    expect((await tablesThere()).size).toBe(1);

    const loseAll = async () => {
      const { bucket: Bucket, prefix } = bench.placeOf(place);
      for (const key of await bench.keysIn(place))
        await bench.client.send(new DeleteObjectCommand({ Bucket, Key: prefix + key }));
    };
    await loseAll();
    const other = await open(place);
    expect(await other.has(companyId)).toBe(true);
    expect(await countIn(other, companyId)).toBe(0);
    expect([await other.has(companyId), await other.companies()]).toEqual([false, new Set()]);
    await other.add(companyId, [chunkOf(4)]);
    expect(await countIn(other, companyId)).toBe(1);
    await loseAll();
    // Not begun anew with this alone: whoever adds looks first whether there is a table to add to.
    await expect(other.add(companyId, [chunkOf(5)])).rejects.toEqual(new AppError('unavailable'));
    expect(await other.has(companyId)).toBe(false);
  });

  test(`${name}: copies take no more room than they may; a table that is larger is searched in the store`, async () => {
    const place = randomUUID();
    const [roomy, tight] = [await open(place), await open(place, { copiesBytes: 1 })];
    const companies = Array.from({ length: 3 }, () => randomUUID());
    for (const companyId of companies) await roomy.add(companyId, [chunkOf(1), chunkOf(2)]);
    for (const companyId of companies) expect(await countIn(tight, companyId)).toBe(2);
    expect(await filesBelow(tight.copies)).toEqual([]);
    await countIn(roomy, companies[0] ?? '');
    const oneTable = await bytesBelow(roomy.copies);
    await roomy.add(companies[0] ?? '', [chunkOf(3)]);
    expect(await countIn(tight, companies[0] ?? '')).toBe(3);

    const copiesBytes = oneTable * 1.9;
    for (const companyId of companies) expect(await countIn(roomy, companyId)).toBeGreaterThan(1);
    expect(await bytesBelow(roomy.copies)).toBeGreaterThan(copiesBytes);
    const some = await open(place, { copiesBytes });
    for (let round = 0; round < 2; round++)
      await Promise.all(companies.map(async (companyId) => expect(await countIn(some, companyId)).toBeGreaterThan(1)));
    // What makes room goes when nothing reads it any more.
    await expect.poll(() => bytesBelow(some.copies)).toBeLessThanOrEqual(copiesBytes);
  });

  describe(`${name}: the start`, () => {
    const refusal = async (more: Partial<S3Place>) => {
      const opening = bench.open('start', { place: { ...bench.placeOf('start'), ...more } });
      const error = await opening.then((store) => store.close()).catch((each: unknown) => each);
      if (error === undefined) return '';
      expect(error).toBeInstanceOf(CannotStart);
      return (error as Error).message;
    };

    test('takes a store that does all of it, and leaves nothing there', async () => {
      expect(await refusal({})).toBe('');
      expect(await bench.keysIn('start')).toEqual([]);
    });

    test('says what to set where bucket, keys or address are wrong', async () => {
      const nobody = { accessKeyId: 'nobody', secretAccessKey: 'x'.repeat(20) };
      expect(await refusal({ bucket: 'no-such-bucket' })).toMatch(
        /^There is no bucket no-such-bucket .* set SEARCH_URL/,
      );
      expect(await refusal({ credentials: nobody })).toMatch(
        /\(InvalidAccessKeyId\): set AWS_ACCESS_KEY_ID .* SEARCH_URL/,
      );
      expect(await refusal({ endpoint: 'http://127.0.0.1:1' })).toMatch(/ECONNREFUSED\): set S3_ENDPOINT/);
    });
  });
}

/** Files, by their paths. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  // One that goes meanwhile takes no room.
  for (const path of await filesBelow(folder)) bytes += (await stat(path).catch(() => ({ size: 0 }))).size;
  return bytes;
}
