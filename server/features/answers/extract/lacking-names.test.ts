import { expect, test } from 'vitest';
import { createCoverage } from '#server/features/retrieval/question/coverage.ts';
import { type RetrievedPassage, weigh } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import { fewOfEach } from '#server/testing/term-statistics.ts';
import { createNameCheck } from './lacking-names.ts';

/** How much each passage lacks of the names of a question; `about` is its document's name or first page. */
function lacking(text: string, ...passages: [about: string, text: string][]): number[] {
  const question = weigh(text, fewOfEach);
  const read = passages.map(([about, own]) => ({
    passage: {
      named: analyze(about),
      inDocument: analyze(`${about} ${own}`),
      text: own,
      headingPath: [],
      language: null,
    } as unknown as RetrievedPassage,
  }));
  const lacks = createNameCheck(question, text, read, createCoverage(question));
  return read.map(({ passage }) => lacks(passage));
}

const harbourline: [string, string] = ['Harbourline', 'Our quays: see www.harbourline.example.'];
const others: [string, string] = ['Quaynet report', 'Net sales were 12 million.'];

test('a passage of another document lacks a name that a document is about, unless the passage has it itself', () => {
  expect(
    lacking(
      'How many people did Harbourline employ?',
      ['Harbourline report', 'The quays.'],
      ['Quaynet report', 'We employed 466 people.'],
      ['Quaynet report', 'We bought Harbourline, which employed 12 people.'],
    ),
  ).toEqual([0, 1, 0]);
});

test('of two names each has one, and a name that no document is about tells nothing', () => {
  const documents: [string, string][] = [
    ['Harbourline report', 'The quays.'],
    ['Quaynet report', 'The nets.'],
  ];
  expect(lacking('How do Harbourline and Quaynet differ?', ...documents)).toEqual([0.5, 0.5]);
  expect(lacking('How many people live in Lisbon?', ...documents)).toEqual([0, 0]);
});

test('the first word is a name where the passages write it so within sentences, and never in small letters', () => {
  expect(lacking('Harbourline net sales', ['Harbourline report', 'The quays of Harbourline.'], others)).toEqual([0, 1]);
  expect(lacking('Harbourline net sales', ['Harbourline report', 'A harbourline of Harbourline.'], others)).toEqual([
    0, 0,
  ]);
  expect(lacking('Report net sales', ['Harbourline paper', 'Of this report.'], others)).toEqual([0, 0]);
});

test('so is a word that documents alone have which are about it, also where all is written small', () => {
  expect(lacking('Harbourline net sales', harbourline, others)).toEqual([0, 1]);
  expect(lacking('harbourline net sales', harbourline, others)).toEqual([0, 1]);
  expect(lacking('HARBOURLINE NET SALES', harbourline, others)).toEqual([0, 1]);
  const ofPossession: [string, string] = ['Quaynet report', "The year's net sales were 12 million."];
  expect(lacking("harbourline's net sales", harbourline, ofPossession)).toEqual([0, 1]);
});

test('a word is no name that is written small, that others have as well, or that all here are about', () => {
  const quays: [string, string] = ['Quays', 'Our quays.'];
  expect(lacking('quays and net sales', quays, others)).toEqual([0, 0]);
  expect(lacking('harbourline net sales', harbourline, ['Quaynet', 'Harbourline owes us.'])).toEqual([0, 0]);
  expect(lacking('harbourline net sales', harbourline, ['Harbourline', 'Net sales.'])).toEqual([0, 0]);
  // What all are about takes nothing from the name that tells them apart.
  expect(lacking('harbourline report', ['Harbourline report', 'Our quays.'], others)).toEqual([0, 1]);
  // Of the first word alone it is enough that it has a capital within a sentence.
  const buyer: [string, string] = ['Quaynet', 'We bought Harbourline.'];
  const third: [string, string] = ['Lisbon', 'Net sales.'];
  expect(lacking('harbourline net sales', harbourline, buyer, third)).toEqual([0, 0, 1]);
  expect(lacking('net sales of apple', ['Apple', 'Our quays.'], ['Quaynet', 'We bought Apple.'], third)).toEqual([
    0, 0, 0,
  ]);
  // That is no matter of words that English does not have.
  expect(lacking('net sales of harbourline', harbourline, buyer, third)).toEqual([0, 0, 1]);
  // A question that writes names as such says that this is none.
  expect(lacking('What are quaynet sales in Lisbon?', harbourline, ['Quaynet', 'Net.'])).toEqual([0, 0]);
});
