import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ProviderFailure } from '#server/lib/provider-failure.ts';
import { failing, repeating, type Script, says, splits, stoppingMidWord } from '#simulators/models/script.ts';
import { type ModelProtocol, type ModelServer, startModelServer } from '#simulators/models/server.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from './port.ts';

/** Milliseconds: short, so that a test of them does not take long; long, so that a slow day does not reach them. */
export interface Limits {
  firstTokenMs: number;
  nextTokenMs: number;
}

const patient: Limits = { firstTokenMs: 60_000, nextTokenMs: 60_000 };
const question: ModelRequest = {
  system: 'Answer from the passages.',
  messages: [
    { role: 'user', text: 'What is secret?' },
    { role: 'assistant', text: 'Nothing.' },
    { role: 'user', text: 'And <b>"quoted"</b> 保証?' },
  ],
  maxTokens: 300,
};

/**
 * What every implementation of the port must do, whatever the service on the other side does.
 * @param open the implementation, with the key `key-of-a-test`, on such a server
 */
export function languageModelContract(
  name: string,
  protocol: ModelProtocol,
  open: (server: ModelServer, limits: Limits) => LanguageModel,
): void {
  describe(`${name} as a language model`, () => {
    let server: ModelServer;
    let model: LanguageModel;
    beforeEach(async () => {
      server = await startModelServer({ protocol, script: says('The notice period is three months [1].') });
      model = open(server, patient);
    });
    afterEach(() => server.close());

    const run = (script: Script, limits?: Limits) => {
      server.play(script);
      return outcome(limits ? open(server, limits) : model);
    };

    test('gives out the text as it comes, and then what it cost', async () => {
      const { texts, usage, failure } = await outcome(model);
      expect(texts.join('')).toBe('The notice period is three months [1].');
      expect(texts.length).toBeGreaterThan(5);
      expect(usage).toEqual({ inputTokens: expect.any(Number), outputTokens: texts.length + 1 });
      expect(usage?.inputTokens).toBeGreaterThan(10);
      expect(failure).toBeUndefined();
    });

    test('sends the instructions and every message, word for word, with the key in a header alone', async () => {
      await outcome(model);
      const [call] = server.calls;
      for (const text of [question.system, ...question.messages.map((message) => message.text)])
        expect(call?.prompt).toContain(text);
      expect(JSON.stringify(call?.body)).toContain('300');
      expect(call?.path).not.toContain('key-of-a-test');
      expect(JSON.stringify(call?.body)).not.toContain('key-of-a-test');
    });

    test.each([1, 2, 3, 7])(
      'puts together what is cut every %i units, without splitting a code point',
      async (size) => {
        const text = 'Größe: 保証 🦉 [1][2] – «ja»\n\n| a | b |';
        const { texts } = await run(splits(text, size));
        expect(texts.join('')).toBe(text);
        for (const each of texts) expect(each.isWellFormed()).toBe(true);
      },
    );

    test('says nothing of the cost where the service does not count', async () => {
      const { texts, failure } = await run(says('Yes.', { uncounted: true }));
      expect(texts.join('')).toBe('Yes.');
      expect(failure).toBeUndefined();
    });

    test('fails when the answer reached its largest length, after the text and the cost', async () => {
      const { texts, usage, failure } = await run(stoppingMidWord('It ends in December.'));
      expect(texts.join('')).toBe('It ends in Decembe');
      expect(usage).toBeDefined();
      expect(failure?.kind).toBe('length');
      expect((await run(repeating('Again.'))).failure?.kind).toBe('length');
    });

    test('fails when the model declined', async () => {
      expect((await run(says('', { end: 'refused' }))).failure?.kind).toBe('refused');
    });

    test.each([400, 401, 403, 404, 422])(
      'does not ask again after %i, which the operator has to see to',
      async (status) => {
        const { failure } = await run(failing(status, { reason: 'invalid_request_error' }));
        expect(failure?.kind).toBe('misconfigured');
        expect(failure?.message).toContain(String(status));
        expect(server.calls).toHaveLength(1);
      },
    );

    test.each([500, 502, 503, 529])('asks again after %i', async (status) => {
      const { texts, failure } = await run([failing(status), says('Here.')]);
      expect(texts.join('')).toBe('Here.');
      expect(failure).toBeUndefined();
      expect(server.calls).toHaveLength(2);
    });

    test('gives up after three tries', async () => {
      expect((await run(failing(503))).failure?.kind).toBe('unavailable');
      expect(server.calls).toHaveLength(3);
    });

    test('asks again where it was too often, and the wait is short', async () => {
      const { texts } = await run([failing(429, { headers: { 'retry-after': '0' } }), says('Here.')]);
      expect(texts.join('')).toBe('Here.');
    });

    test('passes on how long to wait where that is long, without waiting', async () => {
      const { failure } = await run(failing(429, { headers: { 'retry-after': '3600' } }));
      expect(failure).toMatchObject({ kind: 'rate-limited', retryAfterSeconds: 3600 });
      expect(server.calls).toHaveLength(1);
    });

    test.each([
      ['the connection breaks', 'disconnect'],
      ['what comes can not be read', 'malformed'],
      ['an error comes', { error: protocol === 'vertex' ? 'UNAVAILABLE' : 'overloaded_error' }],
    ] as const)('fails in the middle when %s, and does not begin again', async (_, afterwards) => {
      const { texts, failure } = await run(says('The first half', { afterwards }));
      expect(texts.join('')).toBe('The first half');
      expect(failure?.kind).toBe('unavailable');
      expect(server.calls).toHaveLength(1);
    });

    test('never says in an error what the service said: it may hold the key or the question', async () => {
      for (const script of [failing(401), failing(500), says('a', { afterwards: { error: 'api_error' } })]) {
        const { failure } = await run(script);
        expect(failure).toBeInstanceOf(ProviderFailure);
        expect(inspected(failure)).not.toMatch(/sk-leaked|secret|key-of-a-test/);
      }
    });

    test('fails when the first token does not come, or the next one', async () => {
      const first = await run({ pieces: [], afterwards: 'hang' }, { firstTokenMs: 300, nextTokenMs: 300 });
      expect(first).toMatchObject({ texts: [], failure: { kind: 'unavailable' } });
      const next = await run(says('The first half', { afterwards: 'hang' }), {
        firstTokenMs: 60_000,
        nextTokenMs: 1500,
      });
      expect(next.texts.join('')).toBe('The first half');
      expect(next.failure?.kind).toBe('unavailable');
      expect(server.calls).toHaveLength(2);
      await Promise.all(server.calls.map(({ aborted }) => aborted));
    });

    test('closes the connection when it is aborted, and throws the reason', async () => {
      server.play(says('The first half', { afterwards: 'hang' }));
      const stop = new AbortController();
      const reason = new Error('the browser has gone');
      const reading = (async () => {
        for await (const _ of model.stream(question, stop.signal)) stop.abort(reason);
      })();
      await expect(reading).rejects.toBe(reason);
      await server.calls[0]?.aborted;
    });

    test('closes the connection when its reader leaves', async () => {
      server.play(says('The first half', { afterwards: 'hang' }));
      for await (const _ of model.stream(question, AbortSignal.timeout(60_000))) break;
      await server.calls[0]?.aborted;
    });

    test('asks nobody when it is aborted before', async () => {
      await expect(
        model
          .stream(question, AbortSignal.abort(new Error('gone')))
          [Symbol.asyncIterator]()
          .next(),
      ).rejects.toThrow('gone');
      expect(server.calls).toHaveLength(0);
    });

    test('takes a page that is no stream for a wrong address', async () => {
      const page = { status: 200, body: '<html>Welcome</html>', headers: { 'content-type': 'text/html' } };
      expect((await run({ pieces: [], failure: page })).failure?.kind).toBe('misconfigured');
    });

    test('follows no redirect: the key and the text would go with it', async () => {
      const elsewhere = await startModelServer({ protocol, script: says('Caught.') });
      const { failure } = await run(failing(307, { headers: { location: elsewhere.url } }));
      expect(failure?.kind).toBe('misconfigured');
      expect(elsewhere.calls).toEqual([]);
      await elsewhere.close();
    });

    test('says that a service which is not there is unavailable', async () => {
      await server.close();
      expect((await outcome(model)).failure?.kind).toBe('unavailable');
    });
  });
}

export async function outcome(model: LanguageModel, request = question) {
  const texts: string[] = [];
  let usage: Extract<ModelEvent, { type: 'usage' }>['usage'] | undefined;
  try {
    for await (const event of model.stream(request, new AbortController().signal)) {
      if (event.type === 'text') texts.push(event.text);
      else usage = event.usage;
    }
  } catch (failure) {
    if (!(failure instanceof ProviderFailure)) throw failure;
    return { texts, usage, failure };
  }
  return { texts, usage, failure: undefined };
}

/** An error with its causes, as a careless log would show it. */
function inspected(error: unknown): string {
  return error instanceof Error ? `${error.message} ${error.stack} ${inspected(error.cause)}` : '';
}
