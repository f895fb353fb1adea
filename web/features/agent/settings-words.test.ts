import { expect, test } from 'vitest';
import { usualAgent } from '#contract/agent.ts';
import { changedText, differ, exampleLines, tidy } from './settings-words.ts';

test('blanks and empty lines change nothing, words and the order of languages do', () => {
  expect(differ(usualAgent, { ...usualAgent, name: ' ', examples: ['', ' '] })).toBe(false);
  expect(differ(usualAgent, { ...usualAgent, greeting: 'Hello.' })).toBe(true);
  expect(differ({ ...usualAgent, languages: ['de', 'en'] }, { ...usualAgent, languages: ['en', 'de'] })).toBe(true);
});

test('examples are sent once each, and shown with room for more', () => {
  expect(tidy({ ...usualAgent, examples: ['One?', '', ' One? ', 'Two?'] }).examples).toEqual(['One?', 'Two?']);
  expect(exampleLines(['One?'])).toEqual(['One?', '', '', '']);
});

test('what has changed is named', () => {
  expect(changedText(['greeting', 'examples'])).toBe('greeting and example questions');
  expect(changedText([])).toBe('nothing changed');
});
