import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Filters } from '#contract/calls/answers.ts';
import { wholeCompany } from '#server/db/audience.ts';
import { type Database, openDatabase } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { documents } from '#server/db/schema.ts';
import { createLog } from '#server/http/log.ts';
import { openAiEmbeddings } from '#server/ports/embeddings/openai-embeddings.ts';
import type { Embeddings } from '#server/ports/embeddings/port.ts';
import { rerankApi } from '#server/ports/reranker/rerank-api.ts';
import { openLanceSearch } from '#server/ports/search/lance.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { insertCompany, loadDocuments, type Source } from '#server/testing/corpus.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/postgres.ts';
import { startVectorServer, type VectorServer } from '#simulators/models/vectors.ts';
import { createRetrieval, type Retrieval } from './retrieval.ts';

/** What means the same to the model, though the words differ. */
const meanings = { respite: 'vacation', entitlement: 'days' };
const leave = 'Vacation is thirty days for everybody.';
const canteen = 'The canteen opens at noon and closes at two.';

describe('what retrieval finds with other services', () => {
  let database: TestDatabase;
  let root: string;
  let db: Database;
  let search: SearchStore;
  let server: VectorServer;
  let embeddings: Embeddings;
  let retrieval: Retrieval;
  let companyId: string;
  let logged: string;
  const log = createLog(
    'info',
    new Writable({
      write(chunk: Buffer, _, done) {
        logged += chunk.toString();
        done();
      },
    }),
  );

  beforeAll(async () => {
    const silent = pino({ level: 'silent' });
    database = await createTestDatabase();
    root = await mkdtemp(join(tmpdir(), 'footnote-hybrid-'));
    db = await openDatabase(database.connection, { name: 'test', log: silent });
    search = await openLanceSearch({ root, log: silent, vectorModel: 'vec-1' });
  });
  afterAll(async () => {
    await search.close();
    await db.close();
    await database.drop();
    await rm(root, { recursive: true, force: true });
  });
  beforeEach(async () => {
    logged = '';
    server = await startVectorServer({ meanings });
    embeddings = openAiEmbeddings({
      baseUrl: server.url,
      model: 'vec-1',
      batch: 64,
      prefixes: { question: '', passage: '' },
    });
    companyId = await insertCompany(db);
  });
  afterEach(() => server.close());

  async function add(name: string, text: string, { to = companyId, replaces }: Adding = {}) {
    const blocks = [{ kind: 'paragraph' as const, text }];
    const [loaded] = await loadDocuments(db, search, to, [{ name, blocks, ...(replaces && { replaces }) }], embeddings);
    if (!loaded) throw new Error('nothing was loaded');
    return loaded;
  }
  const ask = async (text: string, { of = companyId, filters }: { of?: string; filters?: Filters } = {}) =>
    (await retrieval.find(wholeCompany(of), { text, limit: 10, filters }, new AbortController().signal)).passages;
  const found = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).map(({ text }) => text);
  const timesLogged = (words: string) => logged.split(words).length - 1;

  describe('an embedding model', () => {
    let leaveId: string;
    beforeEach(async () => {
      retrieval = createRetrieval({ db, search, embeddings, log });
      leaveId = (await add('Leave.txt', leave)).documentId;
      await add('Canteen.txt', canteen);
    });

    test('a passage that has no word of the question is found by its meaning, and known to have none', async () => {
      const [best] = await ask('respite entitlement');
      expect(best).toMatchObject({ text: leave, coverage: 0 });
      const byWordsAlone = { text: 'respite entitlement', limit: 10, byWordsAlone: true };
      expect(
        (await retrieval.find(wholeCompany(companyId), byWordsAlone, new AbortController().signal)).passages,
      ).toEqual([]);
    });

    test('what has the words and the meaning comes before what has one of them; scores fall', async () => {
      await add('Short.txt', 'A respite entitlement is what is granted.');
      const passages = await ask('respite entitlement in days');
      expect(passages.map(({ text }) => text).indexOf(canteen)).toBe(2);
      const scores = passages.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    });

    test('a question of nothing but signs asks nobody', async () => {
      const asked = server.calls.length;
      expect(await found('?!')).toEqual([]);
      expect(server.calls).toHaveLength(asked);
    });

    test('a deleted document is gone at once, and so is the version before, while the store has their vectors', async () => {
      await add('Leave.txt', 'Nothing is granted.', { replaces: { documentId: leaveId, version: 2 } });
      expect(await found('respite entitlement')).not.toContain(leave);
      const setDeleted = (deletedAt: Date | null, currentVersion: number) =>
        db.asSystem((tx) => tx.update(documents).set({ deletedAt, currentVersion }).where(eq(documents.id, leaveId)));
      await setDeleted(null, 1);
      expect((await found('respite entitlement'))[0]).toBe(leave);
      await setDeleted(new Date(), 1);
      expect(await found('respite entitlement')).toEqual([canteen]);
    });

    test("another company's passages never come, though the store be given them", async () => {
      const other = await insertCompany(db);
      await add('Rooms.txt', 'The archive is in the basement.', { to: other });
      const [vector] = await embeddings.embed(['respite entitlement'], 'question', new AbortController().signal);
      if (!vector) throw new Error('no vector');
      const [row] = await search.searchVectors(companyId, vector, 1);
      if (!row) throw new Error('no row');
      expect(row.documentId).toBe(leaveId);
      await search.addVectors(other, [{ ...row, version: 1, vector }]);
      await search.add(other, [{ ...row, version: 1, title: 'Leave.txt', about: '', heading: '', body: leave }]);
      expect(await search.searchVectors(other, vector, 1)).toMatchObject([{ id: row.id }]);
      expect(await found('respite entitlement', { of: other })).toEqual(['The archive is in the basement.']);
    });

    test('filters hold', async () => {
      expect(await found('canteen', { filters: { documentIds: [leaveId] } })).toEqual([leave]);
      expect(await found('canteen', { filters: { uploadedBefore: '2020-01-01T00:00:00.000Z' } })).toEqual([]);
    });

    test.each([
      ['is down', { status: 503 }],
      ['refuses', { status: 401 }],
      ['answers nonsense', { body: { data: 'none' } }],
      ['has other dimensions than before', { body: { data: [{ index: 0, embedding: [1, 0, 0] }] } }],
    ])('while it %s, words alone find, which is logged once', async (_, trouble) => {
      server.fail(trouble);
      expect(await found('when does the canteen close')).toEqual([canteen]);
      expect(await found('respite entitlement')).toEqual([]);
      expect(timesLogged('a service fails')).toBe(1);
    });

    test('that it answers again is logged once, too, and meaning counts again', async () => {
      server.fail({ status: 401 });
      await found('canteen');
      server.fail({ times: 0 });
      expect((await found('respite entitlement'))[0]).toBe(leave);
      await found('canteen');
      expect(timesLogged('answers again')).toBe(1);
    });

    test('what the store has in other dimensions is no error either', async () => {
      const another = openAiEmbeddings({
        baseUrl: (await narrow()).url,
        model: 'vec-1',
        batch: 64,
        prefixes: { question: '', passage: '' },
      });
      retrieval = createRetrieval({ db, search, embeddings: another, log });
      expect(await found('canteen')).toEqual([canteen]);
      expect(timesLogged('a service fails')).toBe(1);
    });

    test('after it did not answer in time nobody else waits for it, and who leaves waits for nothing', async () => {
      server.fail({ hang: true });
      const leaving = new AbortController();
      const asking = retrieval.find(wholeCompany(companyId), { text: 'canteen', limit: 1 }, leaving.signal);
      asking.catch(() => {});
      const before = server.calls.length;
      await expect.poll(() => server.calls.length).toBe(before + 1);
      leaving.abort(new Error('left'));
      await expect(asking).rejects.toThrow('left');
      expect(timesLogged('a service fails')).toBe(0);
      expect(await found('canteen')).toEqual([canteen]);
      const asked = server.calls.length;
      expect(await found('canteen')).toEqual([canteen]);
      expect(server.calls).toHaveLength(asked);
    });
  });

  describe('a reranker', () => {
    beforeEach(async () => {
      retrieval = createRetrieval({ db, search, reranker: rerankApi({ baseUrl: server.url, model: 'rank-1' }), log });
      await add('A.txt', 'Notice period: three months.');
      await add('B.txt', 'The notice is given in writing, and the period of it begins with the next month.');
    });
    const reranks = () => server.calls.filter(({ path }) => path.endsWith('/rerank'));

    test('puts the passages into its order, from their names and texts', async () => {
      server.fail({ status: 500, times: 3 });
      const before = await found('notice period');
      retrieval = createRetrieval({ db, search, reranker: rerankApi({ baseUrl: server.url, model: 'rank-1' }), log });
      server.fail({ body: { results: [0, 1].map((index) => ({ index, relevance_score: index })) } });
      expect(await found('notice period')).toEqual(before.toReversed());
      expect(reranks().at(-1)?.prompt).toContain('A.txt\nNotice period: three months.');
      const scores = (await ask('notice period')).map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    });

    test.each([
      ['is down', { status: 503 }],
      ['leaves one out', { body: { results: [{ index: 0, relevance_score: 1 }] } }],
    ])('while it %s, the order is that of the search', async (_, trouble) => {
      server.fail(trouble);
      expect((await found('How long is the notice period?'))[0]).toBe('Notice period: three months.');
      expect(timesLogged('a service fails')).toBe(1);
    });

    test('is not given what is deleted', async () => {
      await db.asSystem((tx) => tx.update(documents).set({ deletedAt: new Date() }).where(eq(documents.name, 'A.txt')));
      expect(await found('notice period')).toHaveLength(1);
      expect(reranks().at(-1)?.prompt).not.toContain('three months');
    });
  });
});

interface Adding {
  to?: string;
  replaces?: Source['replaces'];
}

const narrowServers: VectorServer[] = [];
afterEach(async () => {
  for (const each of narrowServers.splice(0)) await each.close();
});

/** A model whose vectors have fewer dimensions. */
async function narrow(): Promise<VectorServer> {
  const server = await startVectorServer({ dimensions: 8 });
  narrowServers.push(server);
  return server;
}
