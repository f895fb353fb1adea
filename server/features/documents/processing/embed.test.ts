import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Client, createClient } from '#client/client.ts';
import { createApp } from '#server/app.ts';
import { createLog } from '#server/http/log.ts';
import { openAiEmbeddings } from '#server/ports/embeddings/openai-embeddings.ts';
import { openLanceSearch } from '#server/ports/search/lance.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { startVectorServer, type VectorServer } from '#simulators/models/vectors.ts';

const apiKey = 'key-of-a-test';
let server: VectorServer;
let app: TestApp;
let store: SearchStore;
let client: Client;
let companyId: string;
let logged: string;
const embeddings = () => openAiEmbeddings(optionsOf(server));

beforeEach(async () => {
  logged = '';
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      logged += chunk.toString();
      done();
    },
  });
  server = await startVectorServer();
  const log = createLog('trace', sink);
  app = await startTestApp({ embeddings: optionsOf(server) }, { log });
  store = await openLanceSearch({ root: join(app.config.dataDir, 'search'), log, vectorModel: embeddings().model });
  const signedUp = await app.signUp();
  companyId = signedUp.company.id;
  client = createClient(app.url, signedUp.token);
});
afterEach(async () => {
  await store.close();
  await app.close();
  await server.close();
});

const near = async (text: string) => {
  const [vector] = await embeddings().embed([text], 'question', new AbortController().signal);
  return vector ? (await store.searchVectors(companyId, vector, 5)).map(({ documentId }) => documentId) : [];
};

test('passages get vectors as they are read, and lose them with their document', async () => {
  const cellar = await client.upload('Cellar.md', Buffer.from('# Cellar\n\nThe key hangs behind the door.\n'));
  const owls = await client.upload('Owls.md', Buffer.from('# Owls\n\nThey hunt mice at night.\n'));
  await app.idle();
  expect((await near('mice at night'))[0]).toBe(owls.documentId);
  expect((await near('key behind the door'))[0]).toBe(cellar.documentId);
  // Both are read at once: either may be first.
  expect(server.calls.map(({ prompt }) => prompt).join('\n')).toContain('Cellar.md');
  const [file] = await client.call('getCompanyFiles', null);
  expect(file).toBeDefined();
  if (file) await client.call('deleteFile', { filePath: file.path });
  await app.idle();
  expect(await near('key behind the door')).not.toContain(file?.id);
});

test('while the service is down words are found, and vectors come when it is back; the key is never logged', async () => {
  server.fail({ status: 503 });
  const { documentId } = await client.upload('Owls.md', Buffer.from('# Owls\n\nThey hunt mice at night.\n'));
  await expect.poll(() => logged.includes('"job":"embed-version"')).toBe(true);
  const { passages } = await client.call('searchPassages', { query: 'mice' });
  expect(passages.map((passage) => passage.documentId)).toEqual([documentId]);
  server.fail({ times: 0 });
  await expect.poll(() => near('mice at night')).toEqual([documentId]);
  await app.idle();
  expect(logged).toContain('answered 503');
  expect(logged).not.toContain(apiKey);
  expect(logged).not.toContain('sk-leaked');
});

test('what was read before there was a model gets its vectors at the next start, before that by words', async () => {
  const bare = await startTestApp();
  try {
    const { company, token } = await bare.signUp();
    const by = createClient(bare.url, token);
    await by.upload('Cellar.md', Buffer.from('# Cellar\n\nThe key hangs behind the door.\n'));
    await by.upload('Gone.md', Buffer.from('Nobody needs this.'));
    await bare.idle();
    await by.call('deleteFile', { filePath: `${company.id}/Gone.md` });
    await bare.idle();
    await bare.app.close();
    const again = await createApp({ ...bare.config, embeddings: optionsOf(server) }, { log: createLog('warn') });
    await again.jobs.idle();
    expect(server.calls.map(({ prompt }) => prompt)).toEqual([expect.stringContaining('behind the door')]);
    const made = await openLanceSearch({
      root: join(bare.config.dataDir, 'search'),
      log: createLog('warn'),
      vectorModel: embeddings().model,
    });
    expect([...(await made.vectorCounts(company.id)).values()]).toEqual([1]);
    await made.close();
    // All of them have their vectors: nothing is asked again.
    await again.db.asSystem((tx) => again.jobs.enqueue(tx, 'embed-left-out', {}, { singletonKey: 'all' }));
    await again.jobs.idle();
    expect(server.calls).toHaveLength(1);
    await again.close();
  } finally {
    await bare.close();
  }
});

test('npm run reindex keeps the vectors', async () => {
  await client.upload('Owls.md', Buffer.from('# Owls\n\nThey hunt mice at night.\n'));
  await app.idle();
  const asked = server.calls.length;
  const { databaseUrl: DATABASE_URL, dataDir: DATA_DIR } = app.config;
  const settings = { EMBEDDINGS_URL: server.url, EMBEDDINGS_MODEL: 'vec-1' };
  const child = spawn(process.execPath, ['scripts/reindex.ts'], {
    cwd: fileURLToPath(new URL('../../../..', import.meta.url)),
    env: { PATH: process.env.PATH, DATABASE_URL, DATA_DIR, BILLING: 'off', ...settings },
  });
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect([...(await store.vectorCounts(companyId)).values()]).toEqual([1]);
  expect(server.calls).toHaveLength(asked);
});

test('/readyz names the service and never its key', async () => {
  const text = await (await app.fetch('/readyz')).text();
  expect(text).toContain('OpenAI-compatible embeddings (vec-1)');
  expect(text).not.toContain(apiKey);
});

function optionsOf({ url: baseUrl }: VectorServer) {
  return { baseUrl, model: 'vec-1', apiKey, batch: 64, prefixes: { question: '', passage: '' } };
}
