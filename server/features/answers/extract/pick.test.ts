import { expect, test } from 'vitest';
import type { RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import { rate } from './extract.ts';
import { pick } from './pick.ts';
import type { Unit } from './unit.ts';
import type { UnitSignals, Weighed } from './unit-signals.ts';
import { fittedWeights } from './weights.ts';

const nothing = Object.fromEntries(Object.keys(fittedWeights.units).map((name) => [name, 0]));

function passage(documentId: string): RetrievedPassage {
  return {
    chunkId: documentId,
    documentId,
    version: 1,
    uploadedAt: new Date('2024-01-01'),
    name: documentId,
    headingPath: [],
    text: '',
    start: 0,
    end: 0,
    firstBlock: 0,
    lastBlock: 0,
    page: null,
    lastPage: null,
    language: 'en',
    score: 10,
    wordScore: 10,
    coverage: 1,
    editions: [],
    named: [],
    inDocument: [],
  };
}

/** What may be quoted, with a score of its own in place of the sum of its signals. */
type Scored = Weighed & { score: number };

function scored(from: RetrievedPassage, text: string, score: number, signals: Partial<UnitSignals>): Scored {
  const cells = text.split(' | ');
  const row = cells.length > 1 ? { header: null, cells } : undefined;
  const unit: Unit = { text, block: 0, start: 0, end: text.length, page: null, heading: '', ...(row && { row }) };
  return {
    passage: from,
    unit,
    score,
    signals: { ...(nothing as unknown as UnitSignals), ...(row && { row: 1, amount: 1 }), ...signals },
    terms: new Set(text.toLowerCase().match(/\p{L}+/gu)),
  };
}

function shown(all: Scored[], question: string): string[] {
  const rated = rate({ units: all }, fittedWeights.units).map((each, i) => ({ ...each, score: all[i]?.score ?? 0 }));
  const weights = new Map((question.toLowerCase().match(/\p{L}+/gu) ?? []).map((term) => [term, 1]));
  return pick(rated, { weights, saidBefore: new Map() }, question)
    .filter(({ isSupporting }) => !isSupporting)
    .map(({ unit }) => unit.text);
}

const [own, other] = [passage('own'), passage('other')];

test('where amounts are worked out, the other row of the same table goes before rows of other documents', () => {
  const all = [
    scored(own, 'Capital leases | 50', 9, { labelled: 1 }),
    scored(other, 'Capital leases | 65 | 27', 8.8, { labelled: 1 }),
    scored(passage('third'), 'Capital leases of ships | 12', 8.7, { labelled: 1 }),
    scored(own, 'Total | 8,031', 4.6, { labelled: 1 }),
  ];
  expect(shown(all, 'What is the percentage of capital leases in the total?').slice(0, 2)).toEqual([
    'Capital leases | 50',
    'Total | 8,031',
  ]);
});

test('a sentence is shown beside a row that is named as a whole as it is beside another', () => {
  const sentence = 'The rent of the hall was paid twice';
  const all = (named: number) => [
    scored(own, 'Rent | 900', 10 + fittedWeights.units.named * named, { labelled: 1, named }),
    scored(other, sentence, 6.5, {}),
  ];
  for (const named of [0, 1]) expect(shown(all(named), 'What was the rent?')).toContain(sentence);
});

test('where two pages are about as likely, the best line of each is shown', () => {
  const onPage = (page: number, text: string, score: number): Scored => {
    const each = scored(own, text, score, {});
    return { ...each, unit: { ...each.unit, page } };
  };
  const [best, second] = ['Leave is twenty days', 'Holidays are for everybody'];
  const asked = 'How long is the leave?';
  expect(shown([onPage(1, best, 9), onPage(2, second, 8.7)], asked)).toEqual([best, second]);
  expect(shown([onPage(1, best, 9), onPage(2, second, 8.5)], asked)).toEqual([best]);
  expect(shown([onPage(1, best, 9), onPage(2, 'Leave | 20', 8.7)], asked)).toEqual([best]);
  // Two more lines of the first page make it likelier than the second.
  const more = [onPage(1, 'Leave is paid', 8.9), onPage(1, 'Leave ends in March', 8.9)];
  expect(shown([onPage(1, best, 9), ...more, onPage(2, second, 8.7)], asked)).not.toContain(second);
});
