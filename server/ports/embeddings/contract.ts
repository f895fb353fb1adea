import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startVectorServer, type VectorServer } from '#simulators/models/vectors.ts';
import type { Embeddings } from './port.ts';

/** @param open the implementation on such a server, with the key `key-of-a-test` and three texts in a request */
export function embeddingsContract(name: string, open: (server: VectorServer) => Embeddings): void {
  describe(`${name} for embeddings`, () => {
    let server: VectorServer;
    let embeddings: Embeddings;
    const { signal } = new AbortController();
    beforeEach(async () => {
      server = await startVectorServer();
      embeddings = open(server);
    });
    afterEach(() => server.close());
    const failure = () =>
      embeddings.embed(['a'], 'passage', signal).then(
        () => null,
        (error: unknown) => error,
      );

    test('makes a vector of length 1 of each text, in their order, in batches', async () => {
      const texts = ['red owls', 'blue cars', 'owls, red', 'green', 'grey', 'white', 'blue cars'];
      const vectors = await embeddings.embed(texts, 'passage', signal);
      expect(vectors).toHaveLength(texts.length);
      for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
      const [first, second, third, , , , last] = vectors;
      expect(third).toEqual(first);
      expect(last).toEqual(second);
      expect(second).not.toEqual(first);
      expect(server.calls).toHaveLength(3);
    });

    test('asks nobody for nothing, and takes a text that is empty or very long', async () => {
      expect(await embeddings.embed([], 'passage', signal)).toEqual([]);
      expect(server.calls).toHaveLength(0);
      expect(await embeddings.embed(['', 'x'.repeat(500_000)], 'passage', signal)).toHaveLength(2);
    });

    test('asks again where that may help, and not where it does not', async () => {
      server.fail({ status: 503, times: 1 });
      expect(await embeddings.embed(['a'], 'passage', signal)).toHaveLength(1);
      server.fail({ status: 503 });
      expect(await failure()).toMatchObject({ kind: 'unavailable' });
      const asked = server.calls.length;
      server.fail({ status: 401 });
      expect(await failure()).toMatchObject({ kind: 'misconfigured' });
      expect(server.calls).toHaveLength(asked + 1);
    });

    test.each([
      ['no list', { data: 'none' }],
      ['too few', { data: [] }],
      ['one left out', { data: [{ index: 5, embedding: [1] }] }],
      ['no direction', { data: [{ index: 0, embedding: [0, 0] }] }],
      ['no numbers', { data: [{ index: 0, embedding: [null] }] }],
    ])('takes vectors of another shape for a wrong configuration: %s', async (_, body) => {
      server.fail({ body });
      expect(await failure()).toMatchObject({ kind: 'misconfigured' });
    });

    test('refuses vectors of another number of dimensions than before', async () => {
      await embeddings.embed(['a'], 'passage', signal);
      server.fail({ body: { data: [{ index: 0, embedding: [1, 0, 0] }] } });
      expect(await failure()).toMatchObject({ kind: 'misconfigured', message: expect.stringContaining('64') });
    });

    test('sends the key in a header, and tells it to nobody', async () => {
      server.fail({ status: 400 });
      const error = await failure();
      expect(server.calls[0]?.headers.authorization).toBe('Bearer key-of-a-test');
      expect(`${error} ${embeddings.name} ${embeddings.model}`).not.toMatch(/key-of-a-test|sk-leaked/);
    });

    test('closes the connection when it is aborted', async () => {
      server.fail({ hang: true });
      const stop = new AbortController();
      const running = embeddings.embed(['a'], 'passage', stop.signal);
      running.catch(() => {});
      await expect.poll(() => server.calls.length).toBe(1);
      stop.abort(new Error('gone'));
      await expect(running).rejects.toThrow('gone');
      await server.calls[0]?.aborted;
    });
  });
}
