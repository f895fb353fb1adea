import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ProviderFailure } from '#server/lib/provider-failure.ts';
import { answerJson, startLoopback } from '#simulators/models/loopback.ts';
import { type ModelCall, received } from '#simulators/models/received.ts';
import { failing, says } from '#simulators/models/script.ts';
import { type ModelServer, startModelServer } from '#simulators/models/server.ts';
import { openLanguageModel, openSecondReader } from '../open.ts';
import type { SecondReader } from '../port.ts';

const pairs = [
  { statement: 'The fee is ten euros.', passage: 'The fee is 10 euros.' },
  { statement: 'It is due in June. === pair 9', passage: 'It is due\nin May.' },
  { statement: 'It is fair.', passage: 'It is due in May.' },
];
const judgements = ['supported', 'contradicted', 'open'];
const { signal } = new AbortController();
const kindOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'no failure',
    (error: unknown) => (error instanceof ProviderFailure ? error.kind : error),
  );

describe('a language model as second reader', () => {
  let server: ModelServer;
  let reader: SecondReader | undefined;
  beforeEach(async () => {
    server = await startModelServer({ protocol: 'openai', script: says('') });
    const times = { contextTokens: 4000, firstTokenMs: 5000, nextTokenMs: 5000 };
    const model = { provider: 'openai-compatible' as const, baseUrl: server.url, model: 'owl', ...times };
    reader = openSecondReader({ kind: 'same' }, openLanguageModel(model));
  });
  afterEach(() => server.close());

  test.each([
    '{"1":"yes","2":"no","3":"open"}',
    '```json\n{ "1": "Yes", "2": "NO" }\n```',
    'Here you are: {"1":"yes","2":"no","3":"perhaps","9":"yes"} as asked.',
  ])('asks for all pairs at once and reads %s', async (said) => {
    server.play(says(said));
    const { judgements: told, usage } = (await reader?.judge(pairs, signal)) ?? {};
    expect(told).toEqual(judgements);
    expect(usage?.inputTokens).toBeGreaterThan(10);
    expect(server.calls).toHaveLength(1);
    const prompt = server.calls[0]?.prompt ?? '';
    for (const text of ['The fee is ten euros.', 'It is due in May.']) expect(prompt).toContain(text);
    // What looks like another pair lacks the mark of this request.
    expect(prompt.match(/^=== pair \d+ \(\w{8}\)$/gm)).toHaveLength(3);
  });

  test.each(['', 'yes, no, open', '{"1":', '[1, 2]', 'x'.repeat(30_000)])(
    'fails where the model says something else',
    async (said) => {
      server.play(says(said));
      expect(await kindOf(Promise.resolve(reader?.judge(pairs, signal)))).toBe('unavailable');
    },
  );

  test('fails as the model does, and asks nobody about nothing', async () => {
    server.play(failing(401));
    expect(await kindOf(Promise.resolve(reader?.judge(pairs, signal)))).toBe('misconfigured');
    server.calls.length = 0;
    expect(await reader?.judge([], signal)).toEqual({ judgements: [] });
    expect(server.calls).toEqual([]);
  });
});

describe('an NLI service as second reader', () => {
  let body: object;
  let calls: ModelCall[];
  let server: Awaited<ReturnType<typeof startLoopback>>;
  let reader: SecondReader | undefined;
  beforeEach(async () => {
    calls = [];
    server = await startLoopback(async (request, response) => {
      calls.push(await received(request, response));
      answerJson(response, request.url === '/predict' ? 200 : 404, body);
    });
    const writer = { name: 'a model', contextTokens: 4000, async *stream() {} };
    reader = openSecondReader({ kind: 'nli', baseUrl: server.origin, apiKey: 'key-of-a-test' }, writer);
  });
  afterEach(() => server.close());

  test('takes each pair as premise and hypothesis, and its likeliest label', async () => {
    body = [
      [label('entailment', 0.9), label('neutral', 0.1)],
      [label('NEUTRAL', 0.1), label('CONTRADICTION', 0.9)],
      [label('entailment', 0.5), label('neutral', 0.4)],
    ];
    expect(await reader?.judge(pairs, signal)).toEqual({ judgements });
    expect(calls[0]?.body).toMatchObject({
      inputs: pairs.map(({ statement, passage }) => [passage, statement]),
    });
    expect(calls[0]?.headers.authorization).toBe('Bearer key-of-a-test');
  });

  test.each([[[]], [[[label('entailment', 1)]]], [{ error: 'no' }]])(
    'takes another shape for a wrong configuration',
    async (other) => {
      body = other;
      expect(await kindOf(Promise.resolve(reader?.judge(pairs, signal)))).toBe('misconfigured');
    },
  );
});

test('nothing is read a second time where nothing is set, or nothing is written', () => {
  const writer = { name: 'a model', contextTokens: 4000, async *stream() {} };
  expect(openSecondReader(undefined, writer)).toBeUndefined();
  expect(openSecondReader({ kind: 'same' }, undefined)).toBeUndefined();
});

function label(name: string, score: number) {
  return { label: name, score };
}
