import { expect, test } from 'vitest';
import { namesIn, possibleNames, properNames } from './names.ts';
import { weigh } from './question.ts';

const statistics = {
  averageLength: 10,
  languages: [],
  abbreviations: [],
  has: () => false,
  like: () => [],
  idf: () => 1,
};

function names(text: string): string[] {
  return [...namesIn(text, weigh(text, statistics))].sort();
}

test('numbers and words with a capital are names, but for the first word', () => {
  expect(names('When did Anna sell 20 chairs?')).toEqual(['20', 'anna']);
});

test.each([
  ['lockheed martin employees in poland', ['lockh', 'poland']],
  ['LOCKHEED MARTIN EMPLOYEES IN POLAND', ['lockh', 'poland']],
  ['Nvidia revenue in the fourth quarter', ['nvidia']],
  ['Nvidia and its Markets in the last year', ['market', 'nvidia']],
  ["what was globex's revenue?", ['globex']],
  // The first word alone is written as all first words are.
  ['What does anna pay Globex for nvidia?', ['globex']],
  // Abbreviations are told by their capitals; other letters are in no English list.
  ['WMDE personnel costs', []],
  ['menu of the café and the mensä', []],
  // No English: most words are unknown.
  ['hundesteuer', []],
  ['dividendo pagado nvidia', []],
])('where the case says nothing, what is no English word is a name: %s: %j', (text, found) => {
  expect(names(text)).toEqual(found);
});

test('without spaces the words beside a number are no names', () => {
  expect(names('2006年的年假有多少天？')).toEqual(['2006']);
});

test.each([
  ['What does eBay pay, and what Acme?', ['eBay', 'Acme']],
  ['BYD inventories', ['BYD']],
  ['eBay buyers in June', ['eBay', 'June']],
  ['Harbourtown: fee for a dog', ['Harbourtown']],
  ["Acme's revenue in 2023", ["Acme's"]],
  ['What is the revenue of Acme?', ['Acme']],
  ['what is the revenue of globex?', ['globex']],
  // Abbreviations and numbers have capitals in any text.
  ['Net PP&E for General Mills in FY2016?', ['PP&E', 'General', 'Mills']],
  ['Travel Expense Policy for New Employees', []],
  ['What is the Travel Expense Policy?', []],
  ['A Guide to Expense Reports in SAP', []],
  ['GENERAL MILLS REVENUE IN 2016', []],
])('%s: %j are written as names', (text, written) => {
  expect(properNames(text, weigh(text, statistics)).map((each) => each.text)).toEqual(written);
});

test('the first word may be a name, and where the case tells nothing each word, but in German none', () => {
  const possible = (text: string) => possibleNames(text, weigh(text, statistics)).map((each) => each.text);
  expect(possible('Acme revenue of Europe in 2023')).toEqual(['Acme']);
  expect(possible('acme revenue in 2023')).toEqual(['acme', 'revenue']);
  expect(possible('ACME REVENUE IN 2023')).toEqual(['ACME', 'REVENUE']);
  expect(possible('Umsatz der Firma Acme im Jahr 2023')).toEqual([]);
});
