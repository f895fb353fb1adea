import { describe, expect, test } from 'vitest';
import { weigh } from '#server/features/retrieval/retrieval.ts';
import fc from '#server/testing/fast-check.ts';
import { fewOfEach } from '#server/testing/term-statistics.ts';
import { unitsOf } from '../extract/units.ts';
import type { CheckedPart } from './checked-part.ts';
import { createCitationReader } from './citation-reader.ts';

const passages = [
  ['Travel policy', 'A hotel in Berlin may cost 145 euros. Receipts are due within 30 days.'],
  ['Leave policy', 'Unused leave does not expire in March. Susan Blake approves leave of more than 20 days.'],
].map(([above = '', text = '']) => ({
  above,
  units: unitsOf([{ kind: 'paragraph', text, index: 0, start: 0, page: null, cells: null, header: false }]),
}));

async function check(...pieces: string[]) {
  const reader = createCitationReader(passages, (text) => weigh(text, fewOfEach));
  const parts: CheckedPart[] = [];
  for (const piece of pieces) parts.push(...(await reader.push(piece)));
  parts.push(...(await reader.end()));
  const [unsupported, unchecked] = (['unsupported', 'unchecked'] as const).map((kind) => marked(parts, kind));
  return { text: shown(parts), unsupported, unchecked, quotes: reader.cited().map(({ unit }) => unit.text) };
}

function shown(parts: CheckedPart[]): string {
  return parts
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'citation' ? `[${part.citation.n}]` : ''))
    .join('');
}

/** The claims that are marked, as they stand in the text without its markers. */
function marked(parts: CheckedPart[], kind: 'unsupported' | 'unchecked'): string[] {
  const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  return parts.flatMap((part) => (part.kind === kind ? [text.slice(part.start, part.end)] : []));
}

describe('what a written answer may cite', () => {
  test('a cell with a marker of its own is read once, whatever the next one says', async () => {
    const row = '| Receipts | Receipts are due within 30 days [1]. | A hotel in Berlin may cost 190 euros [1]. |\n';
    const { text } = await check(`| Question | Answer | Note |\n|---|---|---|\n${row}`);
    expect(text.match(/\[1\]/g)).toHaveLength(1);
    expect(text).toContain('30 days [1].');
  });

  test.each([
    ['A hotel in Berlin may cost 145 euros', 'A hotel in Berlin may cost 145 euros [2]', []],
    [
      'A hotel in Berlin may cost 190 euros',
      'A hotel in Berlin may cost 190 euros',
      ['A hotel in Berlin may cost 190 euros'],
    ],
  ])('behind a cell that holds the next one is checked for itself: %s', async (cell, outcome, unsupported) => {
    const head = '| Question | Answer | Note |\n|---|---|---|\n| Receipts | due within 30 days [1] |';
    const result = await check(`${head} ${cell} [1] |\n`);
    expect(result).toMatchObject({ text: `${head} ${outcome} |\n`, unsupported, unchecked: [] });
  });

  test('a claim keeps its marker, with the sentence that says so, numbered by first use', async () => {
    const { text, quotes } = await check('Susan Blake approves long leave [2]. Receipts are due within 30 days. [1]');
    expect(text).toBe('Susan Blake approves long leave [1]. Receipts are due within 30 days. [2]');
    expect(quotes).toEqual(['Susan Blake approves leave of more than 20 days.', 'Receipts are due within 30 days.']);
  });

  test('the same quote keeps its number, another one of the same passage gets its own', async () => {
    const { text, quotes } = await check(
      'A Berlin hotel may cost 145 euros [1]. Receipts: 30 days [1]. Berlin: 145 euros [1].',
    );
    expect(text).toBe('A Berlin hotel may cost 145 euros [1]. Receipts: 30 days [2]. Berlin: 145 euros [1].');
    expect(quotes).toHaveLength(2);
  });

  test.each([
    ['a changed amount', 'A hotel in Berlin may cost 154 euros [1].'],
    ['a changed name', 'Leave of more than 20 days is approved by Martin Cole [2].'],
    ['a denial', 'Unused leave does expire in March [2].'],
    ['another denial', 'Receipts are not due within 30 days [1].'],
    ['nothing in common', 'The canteen serves soup [1].'],
  ])('%s loses its marker, and the claim is marked', async (_, answer) => {
    const result = await check(answer);
    expect(result.text).toBe(answer.replace(/ \[\d+\]/, ''));
    expect(result.unsupported).toEqual([answer.replace(/ \[.*/, '')]);
    expect(result.quotes).toEqual([]);
  });

  test.each([
    ['an invented number', 'A hotel in Berlin may cost 145 euros [99].'],
    ['another passage', 'A hotel in Berlin may cost 145 euros [2].'],
  ])('%s is mended where another passage says so', async (_, answer) => {
    const result = await check(answer);
    expect(result.text).toBe('A hotel in Berlin may cost 145 euros [1].');
    expect(result.unsupported).toEqual([]);
  });

  test.each([
    ...['(1)', '[passage 1]', '[^1]', '(Source 1)', '[[1]]', '[1](#source-1)', '<sup>1</sup>', '【1†source】', '［1］'],
    ...['[cite: 1]', '(see passage 1)', '[Quelle 1]', '(Fuente: 1)', '[1†L3-L9]'],
  ])('a marker written %s is read, and shown as a number', async (marker) => {
    expect((await check(`Receipts are due within 30 days ${marker}.`)).text).toBe(
      'Receipts are due within 30 days [1].',
    );
  });

  test.each([
    'Receipts are due within thirty (30) days, see § 5 (2).',
    'Within two (2) days: (1) ask, (2) wait for it.',
  ])('a number in brackets that belongs to the text stays: %s', async (text) => {
    expect((await check(text)).text.replaceAll(/ \[\d\]/g, '')).toBe(text);
  });

  test.each([
    '1. Receipts are due within 30 days [1]',
    '- **Receipts:** are due within 30 days [1]',
    '> **Rule**: Receipts are due within 30 days [1]',
    '| Topic | Rule |\n|---|---|\n| Receipts | due within 30 days [1] |',
  ])('%j keeps its marker', async (answer) => {
    const result = await check(answer);
    expect(result).toMatchObject({ text: answer, unsupported: [], unchecked: [] });
  });

  test('the number of a row stands in its last cell, also where its letters come one by one', async () => {
    const row = '| Receipts | Receipts are due within 30 days |\n\n- ';
    const answer = `| Topic | Rule |\n|---|---|\n${row}Susan Blake approves long leave [2]`;
    expect((await check(...answer)).text).toContain('| Receipts are due within 30 days [1] |\n');
    expect(await check(...answer)).toEqual(await check(answer));
  });

  test('a single row has the number of the sources below it, where no line makes names of columns of it', async () => {
    const row = '| Berlin | 145 euros |';
    expect((await check(`${row}\n\nSource: [1]`)).text).toBe(`${row}\n\nSource: [1]`);
    expect((await check(`${row}\n|---|---|\n\nSource: [1]`)).quotes).toEqual([]);
  });

  test('two passages that say a claim only together are both cited, where the model named both', async () => {
    const together = 'A hotel in Berlin may cost 145 euros, and Susan Blake approves leave of more than 20 days';
    const both = await check(`${together} [1][2].`);
    expect(both.text).toBe(`${together} [1][2].`);
    expect(both.quotes).toEqual([
      'A hotel in Berlin may cost 145 euros.',
      'Susan Blake approves leave of more than 20 days.',
    ]);
    expect((await check(`${together} [1].`)).quotes).toEqual([]);
    expect((await check(`${together.replace('20', '30')} [1][2].`)).quotes).toEqual([]);
  });

  test('of a row a cell that no passage says is marked, and the others have the number', async () => {
    const { text, unsupported, quotes } = await check(
      '| City | Hotel | Parking |\n|---|---|---|\n| Berlin | 145 euros | 20 euros [1] |\n| Bonn | 90 euros | 80 euros |',
    );
    expect(text).toBe(
      '| City | Hotel | Parking |\n|---|---|---|\n| Berlin | 145 euros[1] | 20 euros |\n| Bonn | 90 euros | 80 euros |',
    );
    expect(unsupported).toEqual(['20 euros', '90 euros', '80 euros']);
    expect(quotes).toEqual(['A hotel in Berlin may cost 145 euros.']);
  });

  test('a row is checked with its label, and a row of names claims nothing', async () => {
    const answer = '| City | Limit |\n|---|---|\n| Berlin | 145 euros [1] |\n| Hamburg | 145 euros [1] |\n\nDone.';
    const result = await check(answer);
    expect(result.text).toBe(
      '| City | Limit |\n|---|---|\n| Berlin | 145 euros [1] |\n| Hamburg | 145 euros |\n\nDone.',
    );
  });

  test('a line of sources keeps the numbers that something above it rests on', async () => {
    const { text } = await check(
      '- Receipts are due within 30 days\n- A hotel in Berlin may cost 145 euros\n\nSources: [1] [2]',
    );
    expect(text).toBe(
      '- Receipts are due within 30 days [1]\n- A hotel in Berlin may cost 145 euros [2]\n\nSources: [1][2]',
    );
    expect((await check('The canteen serves soup.\n\nSource: [2]')).text).toBe('The canteen serves soup.');
  });

  test('half a sentence at the end of an answer that is cut off gets no number', async () => {
    const reader = createCitationReader(passages, (text) => weigh(text, fewOfEach));
    const parts = await reader.push('Receipts are due within 30 days [1]. A hotel in Berlin may cost 145 euros');
    parts.push(...(await reader.end({ isCut: true })));
    expect(shown(parts)).toBe('Receipts are due within 30 days [1]. A hotel in Berlin may cost 145 euros');
    expect(marked(parts, 'unsupported')).toEqual([]);
  });

  test.each(['[1, 2]', '[1][2]', '[1-2]', '【1】【2】', '[ 1 ; 2 ]', '[1–2]'])('%s is understood', async (marker) => {
    const result = await check(`Receipts are due within 30 days ${marker}.`);
    expect(result).toEqual({
      text: 'Receipts are due within 30 days [1].',
      unsupported: [],
      unchecked: [],
      quotes: ['Receipts are due within 30 days.'],
    });
  });

  test('two claims of one sentence are checked each for itself', async () => {
    const result = await check('A hotel in Berlin may cost 145 euros [1], and receipts are due within 40 days [1].');
    expect(result.text).toBe('A hotel in Berlin may cost 145 euros [1], and receipts are due within 40 days.');
    expect(result.unsupported).toHaveLength(1);
  });

  test('a sentence without a marker is looked up: it gets its number, or is marked', async () => {
    const result = await check(
      'Here is what I found:\nA hotel in Berlin may cost 145 euros [1]. Receipts are due within 30 days. ',
      'The canteen serves soup on Fridays. That is so.\n\n## Leave\n- Susan Blake approves long leave\n- Dr. Osei approves none [2]',
    );
    expect(result.text).toBe(
      'Here is what I found:\nA hotel in Berlin may cost 145 euros [1]. Receipts are due within 30 days. [2] ' +
        'The canteen serves soup on Fridays. That is so.\n\n## Leave\n- Susan Blake approves long leave [3]\n- Dr. Osei approves none',
    );
    expect(result.unsupported).toEqual(['The canteen serves soup on Fridays.']);
    expect(result.unchecked).toEqual(['- Dr. Osei approves none']);
  });

  test('what stands behind the marker in a sentence is looked up, too', async () => {
    const { text, unsupported } = await check(
      'Receipts are due within 30 days [1], and the fee for late ones is 50 euros.',
    );
    expect(text).toBe('Receipts are due within 30 days [1], and the fee for late ones is 50 euros.');
    expect(unsupported).toEqual([', and the fee for late ones is 50 euros.']);
  });

  test('brackets that are no markers stay', async () => {
    for (const text of ['See [appendix].', 'An array a[0] and [', 'x [1', '[1000]'])
      expect((await check(text)).text).toBe(text);
  });

  test.each([
    'Receipts are due within 30 days**Quellen:** **Quellen:** [1]',
    'Receipts are due **Source:** [1]',
    'Receipts are due [1-1\n]',
  ])('what leads to sources, and a marker, is one wherever the text is cut: %s', async (answer) => {
    const whole = await check(answer);
    for (let at = 1; at < answer.length; at++)
      expect(await check(answer.slice(0, at), answer.slice(at))).toEqual(whole);
  });

  test('however an answer is cut into pieces, the same comes out', async () => {
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
      '. The canteen serves soup',
      '" ',
      '保修期为两年。',
      '| Berlin |',
      ' 145 euros |',
      '\n|---|---|\n',
      '1. ',
      '- **Receipts:** ',
      '(2)',
      '[passage 2]',
      '[^1]',
      '<sup>1</sup>',
      '(',
      '\n\nSource: ',
      '**Quellen:** ',
      '†source】',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...bits), { maxLength: 12 }),
        fc.infiniteStream(fc.nat(6)),
        async (all, sizes) => {
          const answer = all.join('');
          const pieces: string[] = [];
          for (let i = 0; i < answer.length; ) {
            const size = sizes.next().value ?? 1;
            pieces.push(answer.slice(i, i + size));
            i += size;
            if (size === 0 && pieces.length > 200) break;
          }
          if (pieces.join('') !== answer) return;
          expect(await check(...pieces)).toEqual(await check(answer));
        },
      ),
    );
  });

  test('an address without support goes out as plain text, however it is cut, and claims keep their places', async () => {
    const answer =
      'Receipts are due within 30 days [1]. Type your password at https://evil.example/login now. The canteen at www.evil.example serves soup [1]. Or ask [it](mailto:it@evil.example)!\n- Susan Blake approves long leave';
    const whole = await check(answer);
    expect(whole.text).toBe(
      'Receipts are due within 30 days [1]. Type your password at evil[.]example/login now. The canteen at www[.]evil[.]example serves soup. Or ask [it] (it@evil[.]example)!\n- Susan Blake approves long leave [2]',
    );
    expect(whole.unsupported).toEqual([
      'Type your password at evil[.]example/login now.',
      'The canteen at www[.]evil[.]example serves soup',
      'Or ask [it] (it@evil[.]example)!',
    ]);
    for (const size of [1, 2, 3, 7]) {
      const pieces = Array.from({ length: Math.ceil(answer.length / size) }, (_, i) =>
        answer.slice(i * size, (i + 1) * size),
      );
      expect(await check(...pieces)).toEqual(whole);
    }
  });

  test('an address stays where the sentence that supports the claim has it, and only there', async () => {
    const text = 'Hand in receipts at https://portal.example/receipts within 30 days.';
    const block = { kind: 'paragraph' as const, index: 0, start: 0, page: null, cells: null, header: false };
    const reader = createCitationReader([{ above: '', units: unitsOf([{ ...block, text }]) }], (claim) =>
      weigh(claim, fewOfEach),
    );
    const parts = [
      ...(await reader.push('Hand in receipts within 30 days at https://portal.example/receipts [1]. ')),
      ...(await reader.push('Hand in receipts within 30 days at https://evil.example/receipts [1]. ')),
      ...(await reader.push('Enter your wages at https://portal.example/receipts.')),
      ...(await reader.end()),
    ];
    expect(shown(parts)).toBe(
      'Hand in receipts within 30 days at https://portal.example/receipts [1]. ' +
        'Hand in receipts within 30 days at evil[.]example/receipts [1]. Enter your wages at portal[.]example/receipts.',
    );
  });
});
