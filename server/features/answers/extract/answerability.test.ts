import { expect, test } from 'vitest';
import { createCoverage } from '#server/features/retrieval/question/coverage.ts';
import type { Question, RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import { type AnswerabilitySignals, answerabilitySignals } from './answerability.ts';
import { supportOf } from './extract.ts';
import type { Rated, UnitSignals } from './unit-signals.ts';
import { fittedWeights } from './weights.ts';

const asked = 'acme report depreciation december';
const weights = new Map(analyze(asked, 'en').map((term) => [term, 1]));
const question: Question = {
  weights,
  total: weights.size,
  language: 'en',
  pairs: [],
  asksNumber: false,
  standIns: new Map(),
  elsewhere: new Map(),
  similar: new Map(),
  names: new Set(),
  opening: [],
  saidBefore: new Map(),
};
const nothing = Object.fromEntries(Object.keys(fittedWeights.units).map((name) => [name, 0])) as unknown as UnitSignals;

function onPage(text: string, name: string, header: string[] | null = null): number {
  return signalsOf(text, name, header).onPage;
}

function signalsOf(
  text: string,
  name: string,
  header: string[] | null = null,
  signals: Partial<UnitSignals> = {},
  questionText = asked,
  wordScore = 10,
) {
  const rated = ratedAs({ ...passageOf(text, name), wordScore }, 1, signals, header);
  return signalsOfRated([rated], questionText);
}

function signalsOfRated(rated: Rated[], questionText = asked) {
  const passages = rated.map(({ passage }) => passage);
  return answerabilitySignals(question, questionText, passages, rated, createCoverage(question));
}

function ratedAs(
  passage: RetrievedPassage,
  score: number,
  signals: Partial<UnitSignals> = {},
  header: string[] | null = null,
): Rated {
  const { text } = passage;
  const unit = { text, block: 0, start: 0, end: text.length, page: 1, heading: '', row: { header, cells: [text] } };
  return { passage, unit, signals: { ...nothing, ...signals }, terms: new Set(), score, gainOfName: 0 };
}

function passageOf(text: string, name = ''): RetrievedPassage {
  const named = analyze(name, 'en');
  return {
    chunkId: 'chunk',
    documentId: 'document',
    version: 1,
    uploadedAt: new Date('2024-01-01'),
    name: 'acme',
    headingPath: [],
    text,
    start: 0,
    end: text.length,
    firstBlock: 0,
    lastBlock: 0,
    page: 1,
    lastPage: 1,
    language: 'en',
    score: 10,
    wordScore: 10,
    coverage: 1,
    editions: [],
    named,
    inDocument: named,
  };
}

test('of the words that do not name the document, so much stands where the best quote does, or over it', () => {
  expect(onPage('Depreciation in December', 'acme report')).toBe(1);
  expect(onPage('Expenses in December', 'acme report')).toBe(0.5);
  expect(onPage('Depreciation', 'acme report', ['December'])).toBe(1);
  // "acme" is the file's name, and counts as its passage's.
  expect(onPage('Expenses', '')).toBe(0.25);
});

test('a question that only names a document lacks nothing', () => {
  expect(onPage('Expenses', asked)).toBe(1);
});

test('a word that names the document tells something where the quote says it as well', () => {
  const { telling, onPage: share } = signalsOf('Depreciation in December', 'acme report');
  expect([share, telling]).toEqual([1, Math.log(3)]);
  // All that a document of one page says names it.
  expect(signalsOf('Depreciation', asked)).toMatchObject({ onPage: 1, telling: Math.log(2) });
  expect(signalsOf('Depreciation', 'depreciation')).toMatchObject({ onPage: 0.5, telling: Math.log(5) });
  expect(signalsOf('Expenses', asked)).toMatchObject({ telling: 0 });
});

test('the best quote is clear as far as it is likelier than all others together', () => {
  const clear = (...scores: number[]) => {
    const [first, ...others] = scores.map((score) => ratedAs(passageOf('Depreciation'), score));
    return first && signalsOfRated([first, ...others]).clear;
  };
  expect(clear(1)).toBe(1);
  expect(clear(1, 1, 1, 1)).toBeCloseTo(0.25);
  expect(clear(3, 0)).toBeCloseTo(Math.exp(3) / (Math.exp(3) + 1));
});

test('a month of another year, or another quarter, is as much of another year as can be, and another name is told where it is all another', () => {
  const of = (signals: Partial<UnitSignals>) => signalsOf('Depreciation in December', 'acme report', null, signals);
  expect(of({ year: 1 })).toMatchObject({ otherYear: 0, otherName: 0 });
  expect(of({ year: 1, otherMonth: 1 })).toMatchObject({ otherYear: 1 });
  // A quarter may be asked for without a year.
  expect(of({ otherQuarter: 1 })).toMatchObject({ otherYear: 1 });
  expect(of({})).toMatchObject({ otherYear: 0 });
  expect(of({ otherName: 1 })).toMatchObject({ otherName: 1 });
  expect(of({ otherName: 0.5 })).toMatchObject({ otherName: 0 });
});

test('a row of another day or thing is another record, and of a sheet also one of another year', () => {
  const of = (signals: Partial<UnitSignals>, page: number | null = null) => {
    const rated = ratedAs(passageOf('Depreciation in December'), 1, signals);
    return signalsOfRated([{ ...rated, unit: { ...rated.unit, page } }]).otherRecord;
  };
  expect([of({ otherDay: 1 }), of({ otherMark: 1 }), of({ otherYear: 1 })]).toEqual([1, 1, 1]);
  // A report's table may have its year above it, as has a sheet whose file is named by it.
  expect([of({}), of({ otherYear: 1 }, 3), of({ otherYear: 1, edition: 1 })]).toEqual([0, 0, 0]);
});

test('a score is poor as far as it is below that of a passage with most of the words', () => {
  const of = (wordScore: number) => signalsOf('Depreciation', 'acme report', null, {}, asked, wordScore);
  expect(of(10)).toMatchObject({ score: 0, poorScore: 0 });
  expect(of(10 * Math.exp(-0.5)).poorScore).toBeCloseTo(0);
  expect(of(10 * Math.exp(-1.5)).poorScore).toBeCloseTo(-1);
});

test('a count is lacking where the best quote has none of what is counted, and one is asked for', () => {
  const lacks = (counted: number, questionText: string) =>
    signalsOf('Depreciation in December', 'acme report', null, { counted }, questionText).lacksCount;
  expect(lacks(0, 'How many reports of acme are of December?')).toBe(1);
  expect(lacks(1, 'How many reports of acme are of December?')).toBe(0);
  expect(lacks(0, 'Which reports of acme are of December?')).toBe(0);
  expect(lacks(0, 'How many people work there?')).toBe(0);
});

test('on pages, where much is about the same, the score of a passage says nothing, and how many of the words it has all', () => {
  const none = Object.fromEntries(Object.keys(fittedWeights.answerability).map((name) => [name, 0]));
  const support = (hasPages: boolean, signals: Partial<AnswerabilitySignals> = {}) => {
    const answerability = () => ({ ...none, ...signals }) as unknown as AnswerabilitySignals;
    return supportOf({ units: [], answerability, start: 'light', hasPages }, fittedWeights);
  };
  const gain = (hasPages: boolean, signals: Partial<AnswerabilitySignals>) =>
    support(hasPages, signals) - support(hasPages);
  const found = { score: 1, weight: Math.log(20) };
  expect(gain(false, found)).toBeGreaterThan(4);
  expect(gain(true, found)).toBe(0);
  const clear = { onPage: 1, telling: Math.log(4), clear: 0.5 };
  expect(support(true, clear)).toBeGreaterThan(0);
  for (const less of [{ onPage: 0.3 }, { telling: 0 }, { clear: 0.01, telling: Math.log(2) }])
    expect(support(true, { ...clear, ...less })).toBeLessThan(0);
  expect(gain(true, { lacksCount: 1 })).toBeGreaterThan(gain(false, { lacksCount: 1 }));
  expect(gain(true, { absentNames: 1 })).toBe(gain(false, { absentNames: 1 }));
});
