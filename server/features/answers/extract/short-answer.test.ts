import { expect, test } from 'vitest';
import { readAsked } from '#server/features/retrieval/question/asked.ts';
import { shortAnswer } from './short-answer.ts';
import type { Unit } from './unit.ts';

function unit(text: string, row?: Unit['row']): Unit {
  return { text, block: 0, start: 0, end: text.length, page: null, heading: '', ...(row && { row }) };
}

function answerIn(of: Unit, question: string, before?: string): string | null {
  const found = shortAnswer(of, readAsked(question), before === undefined ? undefined : readAsked(before));
  return found && of.text.slice(found.start, found.end);
}

test.each([
  ['Within how many days are receipts due?', 'Receipts are due within 30 days.', '30 days'],
  ['When was the plant in Ulm opened?', 'The plant in Ulm was opened on 3 March 1984.', '3 March 1984'],
  ['Who approves long leave?', 'Leave of more than 20 days is approved by Susan Blake.', 'Susan Blake'],
  ['Wann verfällt Resturlaub?', 'Er verfällt am 31. März.', '31. März'],
  ['Wie viel kostet das Schließfach?', 'Das Schließfach kostet 12,50 Euro.', '12,50 Euro'],
  ['公司是什么时候成立的？', '公司成立于1984年3月。', '1984年3月'],
  ['How much was paid in 2019?', 'In 2019, $1,452.4 was paid.', '$1,452.4'],
])('%s', (question, text, answer) => {
  expect(answerIn(unit(text), question)).toBe(answer);
});

test.each([
  ['How much may a hotel cost?', 'It may cost 145 euros in Berlin and 120 euros in Ulm.'],
  ['How much may a hotel in room 12 cost?', 'A hotel in room 12 may cost little.'],
  ['What is a receipt?', 'A receipt of 3 March 1984 is old.'],
])('where it is not clear, there is none: %s', (question, text) => {
  expect(answerIn(unit(text), question)).toBeNull();
});

test('of a row it is the cell in the column that is asked for, or the only one', () => {
  const limits = unit('Berlin | 145 euros | 120 euros', {
    header: ['City', 'Limit 2019', 'Limit 2018'],
    cells: ['Berlin', '145 euros', '120 euros'],
  });
  expect(answerIn(limits, 'What was the limit for Berlin in 2018?')).toBe('120 euros');
  expect(answerIn(limits, 'What was the limit for Berlin in 2017?')).toBeNull();
  expect(answerIn(unit('Ulm | 95', { header: null, cells: ['Ulm', '95'] }), 'limit Ulm')).toBe('95');
  expect(answerIn(unit('95 | 95', { header: null, cells: ['95', '95'] }), 'limit 95')).toBe('95');
});

test('of columns that all have the year of the question, it is in the one of its month', () => {
  const header = ['Expenses', 'Jun 2024', 'May 2024', '2024 (YTD)'];
  const row = unit('Audio | 33,190 | 0 | 59,642', { header, cells: ['Audio', '33,190', '0', '59,642'] });
  expect(answerIn(row, 'Audio spend for the month of June 2024')).toBe('33,190');
  expect(answerIn(row, 'What was spent on audio in May 2024?')).toBe('0');
  expect(answerIn(row, 'What was spent on audio in 2024?')).toBeNull();
  const toDate = unit('Audio | 59,642 | 69,399', {
    header: ['', '2024 (YTD)', 'Budget'],
    cells: ['Audio', '59,642', '69,399'],
  });
  expect(answerIn(toDate, 'What was spent on audio in June 2024?')).toBeNull();
  expect(answerIn(toDate, 'What was spent on audio in 2024?')).toBe('59,642');
});

test('a question that goes on from one before asks for the same column, of the row that it names', () => {
  const header = ['City', 'Hotel limit per night', 'Country'];
  const zurich = unit('Zürich | 210 francs | Switzerland', { header, cells: ['Zürich', '210 francs', 'Switzerland'] });
  const before = 'How much is the hotel limit in Berlin?';
  expect(answerIn(zurich, 'and in Zürich?')).toBeNull();
  expect(answerIn(zurich, 'and in Zürich?', before)).toBe('210 francs');
  expect(answerIn(zurich, 'and the country of Zürich?', before)).toBe('Switzerland');
  expect(answerIn(zurich, 'and who said so in Zürich?', before)).toBeNull();
  expect(answerIn(zurich, 'and in Vienna?', before)).toBeNull();
});
