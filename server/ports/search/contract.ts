import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ChunkVector, type SearchChunk, type SearchStore, versionKey } from './port.ts';

/**
 * What every implementation of the port must do.
 * @param open a store with an embedding model on an empty place; opened again with the same `place` it must find what
 * was there
 */
export function searchStoreContract(name: string, open: (place: string) => Promise<SearchStore>): void {
  describe(`${name} as a search store`, () => {
    let store: SearchStore;
    let place: string;
    const company = randomUUID();
    const other = randomUUID();
    beforeEach(async () => {
      place = randomUUID();
      store = await open(place);
    });
    afterEach(() => store.close());

    const find = async (text: string, companyId: string = company, documentIds?: string[]) =>
      (await store.search(companyId, { text, limit: 10, ...(documentIds && { documentIds }) })).map(({ id }) => id);

    const near = async (vector: number[], documentIds?: string[]) =>
      (await store.searchVectors(company, Float32Array.from(vector), 10, { ...(documentIds && { documentIds }) })).map(
        ({ id }) => id,
      );

    test('finds a chunk as soon as it is added, also in an index that is already there', async () => {
      const first = chunk('The notice period is three months.');
      const second = chunk('Parking is free for visitors.');
      await store.add(company, [first]);
      expect(await find('notice period')).toEqual([first.id]);
      await store.add(company, [second]);
      expect(await find('parking')).toEqual([second.id]);
    });

    test('finds words of every kind: codes, inflections, scripts without spaces', async () => {
      const chunks = {
        code: chunk('Invoice INV-2024/0031 is open.'),
        language: chunk('Written in C++ and shipped as v3.14.'),
        german: chunk('Die Verträge enden im Dezember.'),
        japanese: chunk('保証期間は二年です。'),
        thai: chunk('ระยะเวลารับประกันสองปี'),
      };
      await store.add(company, Object.values(chunks));
      expect(await find('INV-2024/0031')).toEqual([chunks.code.id]);
      expect(await find('C++')).toEqual([chunks.language.id]);
      expect(await find('v3.14')).toEqual([chunks.language.id]);
      expect(await find('Vertrag')).toEqual([chunks.german.id]);
      expect(await find('保証期間')).toEqual([chunks.japanese.id]);
      expect(await find('รับประกัน')).toEqual([chunks.thai.id]);
    });

    test('puts a match in the title or heading among the best', async () => {
      const titled = chunk('See below.', { title: 'Travel policy 2026.pdf' });
      const headed = chunk('See there.', { heading: 'Travel › Hotels' });
      await store.add(company, [chunk('Nothing of the kind.'), titled, headed]);
      expect(new Set(await find('travel'))).toEqual(new Set([titled.id, headed.id]));
    });

    test('replaces a chunk that is added again', async () => {
      const old = chunk('It costs ten euros.');
      await store.add(company, [old]);
      await store.add(company, [{ ...old, body: 'It costs twelve dollars.' }]);
      expect(await find('euros')).toEqual([]);
      expect(await find('dollars')).toEqual([old.id]);
    });

    test('keeps companies apart', async () => {
      await store.add(company, [chunk('Our secret recipe.')]);
      await store.add(other, [chunk('Their secret plan.')]);
      expect(await find('secret', other)).toHaveLength(1);
      expect(await find('recipe', other)).toEqual([]);
      expect(await find('anything', randomUUID())).toEqual([]);
    });

    test('searches some documents only', async () => {
      const [one, two] = [chunk('Annual leave.'), chunk('Annual report.')];
      await store.add(company, [one, two]);
      expect(await find('annual', company, [two.documentId])).toEqual([two.id]);
      expect(await find('annual', company, [])).toEqual([]);
    });

    test('knows which companies have a table', async () => {
      expect(await store.companies()).toEqual(new Set());
      await store.add(company, [chunk('Annual leave.')]);
      await store.erase(other, batches([]));
      expect(await store.companies()).toEqual(new Set([company, other]));
      expect([await store.has(company), await store.has(other), await store.has(randomUUID())]).toEqual([
        true,
        true,
        false,
      ]);
      await store.drop(other);
      expect(await store.companies()).toEqual(new Set([company]));
      expect(await store.has(other)).toBe(false);
    });

    test('finds within documents whose name, or what they say of themselves, has a word', async () => {
      const named = chunk('The fee is low.', { title: 'Acme 2026.pdf' });
      const saying = chunk('The fee is high.', { about: 'Acme\nAnnual report' });
      const other = chunk('Acme says that the fee is low.', { title: 'Globex 2026.pdf' });
      await store.add(company, [named, saying, other]);
      const about = async (...terms: string[]) =>
        new Set((await store.search(company, { text: 'fee', about: terms, limit: 10 })).map(({ id }) => id));
      expect(await about('acme')).toEqual(new Set([named.id, saying.id]));
      expect(await about('acme', 'globex')).toEqual(new Set([named.id, saying.id, other.id]));
      expect(await about('nobody')).toEqual(new Set());
      expect(await about()).toEqual(new Set());
    });

    test('refuses ids that are none, before they get into a filter', async () => {
      await store.add(company, [chunk('Annual leave.')]);
      await expect(find('annual', company, ["x' OR '1'='1"])).rejects.toThrow('not an id');
      await expect(find('annual', '../../etc')).rejects.toThrow('not an id');
      await expect(store.remove(company, "' OR 'a'='a")).rejects.toThrow('not an id');
    });

    test('no longer finds what is removed: older versions, a document', async () => {
      const first = chunk('Winter tyres are compulsory.');
      const second = { ...chunk('Winter tyres are recommended.'), documentId: first.documentId, version: 2 };
      await store.add(company, [first, second]);
      await store.remove(company, first.documentId, { before: 2 });
      expect(await find('winter tyres')).toEqual([second.id]);
      await store.remove(company, first.documentId);
      expect(await find('winter tyres')).toEqual([]);
      await store.remove(company, first.documentId);
    });

    test('goes on finding everything after optimizing, and after erasing all but what lives', async () => {
      const chunks = Array.from({ length: 300 }, (_, i) => chunk(`Shelf number${i} holds bolts.`));
      await store.add(company, chunks);
      await store.optimize(company);
      expect(await find('number77')).toEqual([chunks[77]?.id]);
      await store.erase(company, batches(chunks.slice(0, 10)));
      expect(await find('number77')).toEqual([]);
      expect(await find('number7')).toEqual([chunks[7]?.id]);
      await store.erase(company, batches([]));
      expect(await find('bolts')).toEqual([]);
    });

    test('erasing builds the index anew where it was lost, and another process goes on with it', async () => {
      const chunks = [chunk('Shelf one holds bolts.'), chunk('Shelf two holds nuts.')];
      await store.erase(company, batches(chunks));
      expect(await find('bolts')).toEqual([chunks[0]?.id]);
      const second = await open(place);
      expect(await second.search(company, { text: 'nuts', limit: 10 })).toHaveLength(1);
      await store.erase(company, batches([]));
      expect(await second.search(company, { text: 'nuts', limit: 10 })).toEqual([]);
      const later = chunk('Shelf three holds washers.');
      await second.add(company, [later]);
      expect(await find('washers')).toEqual([later.id]);
      await second.close();
    });

    test('takes text that is empty, or nothing but signs', async () => {
      const bare = chunk('!?', { title: '', heading: '' });
      const worded = chunk('A word.', { title: '…' });
      await store.add(company, [bare, worded]);
      expect(await find('word')).toEqual([worded.id]);
    });

    test('has everything when it is opened again', async () => {
      const kept = chunk('The archive is in the basement.');
      await store.add(company, [kept]);
      await store.close();
      store = await open(place);
      expect(await find('archive')).toEqual([kept.id]);
    });

    test('two writers at once lose nothing', async () => {
      const second = await open(place);
      await store.add(company, [chunk('The first one.')]);
      await Promise.all(
        Array.from({ length: 10 }, (_, i) => (i % 2 ? store : second).add(company, [chunk(`Row of writer${i}.`)])),
      );
      for (let i = 0; i < 10; i++) expect(await find(`writer${i}`)).toHaveLength(1);
      await second.close();
    });

    test('finds by vectors what is nearest in direction, of one company, of some documents, until it is removed', async () => {
      const [east, north, west] = [chunk('a'), chunk('b'), chunk('c')];
      await store.add(company, [east, north, west]);
      const ids = [east.id, north.id, west.id];
      expect(await near([1, 0])).toEqual([]);
      expect(await store.withoutVectors(company, ids)).toEqual(ids);
      await store.addVectors(company, [vectorOf(east, [1, 0]), vectorOf(north, [0, 1]), vectorOf(west, [-1, 0])]);
      expect(await near([0.8, 0.6])).toEqual([east.id, north.id, west.id]);
      expect(await near([0.8, 0.6], [north.documentId])).toEqual([north.id]);
      expect(await near([0.8, 0.6], [])).toEqual([]);
      const [best] = await store.searchVectors(company, Float32Array.of(0.8, 0.6), 1);
      expect(best).toMatchObject({ id: east.id, documentId: east.documentId });
      expect(best?.similarity).toBeCloseTo(0.8, 4);
      expect(await store.searchVectors(other, Float32Array.of(1, 0), 10)).toEqual([]);
      expect(await store.withoutVectors(company, ids)).toEqual([]);
      await store.addVectors(company, [vectorOf(east, [-1, 0])]);
      expect((await near([0, 1]))[0]).toBe(north.id);
      await store.remove(company, north.documentId);
      expect(await near([0, 1])).not.toContain(north.id);
      await store.erase(company, batches([west]));
      expect(await near([1, 0])).toEqual([west.id]);
      await store.erase(company, batches([]));
      expect(await near([1, 0])).toEqual([]);
      await store.addVectors(company, [vectorOf(west, [0, 1])]);
      expect(await near([1, 0])).toEqual([west.id]);
    });

    test('gives the terms of chunks that are asked for by id, and counts vectors by version', async () => {
      const [one, two] = [chunk('The archive is in the basement.'), chunk('The canteen.')];
      await store.add(company, [one, two]);
      const [found] = await store.candidates(company, [one, chunk('Nowhere.')]);
      const [searched] = await store.search(company, { text: 'archive basement', limit: 1 });
      expect(found).toEqual(searched);
      expect(await store.candidates(company, [])).toEqual([]);
      expect(await store.candidates(other, [one])).toEqual([]);
      expect(await store.vectorCounts(company)).toEqual(new Map());
      await store.addVectors(company, [
        vectorOf(one, [1, 0]),
        vectorOf({ ...two, documentId: one.documentId }, [0, 1]),
      ]);
      expect(await store.vectorCounts(company)).toEqual(new Map([[versionKey(one), 2]]));
    });

    test('refuses vectors of another number of dimensions, and ids that are none', async () => {
      await store.addVectors(company, [vectorOf(chunk('a'), [1, 0])]);
      await expect(store.addVectors(company, [vectorOf(chunk('b'), [1, 0, 0])])).rejects.toThrow();
      await expect(near([1, 0], ["x' OR '1'='1"])).rejects.toThrow('not an id');
    });

    test('a question of stop words, signs or nothing finds nothing wrong', async () => {
      await store.add(company, [chunk('Annual leave.')]);
      for (const text of ['', '   ', '?!', '" OR 1=1 --', 'the of and']) expect(await find(text)).toEqual([]);
    });
  });
}

function chunk(body: string, { title = 'Notes.txt', about = '', heading = '' } = {}): SearchChunk {
  return { id: randomUUID(), documentId: randomUUID(), version: 1, title, about, heading, body };
}

function vectorOf({ id, documentId, version }: SearchChunk, vector: number[]): ChunkVector {
  return { id, documentId, version, vector: Float32Array.from(vector) };
}

async function* batches(chunks: SearchChunk[]): AsyncGenerator<SearchChunk[]> {
  for (let i = 0; i < chunks.length; i += 5) yield chunks.slice(i, i + 5);
}
