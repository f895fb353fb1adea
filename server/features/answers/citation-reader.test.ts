import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TermStatistics } from '#server/features/retrieval/retrieval.ts';
import { weigh } from '#server/features/retrieval/retrieval.ts';
import { type CheckedPart, createCitationReader } from './citation-reader.ts';
import { unitsOf } from './units.ts';

const statistics: TermStatistics = { averageLength: 20, idf: () => 3, has: () => true, terms: () => [] };
const passages = [
  ['Travel policy', 'A hotel in Berlin may cost 145 euros. Receipts are due within 30 days.'],
  ['Leave policy', 'Unused leave does not expire in March. Susan Blake approves leave of more than 20 days.'],
].map(([above = '', text = '']) => ({
  above,
  units: unitsOf([{ kind: 'paragraph', text, index: 0, start: 0, page: null, cells: null, header: false }]),
}));

function check(...pieces: string[]) {
  const reader = createCitationReader(passages, (text) => weigh(text, statistics));
  const parts = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
  return { text: shown(parts), unsupported: unsupported(parts), quotes: reader.cited().map(({ unit }) => unit.text) };
}

function shown(parts: CheckedPart[]): string {
  return parts
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'citation' ? `[${part.citation.n}]` : ''))
    .join('');
}

/** The claims that are marked, as they stand in the text without its markers. */
function unsupported(parts: CheckedPart[]): string[] {
  const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  return parts.flatMap((part) => (part.kind === 'unsupported' ? [text.slice(part.start, part.end)] : []));
}

describe('what a written answer may cite', () => {
  test('a claim keeps its marker, with the sentence that says so, numbered by first use', () => {
    const { text, quotes } = check('Susan Blake approves long leave [2]. Receipts are due within 30 days. [1]');
    expect(text).toBe('Susan Blake approves long leave [1]. Receipts are due within 30 days. [2]');
    expect(quotes).toEqual(['Susan Blake approves leave of more than 20 days.', 'Receipts are due within 30 days.']);
  });

  test('the same quote keeps its number, another one of the same passage gets its own', () => {
    const { text, quotes } = check(
      'A Berlin hotel may cost 145 euros [1]. Receipts: 30 days [1]. Berlin: 145 euros [1].',
    );
    expect(text).toBe('A Berlin hotel may cost 145 euros [1]. Receipts: 30 days [2]. Berlin: 145 euros [1].');
    expect(quotes).toHaveLength(2);
  });

  test.each([
    ['an invented number', 'A hotel in Berlin may cost 145 euros [99].'],
    ['another passage', 'A hotel in Berlin may cost 145 euros [2].'],
    ['a changed amount', 'A hotel in Berlin may cost 154 euros [1].'],
    ['a changed name', 'Leave of more than 20 days is approved by Martin Cole [2].'],
    ['a denial', 'Unused leave does expire in March [2].'],
    ['another denial', 'Receipts are not due within 30 days [1].'],
    ['nothing in common', 'The canteen serves soup [1].'],
  ])('%s loses its marker, and the claim is marked', (_, answer) => {
    const result = check(answer);
    expect(result.text).toBe(answer.replace(/ \[\d+\]/, ''));
    expect(result.unsupported).toEqual([answer.replace(/ \[.*/, '')]);
    expect(result.quotes).toEqual([]);
  });

  test.each(['[1, 2]', '[1][2]', '[1-2]', '【1】【2】', '[ 1 ; 2 ]', '[1–2]'])('%s is understood', (marker) => {
    const result = check(`Receipts are due within 30 days ${marker}.`);
    expect(result).toEqual({
      text: 'Receipts are due within 30 days [1].',
      unsupported: [],
      quotes: ['Receipts are due within 30 days.'],
    });
  });

  test('two claims of one sentence are checked each for itself', () => {
    const result = check('A hotel in Berlin may cost 145 euros [1], and receipts are due within 40 days [1].');
    expect(result.text).toBe('A hotel in Berlin may cost 145 euros [1], and receipts are due within 40 days.');
    expect(result.unsupported).toHaveLength(1);
  });

  test('brackets that are no markers stay', () => {
    for (const text of ['See [appendix].', 'An array a[0] and [', 'x [1', '[1000]'])
      expect(check(text).text).toBe(text);
  });

  test('however an answer is cut into pieces, the same comes out', () => {
    const bits = [
      'Receipts are due within 30 days',
      ' ',
      '[1]',
      '[1, 2]',
      '【2】',
      '[9]',
      '. ',
      'Susan Blake approves leave',
      '[',
      '1',
      ']',
      '\n',
      '[1-',
      'no',
      ' 145 euros',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...bits), { maxLength: 12 }), fc.infiniteStream(fc.nat(6)), (all, sizes) => {
        const answer = all.join('');
        const pieces: string[] = [];
        for (let i = 0; i < answer.length; ) {
          const size = sizes.next().value ?? 1;
          pieces.push(answer.slice(i, i + size));
          i += size;
          if (size === 0 && pieces.length > 200) break;
        }
        if (pieces.join('') !== answer) return;
        expect(check(...pieces)).toEqual(check(answer));
      }),
    );
  });
});
