import { expect, test } from 'vitest';
import { createCoverage } from '#server/features/retrieval/question/coverage.ts';
import { type RetrievedPassage, weigh } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import { fewOfEach } from '#server/testing/term-statistics.ts';
import type { Unit } from './unit.ts';
import { weighUnits } from './unit-signals.ts';

/** What speaks for each line of a report on one firm, by its page; a line with bars is a row. */
async function signals(text: string, lines: [page: number | null, text: string][], about = 'Kestrel Paper Mills') {
  const question = weigh(text, fewOfEach);
  const passages = lines.map(([page, own]) => {
    const cells = own.split(' | ');
    const unit: Unit = { text: own, block: 0, start: 0, end: own.length, page, heading: '' };
    if (cells.length > 1) unit.row = { header: null, cells };
    const passage = { documentId: 'report', name: 'Report', headingPath: [], text: own, language: 'en', score: 10 };
    const known = { ...passage, page, named: analyze(about), editions: [], inDocument: [] };
    return { passage: known as unknown as RetrievedPassage, units: [unit] };
  });
  const weighed = await weighUnits(question, text, passages, createCoverage(question));
  return weighed.map(({ signals: own }) => own);
}

test('the name of what a report is about speaks for none of its lines more than for others', async () => {
  const question = 'Where does the office of Kestrel Paper Mills stand?';
  const said = 'The office of Kestrel Paper Mills stands in Lisbon.';
  const [naming, other] = await signals(question, [
    [3, said],
    [5, 'The office stands in Lisbon.'],
  ]);
  expect(other).toMatchObject({ words: naming?.words, exact: naming?.exact });
});

test('it does in a document without pages, and where the document is about something else', async () => {
  const question = 'Where does the office of Kestrel Paper Mills stand?';
  const lines = ['The office of Kestrel Paper Mills stands in Lisbon.', 'The office stands in Lisbon.'];
  const [naming, other] = await signals(question, [
    [null, lines[0] ?? ''],
    [null, lines[1] ?? ''],
  ]);
  expect(other?.words).toBeLessThan(naming?.words ?? 0);
  const [named, unnamed] = await signals(
    question,
    [
      [3, lines[0] ?? ''],
      [5, lines[1] ?? ''],
    ],
    'Harbourline',
  );
  expect(unnamed?.words).toBeLessThan(named?.words ?? 0);
});

test('the largest of equal rows is the one of the whole where an amount is asked for, and else says nothing', async () => {
  const rows: [number, string][] = [
    [4, 'Fees of the board | 2,400'],
    [9, 'Fees of the board | 36,875'],
  ];
  const largest = async (question: string) => (await signals(question, rows)).map((each) => each.largest);
  expect(await largest('How much are the fees of the board?')).toEqual([0, 1]);
  expect(await largest('Who gets the fees of the board?')).toEqual([0, 0]);
});

test('a number of what is counted is told from other numbers, where one is asked for', async () => {
  const lines: [number, string][] = [
    [2, 'The office may make up to 94 awards.'],
    [3, 'The office moved to 12 rooms by the old harbour, where awards are made.'],
    [4, 'Awards of the office | 94'],
  ];
  const counted = async (question: string) => (await signals(question, lines)).map((each) => each.counted);
  expect(await counted('How many awards does the office expect to make?')).toEqual([1, 0, 1]);
  expect(await counted('Which awards does the office expect to make?')).toEqual([0, 0, 0]);
});

test('a row of figures gives no reason and no place, a row with words may', async () => {
  const lines: [number, string][] = [
    [2, 'Gross margin | 48 % | 45 %'],
    [2, 'Sales | USD 400 | $ 3.8 million'],
    [2, '毛利率 | 涨价'],
    [2, 'Gross margin | richer mix of products | 3 points'],
    [2, 'The gross margin rose to 48% since the mix was richer.'],
  ];
  const onlyFigures = async (question: string) => (await signals(question, lines)).map((each) => each.onlyFigures);
  expect(await onlyFigures('What drove the gross margin in 2021?')).toEqual([1, 1, 0, 0, 0]);
  expect(await onlyFigures('How high was the gross margin in 2021?')).toEqual([0, 0, 0, 0, 0]);
  // Behind a label that is asked for no place stands; another label may be one.
  expect(await onlyFigures('Where is the gross margin made?')).toEqual([1, 0, 0, 0, 0]);
  expect(await onlyFigures('Who told of the gross margin?')).toEqual([1, 0, 0, 0, 0]);
});
