import { exportPKCS8, generateKeyPair } from 'jose';
import { afterEach, describe, expect, test } from 'vitest';
import { says } from '#simulators/models/script.ts';
import { type ModelServer, startModelServer } from '#simulators/models/server.ts';
import { languageModelContract, outcome } from './contract.ts';
import { openLanguageModel } from './open.ts';

const apiKey = 'key-of-a-test';
const usual = { model: 'owl-1', contextTokens: 8192, firstTokenMs: 60_000, nextTokenMs: 60_000 };
const { privateKey } = await generateKeyPair('RS256', { extractable: true });
const vertex = (server: ModelServer) => ({
  provider: 'vertex' as const,
  baseUrl: server.url,
  project: 'a-project',
  location: 'europe-west4',
  account: { client_email: 'us@a-project.test', private_key: pem, token_uri: server.tokenUrl },
});
const pem = await exportPKCS8(privateKey);

languageModelContract('An OpenAI-compatible server', 'openai', ({ url: baseUrl }, limits) =>
  openLanguageModel({ ...usual, ...limits, provider: 'openai-compatible', baseUrl, apiKey }),
);
languageModelContract('OpenAI', 'openai', ({ url: baseUrl }, limits) =>
  openLanguageModel({ ...usual, ...limits, provider: 'openai', baseUrl, apiKey }),
);
languageModelContract('Anthropic', 'anthropic', ({ url: baseUrl }, limits) =>
  openLanguageModel({ ...usual, ...limits, provider: 'anthropic', baseUrl, apiKey }),
);
languageModelContract('Vertex', 'vertex', (server, limits) =>
  openLanguageModel({ ...usual, ...limits, ...vertex(server) }),
);

describe('what each service is sent', () => {
  let server: ModelServer;
  afterEach(() => server.close());

  test('OpenAI-compatible: the key as a bearer, or none, and the older name of the largest length', async () => {
    server = await startModelServer({ protocol: 'openai', script: says('Yes.') });
    const options = { ...usual, provider: 'openai-compatible' as const, baseUrl: server.url };
    await outcome(openLanguageModel({ ...options, apiKey, temperature: 0.2 }));
    await outcome(openLanguageModel(options));
    const [keyed, open] = server.calls;
    expect(keyed?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(keyed?.body).toMatchObject({
      model: 'owl-1',
      max_tokens: 300,
      temperature: 0.2,
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'system' }, { role: 'user' }, { role: 'assistant' }, { role: 'user' }],
    });
    expect(open?.headers.authorization).toBeUndefined();
    expect(open?.body).not.toHaveProperty('temperature');
  });

  test('OpenAI: the newer name of the largest length', async () => {
    server = await startModelServer({ protocol: 'openai', script: says('Yes.') });
    await outcome(openLanguageModel({ ...usual, provider: 'openai', baseUrl: server.url, apiKey }));
    expect(server.calls[0]?.body).toMatchObject({ max_completion_tokens: 300 });
    expect(server.calls[0]?.body).not.toHaveProperty('max_tokens');
  });

  test('Anthropic: key and version in headers, the instructions apart from the messages', async () => {
    server = await startModelServer({ protocol: 'anthropic', script: says('Yes.') });
    await outcome(openLanguageModel({ ...usual, provider: 'anthropic', baseUrl: server.url, apiKey }));
    expect(server.calls[0]?.headers).toMatchObject({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' });
    expect(server.calls[0]?.body).toMatchObject({
      system: 'Answer from the passages.',
      messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }],
      max_tokens: 300,
    });
  });

  test('Vertex: a token of the service account, asked for once', async () => {
    server = await startModelServer({ protocol: 'vertex', script: says('Yes.') });
    const model = openLanguageModel({ ...usual, ...vertex(server) });
    await outcome(model);
    await outcome(model);
    expect(server.tokensGiven()).toBe(1);
    expect(server.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-1']);
    expect(server.calls[0]?.path).toContain('/locations/europe-west4/publishers/google/models/owl-1:');
    expect(server.calls[0]?.body).toMatchObject({
      systemInstruction: { parts: [{ text: 'Answer from the passages.' }] },
      contents: [{ role: 'user' }, { role: 'model' }, { role: 'user' }],
      generationConfig: { maxOutputTokens: 300 },
    });
  });
});

describe('names', () => {
  test('say which service and which model, never the key', () => {
    const model = openLanguageModel({ ...usual, provider: 'openai', apiKey });
    expect(model.name).toBe('openai (owl-1)');
    expect(JSON.stringify(model)).not.toContain(apiKey);
  });
});
