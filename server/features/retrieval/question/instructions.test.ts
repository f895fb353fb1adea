import { expect, test } from 'vitest';
import { partInstructions } from './instructions.ts';

test('roles, forms of the answer and units are left out of what is asked', () => {
  const asked: [string, string][] = [
    [
      'What is the FY2018 capital expenditure (in USD millions) for 3M? Give a response by relying on the cash flow statement.',
      'What is the FY2018 capital expenditure for 3M?',
    ],
    [
      'Assume that you are a public equities analyst. Answer the following question by using the balance sheet: what is net PP&E? Answer in USD billions.',
      'what is net PP&E, how much?',
    ],
    ['You are an expert. What is our refund policy?', 'What is our refund policy?'],
    ['Please answer in one sentence: who is the CEO?', 'who is the CEO?'],
    ['As an experienced accountant, what was revenue in 2019?', 'what was revenue in 2019?'],
    ['Value of coal exports in 2013, in millions', 'Value of coal exports in 2013'],
    ['What were sales at the end of 2019? USD millions.', 'What were sales at the end of 2019?'],
    ['What were sales in 2019 (USD millions)?', 'What were sales in 2019?'],
    ['What were sales in 2019? Figures in $ millions.', 'What were sales in 2019?'],
    ['What were sales in 2019 (all amounts are in thousands)?', 'What were sales in 2019?'],
    ['Which figures in millions does the report have?', 'Which figures does the report have?'],
    ['What were sales in 2019? (dollars in thousands)', 'What were sales in 2019?'],
    ['What were sales in 2019, $ thousands please?', 'What were sales in 2019?'],
    ["Give me Acme's sales of 2019 in USD millions.", "Give me Acme's sales of 2019."],
    ['According to the cash flow statement, what was paid in 2019?', 'what was paid in 2019?'],
    ['What was paid in 2019, as shown in the consolidated balance sheet?', 'What was paid in 2019?'],
    ['Interest paid in 2019 - take it from the income statement', 'Interest paid in 2019'],
    // What a statement is asked of is no place to look it up.
    ...[
      'Who signed the balance sheet?',
      'Which leases are excluded from the balance sheet?',
      'Is the covenant tested based on the balance sheet or the income statement?',
      'How do I reconcile net income from the income statement to the cash flow statement?',
      'Rent per balance sheet date',
      'Who signs off using the balance sheet?',
      'Who is responsible according to the income statement policy?',
      // A unit in the middle of a sentence.
      'What is the loan, USD millions, secured by?',
    ].map((whole): [string, string] => [whole, whole]),
    ['Was the goodwill impaired in 2020? Answer in USD millions.', 'Was the goodwill impaired in 2020?'],
    ['Which firm has the largest goodwill, in USD millions?', 'Which firm has the largest goodwill?'],
    ['What does EBIT mean? Round to two decimals.', 'What does EBIT mean?'],
    // Words of another language would make it one of that.
    ['Vorräte der Acme AG zum 31. Dezember 2020 in EUR mn?', 'Vorräte der Acme AG zum 31. Dezember 2020?'],
    ['What does the annual report of 2019 say on coal?', 'What does the annual report of 2019 on coal?'],
    ['Is it paid in USD or EUR?', 'Is it paid in USD or EUR?'],
    ['How many millions were paid?', 'How many millions were paid?'],
    ['What does the policy say about flights?', 'What does the policy about flights?'],
    ['Was sagt die Richtlinie über Flüge?', 'Was die Richtlinie über Flüge?'],
    ['What does the policy state about flights?', 'What does the policy about flights?'],
    ['Who said that about flights?', 'Who said that about flights?'],
    ...['What is the policy of the United States on tariffs?', 'What was the number of mentions on social media?'].map(
      (whole): [string, string] => [whole, whole],
    ),
  ];
  for (const [question, rest] of asked) expect(partInstructions(question).asked, question).toBe(rest);
});

test('places that an instruction names are kept beside the question', () => {
  const { instructions } = partInstructions('What is the margin? Answer the question with the income statement.');
  expect(instructions).toContain('income statement');
});

test('who says in what unit asks for an amount', () => {
  expect(partInstructions('Acme short-term investments on 31 Dec 2020, in USD millions?').asked).toBe(
    'Acme short-term investments on 31 Dec 2020, how much?',
  );
  expect(partInstructions('Net PP&E of Acme? Answer in USD millions.').asked).toBe('Net PP&E of Acme, how much?');
  expect(partInstructions('Acme inventories at year end 2014, in USD millions?').asked).toContain('how much?');
  expect(partInstructions('Vorräte der Acme AG 2014 (USD millions)').asked).not.toContain('how much');
  expect(partInstructions('Explain the change of inventories, in USD millions.').asked).not.toContain('how much');
  expect(partInstructions('Net PP&E of Acme, rounded to two decimals?').asked).not.toContain('how much');
});

test('the statement to look at is no word of the question, and kept beside it', () => {
  const { instructions } = partInstructions('What was paid in 2019, according to the cash flow statement?');
  expect(instructions).toBe('according to the cash flow statement');
});

test('questions without instructions are asked whole', () => {
  const questions = [
    'How do I answer a customer complaint?',
    'Give me the travel policy',
    'Who reports to the board in 2024?',
    'Answer in German.',
    'Write to the landlord: how long is the notice?',
    // That something is said is asked for itself.
    'Who said about the pier that it leaks?',
    'Who was head of state regarding the treaty?',
  ];
  for (const question of questions) expect(partInstructions(question).asked, question).toBe(question);
});
