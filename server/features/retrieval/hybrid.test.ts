import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Client, createClient } from '#scripts/client.ts';
import { createLog } from '#server/http/log.ts';
import { openAiEmbeddings } from '#server/ports/embeddings/openai-embeddings.ts';
import { openLanceSearch } from '#server/ports/search/lance.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { startVectorServer, type VectorServer } from '#simulators/models/vectors.ts';

/** What means the same to the model, though the words differ. */
const meanings = { holiday: 'vacation', entitlement: 'days', length: 'days' };
const leave = 'Vacation is thirty days for everybody.';
const canteen = 'The canteen opens at noon and closes at two.';

let server: VectorServer;
let reranking: VectorServer;
let app: TestApp;
let client: Client;
let companyId: string;
let logged: string;

const embeddingOptions = () => ({
  baseUrl: server.url,
  model: 'vec-1',
  batch: 64,
  prefixes: { question: '', passage: '' },
});

async function start(settings: Parameters<typeof startTestApp>[0]): Promise<void> {
  logged = '';
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      logged += chunk.toString();
      done();
    },
  });
  app = await startTestApp(settings, { log: createLog('info', sink) });
  const signedUp = await app.signUp();
  companyId = signedUp.company.id;
  client = createClient(app.url, signedUp.token);
}

beforeEach(async () => {
  server = await startVectorServer({ meanings });
  reranking = await startVectorServer();
});
afterEach(async () => {
  await app.close();
  await server.close();
  await reranking.close();
});

const add = (name: string, text: string, by = client) => by.upload(name, Buffer.from(text));
const found = async (query: string, by = client) =>
  (await by.call('searchPassages', { query })).passages.map(({ text }) => text.trim());
const ask = (text: string) => client.call('query', { history: [{ role: 'user', parts: [{ text }] }] });
const timesLogged = (words: string) => logged.split(words).length - 1;

describe('with an embedding model', () => {
  beforeEach(() => start({ embeddings: embeddingOptions() }));

  async function fill() {
    const { documentId } = await add('Leave.txt', leave);
    await add('Canteen.txt', canteen);
    await app.idle();
    return documentId;
  }

  test('a passage is found that has no word of the question, but its meaning', async () => {
    await fill();
    expect((await found('holiday entitlement'))[0]).toBe(leave);
    expect((await found('canteen'))[0]).toBe(canteen);
  });

  test('what is found by meaning alone is offered, and not quoted as an answer; what words support is', async () => {
    await fill();
    const unsure = await ask('holiday entitlement?');
    expect(unsure).toMatchObject({ answered: false, sources: [] });
    expect(unsure.closest?.[0]?.text.trim()).toBe(leave);
    const sure = await ask('When does the canteen close?');
    expect(sure.answered).toBe(true);
    expect(sure.sources[0]?.quote).toBe(canteen);
  });

  test('a deleted document is not found by its meaning from the moment it is deleted, nor is an old version', async () => {
    await fill();
    await client.call('deleteFile', { filePath: `${companyId}/Leave.txt` });
    expect(await found('holiday entitlement')).not.toContain(leave);
    await add('Canteen.txt', 'The canteen is closed for good.');
    await app.idle();
    expect(await found('noon')).not.toContain(canteen);
  });

  test("another company's passages are never found, though the store hold their vectors", async () => {
    const theirs = await fill();
    const other = await app.signUp({ companyName: 'Other' });
    const their = createClient(app.url, other.token);
    await add('Rooms.txt', 'The archive is in the basement.', their);
    await app.idle();
    expect(await found('holiday entitlement', their)).toEqual(['The archive is in the basement.']);
    const model = openAiEmbeddings(embeddingOptions());
    const store = await openLanceSearch({
      root: join(app.config.dataDir, 'search'),
      log: createLog('warn'),
      vectorModel: model.model,
    });
    const [vector] = await model.embed(['holiday entitlement'], 'question', new AbortController().signal);
    if (!vector) throw new Error('no vector');
    const [row] = await store.searchVectors(companyId, vector, 1);
    expect(row?.documentId).toBe(theirs);
    if (row) await store.addVectors(other.company.id, [{ ...row, vector }]);
    const [leaked] = row ? await store.candidates(companyId, [row.id]) : [];
    expect(leaked?.id).toBe(row?.id);
    if (row) await store.add(other.company.id, [{ ...row, title: 'Leave.txt', heading: '', body: leave }]);
    expect(await store.searchVectors(other.company.id, vector, 1)).toMatchObject([{ id: row?.id }]);
    expect(await found('holiday entitlement', their)).toEqual(['The archive is in the basement.']);
    await store.close();
  });

  test('filters hold for what is found by meaning', async () => {
    await fill();
    const files = await client.call('getCompanyFiles', null);
    const documentIds = files.filter(({ name }) => name === 'Canteen.txt').map(({ id }) => id);
    const { passages } = await client.call('searchPassages', {
      query: 'holiday entitlement',
      filters: { documentIds },
    });
    expect(passages.map(({ name }) => name)).toEqual(['Canteen.txt']);
  });

  test.each([
    ['is down', { status: 503 }],
    ['refuses', { status: 401 }],
    ['answers nonsense', { body: { data: 'none' } }],
    ['has other dimensions than before', { body: { data: [{ index: 0, embedding: [1, 0, 0] }] } }],
    ['says nothing', { hang: true }],
  ])('while it %s, words alone answer, which is logged once', async (_, trouble) => {
    await fill();
    server.fail(trouble);
    expect(await found('when does the canteen close')).toContain(canteen);
    const answer = await ask('When does the canteen close?');
    expect(answer.sources[0]?.quote).toBe(canteen);
    expect(await found('holiday entitlement')).toEqual([]);
    expect(timesLogged('a service fails')).toBe(1);
    expect(timesLogged('"level":50')).toBe(0);
  });

  test('after it did not answer in time, nobody else waits for it', async () => {
    await fill();
    server.fail({ hang: true });
    await found('canteen');
    const asked = server.calls.length;
    await found('canteen');
    expect(server.calls).toHaveLength(asked);
  });

  test('questions to begin with are made without asking it', async () => {
    await add('Canteen.md', '# Opening hours of the canteen\n\nThe canteen opens at noon and closes at two.\n');
    await app.idle();
    const asked = server.calls.length;
    expect((await client.call('getSuggestedQuestions', null)).questions).toHaveLength(1);
    expect(server.calls).toHaveLength(asked);
  });
});

describe('with a reranker', () => {
  beforeEach(async () => {
    await start({ reranker: { baseUrl: reranking.url, model: 'rank-1' } });
    await add('A.txt', 'Notice period: three months.');
    await add('B.txt', 'The notice is given in writing, and the period of it begins with the next month.');
    await app.idle();
  });

  test('the passages come in its order, and are given to it with their names', async () => {
    const before = await found('notice period');
    reranking.fail({
      body: { results: [0, 1].map((index) => ({ index, relevance_score: index })) },
    });
    expect(await found('notice period')).toEqual(before.toReversed());
    expect(reranking.calls.at(-1)?.prompt).toContain('A.txt');
    const { passages } = await client.call('searchPassages', { query: 'notice period' });
    const scores = passages.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  });

  test.each([
    ['is down', { status: 503 }],
    ['leaves one out', { body: { results: [{ index: 0, relevance_score: 1 }] } }],
  ])('while it %s, the order is that of the search', async (_, trouble) => {
    const before = await found('period of notice in writing');
    reranking.fail(trouble);
    expect(await found('period of notice in writing')).toEqual(before);
    expect((await ask('How long is the notice period?')).sources[0]?.quote).toBe('Notice period: three months.');
    expect(timesLogged('a service fails')).toBe(1);
  });

  test('a deleted document is not given to it', async () => {
    await client.call('deleteFile', { filePath: `${companyId}/A.txt` });
    await found('notice period');
    expect(reranking.calls.at(-1)?.prompt).not.toContain('three months');
  });
});
