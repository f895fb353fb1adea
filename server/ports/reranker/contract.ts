import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startVectorServer, type VectorServer } from '#simulators/models/vectors.ts';
import type { Reranker } from './port.ts';

/** @param open the implementation on such a server, with the key `key-of-a-test` */
export function rerankerContract(name: string, open: (server: VectorServer) => Reranker): void {
  describe(`${name} for reranking`, () => {
    let server: VectorServer;
    let reranker: Reranker;
    const { signal } = new AbortController();
    beforeEach(async () => {
      server = await startVectorServer();
      reranker = open(server);
    });
    afterEach(() => server.close());
    const failure = () =>
      reranker.rerank('a', ['b'], signal).then(
        () => null,
        (error: unknown) => error,
      );

    test('scores each passage, in their order', async () => {
      const [none, both, one] = await reranker.rerank('red owls', ['blue cars', 'owls that are red', 'red'], signal);
      expect(both).toBeGreaterThan(one ?? Number.NaN);
      expect(one).toBeGreaterThan(none ?? Number.NaN);
    });

    test('asks nobody about nothing', async () => {
      expect(await reranker.rerank('red', [], signal)).toEqual([]);
      expect(server.calls).toHaveLength(0);
    });

    test('asks again where that may help, and not where it does not', async () => {
      server.fail({ status: 500, times: 1 });
      expect(await reranker.rerank('a', ['b'], signal)).toEqual([0]);
      server.fail({ status: 500 });
      expect(await failure()).toMatchObject({ kind: 'unavailable' });
      server.fail({ status: 404 });
      expect(await failure()).toMatchObject({ kind: 'misconfigured' });
    });

    test.each([
      ['no list', {}],
      ['one left out', { results: [] }],
      ['no number', { results: [{ index: 0, relevance_score: 'high' }] }],
    ])('takes scores of another shape for a wrong configuration: %s', async (_, body) => {
      server.fail({ body });
      expect(await failure()).toMatchObject({ kind: 'misconfigured' });
    });

    test('sends the key in a header, and tells it to nobody', async () => {
      server.fail({ status: 403 });
      const error = await failure();
      expect(server.calls[0]?.headers.authorization).toBe('Bearer key-of-a-test');
      expect(`${error} ${reranker.name}`).not.toMatch(/key-of-a-test|sk-leaked/);
    });

    test('closes the connection when it is aborted', async () => {
      server.fail({ hang: true });
      const stop = new AbortController();
      const running = reranker.rerank('a', ['b'], stop.signal);
      running.catch(() => {});
      await expect.poll(() => server.calls.length).toBe(1);
      stop.abort(new Error('gone'));
      await expect(running).rejects.toThrow('gone');
      await server.calls[0]?.aborted;
    });
  });
}
