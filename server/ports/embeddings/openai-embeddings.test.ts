import { expect, test } from 'vitest';
import { startVectorServer } from '#simulators/models/vectors.ts';
import { embeddingsContract } from './contract.ts';
import { openAiEmbeddings } from './openai-embeddings.ts';

const usual = { model: 'vec-1', apiKey: 'key-of-a-test', batch: 3, prefixes: { question: '', passage: '' } };

embeddingsContract('An OpenAI-compatible server', ({ url: baseUrl }) => openAiEmbeddings({ ...usual, baseUrl }));

test('questions and passages get the prefixes that the model wants, and the dimensions are asked for', async () => {
  const server = await startVectorServer();
  const prefixes = { question: 'query: ', passage: 'passage: ' };
  const embeddings = openAiEmbeddings({ ...usual, baseUrl: server.url, prefixes, dimensions: 64 });
  const { signal } = new AbortController();
  await embeddings.embed(['Why?'], 'question', signal);
  await embeddings.embed(['Because.'], 'passage', signal);
  expect(server.calls.map(({ body }) => body)).toMatchObject([
    { model: 'vec-1', input: ['query: Why?'], dimensions: 64 },
    { model: 'vec-1', input: ['passage: Because.'], dimensions: 64 },
  ]);
  expect(embeddings.model).not.toBe(openAiEmbeddings({ ...usual, baseUrl: server.url }).model);
  await server.close();
});
