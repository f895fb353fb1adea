import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entitlementsOf } from '#contract/entitlements.ts';
import { type Database, openDatabase } from '#server/db/db.ts';
import { createRetrieval, type Retrieval } from '#server/features/retrieval/retrieval.ts';
import { openAiEmbeddings } from '#server/ports/embeddings/openai-embeddings.ts';
import type { LanguageModel } from '#server/ports/language-model/port.ts';
import { openLanceSearch } from '#server/ports/search/lance.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { insertCompany, loadDocuments } from '#server/testing/corpus.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/postgres.ts';
import { startVectorServer, type VectorServer } from '#simulators/models/vectors.ts';
import { createAnswers } from './answers.ts';

const leave = 'Vacation is thirty days for everybody.';
const canteen = 'The canteen opens at noon and closes at two.';

let database: TestDatabase;
let root: string;
let db: Database;
let search: SearchStore;
let server: VectorServer;
let retrieval: Retrieval;
let companyId: string;

beforeAll(async () => {
  const log = pino({ level: 'silent' });
  database = await createTestDatabase();
  root = await mkdtemp(join(tmpdir(), 'footnote-meaning-'));
  db = await openDatabase(database.connection, { name: 'test', log });
  search = await openLanceSearch({ root, log, vectorModel: 'vec-1' });
  server = await startVectorServer({ meanings: { respite: 'vacation', entitlement: 'days' } });
  const prefixes = { question: '', passage: '' };
  const embeddings = openAiEmbeddings({ baseUrl: server.url, model: 'vec-1', batch: 64, prefixes });
  retrieval = createRetrieval({ db, search, embeddings });
  companyId = await insertCompany(db);
  const sources = Object.entries({ 'Leave.txt': leave, 'Canteen.txt': canteen });
  await loadDocuments(
    db,
    search,
    companyId,
    sources.map(([name, text]) => ({ name, blocks: [{ kind: 'paragraph', text }] })),
    embeddings,
  );
});
afterAll(async () => {
  await server.close();
  await search.close();
  await db.close();
  await database.drop();
  await rm(root, { recursive: true, force: true });
});

function ask(text: string, model?: LanguageModel) {
  const who = { userId: randomUUID(), email: 'a@example.com', companyId, role: 'member' as const };
  const entitlements = entitlementsOf(
    { state: 'none', plan: null, currentPeriodEnd: null, pastDueSince: null },
    new Date(),
    'off',
  );
  const answers = createAnswers({ db, retrieval, model });
  const history = [{ role: 'user' as const, parts: [{ text }] }];
  const actor = { ...who, authenticatedAt: new Date(), entitlements };
  return answers.query(actor, { history }, { signal: new AbortController().signal, emit() {} });
}

test('what is found by its meaning alone is offered, and not quoted as an answer', async () => {
  const answer = await ask('respite entitlement?');
  expect(answer).toMatchObject({ answered: false, sources: [] });
  expect(answer.closest?.[0]?.text).toBe(leave);
});

test('what words support is quoted as without vectors', async () => {
  const answer = await ask('When does the canteen close?');
  expect(answer.sources.map(({ quote }) => quote)).toEqual([canteen]);
});

test('a model is given what is found by meaning, and may cite it', async () => {
  const prompts: string[] = [];
  const model: LanguageModel = {
    name: 'scripted',
    contextTokens: 4000,
    async *stream({ messages }) {
      const prompt = messages.map(({ text }) => text).join('\n');
      prompts.push(prompt);
      const n = prompt.indexOf(leave) < prompt.indexOf(canteen) ? 1 : 2;
      yield { type: 'text', text: `Everybody has thirty days of vacation [${n}].` };
    },
  };
  const answer = await ask('respite entitlement?', model);
  expect(prompts[0]).toContain(leave);
  expect(answer).toMatchObject({ answered: true, sources: [{ quote: leave }] });
});
