import { expect, test } from 'vitest';
import { answersIn, answerType } from './answer-type.ts';
import { readAsked } from './asked.ts';

function amounts(text: string, question: string): string[] {
  return answersIn(text, 'amount', readAsked(question)).map(({ start, end }) => text.slice(start, end));
}

test('the numbers of dates, pages and parts are no amounts', () => {
  const question = 'How many partners did the firm have?';
  expect(amounts('Report of the directors, 30 June 2022', question)).toEqual([]);
  expect(amounts('As of December 31, 2023, and on 12.06.2020 and 2020-06-12', question)).toEqual([]);
  expect(amounts('Highlights of the year, Page 11, see Note 12 and section 5.2', question)).toEqual([]);
  expect(amounts('On 30 June 2022 it had 62 partners', question)).toEqual(['62 partners']);
  expect(amounts('In May 5,000 came, and it may 10 times more', question)).toEqual(['5,000 came', '10 times']);
});

test('how long something goes on is told by a date as well', () => {
  expect(amounts('until 30 June 2022', 'How long does the contract last?')).toEqual(['30 June']);
});

test.each([
  'Why did sales fall?',
  'What drove the rise of the margin in 2021?',
  'What explains the lower tax rate of 2017?',
  'What made the profit of the segment fall in 2016?',
  'What were the main reasons for the higher costs?',
  'How come costs rose by 5 percent?',
  'What is the reason sales fell in 2020?',
  'What were the three main reasons for the loss?',
  'What was the main driver of growth?',
  'What was the main reason cash rose by 31 million in 2023?',
  'What brought the sales of tractors down in 2023?',
  'What pushed the costs up in 2023?',
])('%s asks for a reason', (question) => {
  expect(answerType(question)).toBe('reason');
});

test.each([
  'What made up the increase in other assets in 2020?',
  'What accounts for 40% of total assets?',
  'What contributed to other income in 2020?',
  'What are the drivers for the vans called?',
  'What sent sales, 2023?',
  'What is brought to the meeting?',
])('%s asks for none', (question) => {
  expect(answerType(question)).not.toBe('reason');
});

test('the end of a year is asked of amounts, too', () => {
  expect(answerType('What year-end cash was forecast?')).toBe('amount');
  expect(answerType('In what year was the mill built?')).toBe('date');
});

test('the number of a directive is no date', () => {
  const dates = (text: string) =>
    answersIn(text, 'date', readAsked('By when?')).map(({ start, end }) => text.slice(start, end));
  expect(dates('Directive 2018-23-51 applies, section 4')).toEqual([]);
  expect(dates('From 2018-12-31 on, in 2018-19, by May 4, 2020')).toEqual(['2018-12-31', '2018', 'May 4, 2020']);
});
