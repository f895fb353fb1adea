import { expect, test } from 'vitest';
import { createCoverage } from '#server/features/retrieval/question/coverage.ts';
import type { Question, RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import { type AnswerabilitySignals, answerabilitySignals } from './answerability.ts';
import { supportOf } from './extract.ts';
import type { UnitSignals } from './unit-signals.ts';
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
  const named = analyze(name, 'en');
  const passage: RetrievedPassage = {
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
    wordScore,
    coverage: 1,
    editions: [],
    named,
    inDocument: named,
  };
  const unit = { text, block: 0, start: 0, end: text.length, page: 1, heading: '', row: { header, cells: [text] } };
  const rated = [
    { passage, unit, signals: { ...nothing, ...signals }, terms: new Set<string>(), score: 1, gainOfName: 0 },
  ];
  return answerabilitySignals(question, questionText, [passage], rated, createCoverage(question));
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

test('a month of another year is as much of another year as can be, and another name is told where it is all another', () => {
  const of = (signals: Partial<UnitSignals>) => signalsOf('Depreciation in December', 'acme report', null, signals);
  expect(of({ year: 1 })).toMatchObject({ otherYear: 0, otherName: 0 });
  expect(of({ year: 1, otherMonth: 1 })).toMatchObject({ otherYear: 1 });
  expect(of({ otherName: 1 })).toMatchObject({ otherName: 1 });
  expect(of({ otherName: 0.5 })).toMatchObject({ otherName: 0 });
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

test('on pages, where much is about the same, a passage that has the words says less, and less is answered', () => {
  const none = Object.fromEntries(Object.keys(fittedWeights.answerability).map((name) => [name, 0]));
  const support = (hasPages: boolean, signals: Partial<AnswerabilitySignals> = {}) => {
    const answerability = () => ({ ...none, ...signals }) as unknown as AnswerabilitySignals;
    return supportOf({ units: [], answerability, start: 'light', hasPages }, fittedWeights);
  };
  const gain = (hasPages: boolean, signals: Partial<AnswerabilitySignals>) =>
    support(hasPages, signals) - support(hasPages);
  expect(support(true)).toBeLessThan(support(false) - 1);
  expect(gain(true, { score: 1 })).toBeLessThan(gain(false, { score: 1 }) / 3);
  expect(gain(true, { score: 1 })).toBeGreaterThan(0);
  // A passage with few of the words says as much as elsewhere.
  const fewer = { score: -1, poorScore: -1 };
  expect(gain(true, fewer)).toBeCloseTo(gain(false, fewer));
  expect(gain(true, { lacksCount: 1 })).toBeGreaterThan(gain(false, { lacksCount: 1 }));
  expect(gain(true, { absentNames: 1 })).toBe(gain(false, { absentNames: 1 }));
});
