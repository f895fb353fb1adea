import { expect, test } from 'vitest';
import { foreseenCheck } from './foreseen.ts';
import { askedTime } from './time-fit.ts';
import type { Unit } from './unit.ts';

test.each([
  ["What was Acme's backlog of orders in total on December 31, 2022?", true],
  ['Acme net sales FY22', true],
  ['How high were the costs of Acme in 2021?', false],
  ['How high were the costs of Acme in 2021 and 2022?', false],
])('%s: a report of 2021 was written before that: %s', (question, isForeseen) => {
  expect(foreseenCheck(question)?.(['2021'])).toBe(isForeseen);
});

test('a document that says nothing of its year may be of any, and one of several years of the last', () => {
  const check = foreseenCheck('Acme net sales 2022');
  expect(check?.([])).toBe(false);
  expect(check?.(['2021', '2022'])).toBe(false);
  // It names the year in which the firm was founded.
  expect(check?.(['1987'])).toBe(false);
  expect(foreseenCheck('Acme net sales 2022 and 2020')?.(['2021'])).toBe(false);
});

test.each([
  'What does Acme expect its costs to be in 2022?',
  'How many days of leave are there in 2022?',
  'What was the membership fee of 2022?',
  'Wie hoch ist der Mindestlohn 2022?',
  'How much of the debt was due in 2022?',
  'Who led Acme in 2022?',
  'How much did Acme sell?',
  'Ticket cost 2022',
  'Wie viel kostet der Eintritt 2022?',
  'Wie viel Umsatz ist 2022 geplant?',
  'How high were the costs of Acme from 2021 to 2022?',
])('%s: what documents say of the time after them may be the answer', (question) => {
  expect(foreseenCheck(question)).toBeNull();
});

test('what is expected of a year is not of it', () => {
  const text = 'We expect to close 20 stores in 2022.';
  const unit: Unit = { text, block: 0, start: 0, end: text.length, page: 1, heading: '' };
  const passage = { name: 'Report', headingPath: [], editions: ['2021'], inDocument: [] };
  const fitOf = (question: string, editions = ['2021']) => askedTime(question)(unit, { ...passage, editions });
  expect(fitOf('How many stores did Acme close in 2022?')).toMatchObject({ year: 0, otherYear: 1 });
  expect(fitOf('How many stores did Acme close in 2022?', ['2022'])).toMatchObject({ year: 1, otherYear: 0 });
  expect(fitOf('How many stores is Acme to close in 2022?')).toMatchObject({ year: 1, otherYear: 0 });
  // Without a year of its own it is as before.
  const other = { ...unit, text: 'We closed 20 stores.' };
  const asked = askedTime('How many stores did Acme close in 2022?');
  expect(asked(other, { ...passage, editions: ['2021'] })).toMatchObject({ year: 0, otherYear: 0 });
});
