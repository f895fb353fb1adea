import { expect, test } from 'vitest';
import { readAsked } from '#server/features/retrieval/question/asked.ts';
import { askedColumns, shownColumns } from './asked-columns.ts';

const header = ['No', 'First Name', 'Last Name', 'Company', 'City', 'Email', 'Phone', 'Joined on', 'Plan'];
const cells = ['7', 'Ines', 'Falk', 'Nordia', 'Ulm', 'ines@nordia.example', '555 0101', '2024-03-09', 'Large'];
const row = { header, cells };

test.each([
  ['What is the e-mail of Ines Falk?', ['Email']],
  ['In which city is Nordia?', ['City']],
  ['What plan does Ines Falk have?', ['Plan']],
  ['When did Ines Falk become a customer?', ['Joined on']],
  ['What about Ines Falk?', []],
])('%s asks for %j', (question, names) => {
  expect(askedColumns(row, readAsked(question)).map((column) => header[column])).toEqual(names);
});

test('of a wide row the cells that the question says are shown, and what is asked for', () => {
  const shown = (question: string) => shownColumns(row, readAsked(question))?.map((column) => cells[column]);
  expect(shown('What is the phone number of Ines Falk?')).toEqual(['Ines', 'Falk', '555 0101']);
  expect(shown('Who joined on 9 March 2024, and from which company?')).toEqual(['Nordia', '2024-03-09']);
  expect(shown('Anything else?')).toEqual(cells.slice(0, 8));
});

test('of a row with few cells all are shown', () => {
  const few = { header: header.slice(0, 4), cells: cells.slice(0, 4) };
  expect(shownColumns(few, readAsked('Which company?'))).toBeUndefined();
});
