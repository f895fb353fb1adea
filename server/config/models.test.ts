import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { problemsOf } from '#server/testing/config-problems.ts';
import { readConfig } from './config.ts';

const folder = await mkdtemp(join(tmpdir(), 'footnote-config-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('no model is used unless one is configured', () => {
  const { languageModel, embeddings, reranker } = readConfig({});
  expect([languageModel, embeddings, reranker]).toEqual([undefined, undefined, undefined]);
});

test('a second reader is the model itself, unless another or none is set', () => {
  const ollama = { LLM: 'openai-compatible', LLM_BASE_URL: 'http://localhost:11434/v1', LLM_MODEL: 'owl' };
  const of = (more: Record<string, string>) => readConfig({ ...ollama, ...more }).secondReader;
  expect(of({})).toEqual({ kind: 'same' });
  expect(of({ LLM_VERIFY: 'off' })).toBeUndefined();
  expect(readConfig({}).secondReader).toBeUndefined();
  const { languageModel } = readConfig(ollama);
  expect(of({ LLM_VERIFY_MODEL: 'chick' })).toEqual({ kind: 'model', model: { ...languageModel, model: 'chick' } });
  expect(of({ LLM_VERIFY_MODEL: 'chick', LLM_VERIFY_URL: 'http://b.test/v1/', LLM_VERIFY_KEY: 'k' })).toMatchObject({
    kind: 'model',
    model: { provider: 'openai-compatible', baseUrl: 'http://b.test/v1', apiKey: 'k', model: 'chick' },
  });
  expect(of({ NLI_URL: 'http://nli.test:8080/' })).toEqual({ kind: 'nli', baseUrl: 'http://nli.test:8080' });
});

test.each([
  [{ LLM_VERIFY_URL: 'http://b.test' }, 'LLM_VERIFY_MODEL is missing'],
  [{ LLM_VERIFY_KEY: 'k' }, 'LLM_VERIFY_URL is missing'],
  [{ LLM_VERIFY: 'off', NLI_URL: 'http://nli.test' }, 'NLI_URL is of no use'],
  [{ LLM_VERIFY_MODEL: 'chick', NLI_URL: 'http://nli.test' }, 'only one of both'],
])('says what of a second reader is of no use: %o', (env, problem) => {
  const ollama = { LLM: 'openai-compatible', LLM_BASE_URL: 'http://localhost:11434/v1', LLM_MODEL: 'owl' };
  expect(problemsOf({ ...ollama, ...env })).toEqual([expect.stringContaining(problem)]);
});

test('takes a language model of each kind', async () => {
  const ollama = { LLM: 'openai-compatible', LLM_BASE_URL: 'http://localhost:11434/v1/', LLM_MODEL: 'owl' };
  expect(readConfig(ollama).languageModel).toMatchObject({
    provider: 'openai-compatible',
    baseUrl: 'http://localhost:11434/v1',
    model: 'owl',
    contextTokens: 8192,
    firstTokenMs: 30_000,
    nextTokenMs: 15_000,
  });
  for (const LLM of ['openai', 'anthropic']) {
    const { languageModel } = readConfig({ LLM, LLM_MODEL: 'owl', LLM_API_KEY: 'k', LLM_CONTEXT_TOKENS: '32000' });
    expect(languageModel).toMatchObject({ provider: LLM, apiKey: 'k', contextTokens: 32_000 });
  }
  const path = join(folder, 'key.json');
  await writeFile(path, JSON.stringify({ client_email: 'us@a.test', private_key: 'p' }));
  const vertex = { LLM: 'vertex', LLM_MODEL: 'owl', LLM_PROJECT: 'a', LLM_SERVICE_ACCOUNT: path };
  expect(readConfig(vertex).languageModel).toMatchObject({
    provider: 'vertex',
    location: 'global',
    account: { client_email: 'us@a.test', token_uri: 'https://oauth2.googleapis.com/token' },
  });
});

test.each([
  [{ LLM: 'openai-compatible' }, ['LLM_MODEL', 'LLM_BASE_URL']],
  [{ LLM: 'openai' }, ['LLM_MODEL', 'LLM_API_KEY']],
  [{ LLM: 'anthropic', LLM_MODEL: 'owl' }, ['LLM_API_KEY']],
  [{ LLM: 'vertex', LLM_MODEL: 'owl' }, ['LLM_PROJECT', 'LLM_SERVICE_ACCOUNT']],
])('names all that a model is missing: %o', (env, missing) => {
  expect(problemsOf(env)).toEqual(missing.map((name) => `${name} is missing: LLM=${env.LLM} needs it.`));
});

test.each([
  [{ LLM_API_KEY: 'k' }, 'LLM_API_KEY is of no use with LLM=none.'],
  [{ LLM: 'openai', LLM_MODEL: 'm', LLM_API_KEY: 'k', LLM_PROJECT: 'p' }, 'LLM_PROJECT is of no use with LLM=openai.'],
  [{ EMBEDDINGS_URL: 'http://localhost:1/v1' }, 'EMBEDDINGS_MODEL is missing: EMBEDDINGS_URL needs it.'],
  [{ RERANKER_KEY: 'k' }, 'RERANKER_URL is missing: RERANKER_MODEL and RERANKER_KEY are of no use without it.'],
])('refuses what would have no effect, or half a service: %o', (env, problem) => {
  expect(problemsOf(env)).toEqual([problem]);
});

test.each(['ftp://a', 'localhost:11434', 'http://me:pw-x@a/v1', 'https://a/v1?key=pw-x', 'https://a/v1#pw-x'])(
  'refuses %s as an address, and does not print what may be a secret',
  (url) => {
    const problems = problemsOf({ EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: 'm' });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^EMBEDDINGS_URL must /);
    expect(problems[0]).not.toContain('pw-x');
  },
);

test.each([
  ['LLM', 'gpt'],
  ['LLM_CONTEXT_TOKENS', '100'],
  ['LLM_TEMPERATURE', '3'],
  ['LLM_FIRST_TOKEN_SECONDS', '0'],
  ['EMBEDDINGS_BATCH', '0'],
  ['EMBEDDINGS_DIMENSIONS', 'many'],
  ['LLM_LOCATION', 'evil.example/x'],
])('refuses %s=%s', (name, value) => {
  expect(problemsOf({ [name]: value })[0]).toMatch(new RegExp(`^${name} `));
});

test('keeps the blank at the end of a prefix', () => {
  const env = { EMBEDDINGS_URL: 'http://localhost:1/v1', EMBEDDINGS_MODEL: 'm', EMBEDDINGS_QUESTION_PREFIX: 'query: ' };
  expect(readConfig(env).embeddings?.prefixes).toEqual({ question: 'query: ', passage: '' });
});
