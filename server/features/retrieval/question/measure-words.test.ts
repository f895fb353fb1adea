import { expect, test } from 'vitest';
import { analyze } from '#server/lib/analyze.ts';
import { measureWords } from './measure-words.ts';

test.each([
  ['How high was the fee?', 'high'],
  ['how often are backups made', 'often'],
  ['And how early is the plan published?', 'early'],
  ['Tell me how high the fee is', 'high'],
  ['Meetings: how often?', 'often'],
  ['Wie hoch ist die Gebühr?', 'hoch'],
])('%s only asks for a measure by "%s"', (question, word) => {
  expect([...measureWords(question)]).toEqual(analyze(word));
});

test.each([
  'What is the high season?',
  'How satisfied are they?',
  'How late payments are treated',
  'How high is the high voltage line?',
  'Somehow high fees',
  'Show old entries',
])('%s says no such word', (question) => {
  expect(measureWords(question).size).toBe(0);
});
