import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import type { Database } from '#server/db/db.ts';
import { openSessionLocks } from '#server/db/session-locks.ts';
import type { S3Place } from '#server/ports/files/s3/place.ts';
import type { SearchChunk, SearchStore } from './port.ts';
import { openStoredSearch, type StoredSearchOptions } from './s3/open.ts';

const log = pino({ level: 'silent' });
const hasty = { tries: 2, idleMs: 10_000 };

/** A server that speaks S3, and a key that may make buckets there. */
export interface S3Server {
  endpoint: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

/** A bucket of its own on a server, and search stores in it, each as if of a process of its own. */
export interface SearchBench {
  client: S3Client;
  placeOf(place: string): S3Place;
  /** @param place stores with the same one share their tables; each has copies, locks and connections of its own */
  open(place: string, more?: Partial<StoredSearchOptions>): Promise<SearchStore & { copies: string }>;
  /** Keys of a place, without its prefix. */
  keysIn(place: string): Promise<string[]>;
}

/** To be called where suites are described. */
export function searchBench(database: { db(): Database }, server: () => Promise<S3Server>): SearchBench {
  const bucket = `search-${randomUUID()}`;
  let at: S3Server;
  let client: S3Client;
  let root: string;
  beforeAll(async () => {
    at = await server();
    root = await mkdtemp(join(tmpdir(), 'footnote-search-s3-'));
    client = new S3Client({ ...at, forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED' });
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
  });
  afterAll(async () => {
    client.destroy();
    await rm(root, { recursive: true });
  });
  const placeOf = (place: string): S3Place => ({ ...at, bucket, prefix: `${place}/`, setting: 'SEARCH_URL' });
  return {
    get client() {
      return client;
    },
    placeOf,

    async open(place, more = {}) {
      const db = database.db();
      const locks = openSessionLocks(db.connection, log);
      const copies = join(root, randomUUID());
      const { connection, listen } = db;
      const options = { place: placeOf(place), copiesFolder: copies, copiesBytes: 1e9, alone: true, vectorModel: 'a' };
      try {
        const store = await openStoredSearch({ ...options, connection, listen, locks, log, patience: hasty, ...more });
        const close = () => store.close().finally(() => locks.close());
        return { ...store, copies, close };
      } catch (error) {
        await locks.close();
        throw error;
      }
    },

    async keysIn(place) {
      const prefix = placeOf(place).prefix;
      const keys: string[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix }))
        for (const { Key = '' } of Contents) keys.push(Key.slice(prefix.length));
      return keys;
    },
  };
}

export function chunkOf(i: number): SearchChunk {
  const ids = { id: randomUUID(), documentId: randomUUID(), version: 1 };
  return { ...ids, title: 'a', about: '', heading: '', body: `anchor number${i}` };
}

export async function countIn(store: SearchStore, companyId: string, text = 'anchor'): Promise<number> {
  return (await store.search(companyId, { text, limit: 1000 })).length;
}

export async function* pagesOf(chunks: SearchChunk[]): AsyncGenerator<SearchChunk[]> {
  for (let i = 0; i < chunks.length; i += 5) yield chunks.slice(i, i + 5);
}
