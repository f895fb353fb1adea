import { expect, test } from 'vitest';
import { fewOfEach } from '#server/testing/term-statistics.ts';
import { weigh } from '../question/question.ts';
import { createLineLook } from './answering-lines.ts';

function look(question: string, text: string, headingPath: string[] = []) {
  const passage = { name: 'Report.pdf', text, headingPath, language: null, editions: [], inDocument: [] };
  return createLineLook(weigh(question, fewOfEach), question)(passage);
}

test('a row has the words of the header over it, and one of the next table has not', () => {
  expect(look('scanner fee', 'Item | Fee\nScanner | 30').words).toBe(1);
  expect(look('scanner fee', 'Item | Fee\nCrane | 30\nWhat is new:\nScanner | A4').words).toBeLessThan(1);
});

test('a part is shown where a line or a heading begins with it, and hardly where one names it', () => {
  const asked = 'What does note 6 say?';
  expect(look(asked, 'Note 6 - EQUITY').numbered).toBe(1);
  expect(look(asked, 'The board may buy shares.', ['Notes', 'Note 6 - EQUITY']).numbered).toBe(1);
  expect(look(asked, 'As note 6 says, the board may.').numbered).toBe(0.3);
  expect(look(asked, 'Note 5 - DEBT').numbered).toBe(0);
  expect(look('How much is the debt in note 6?', 'Note 6 - EQUITY').numbered).toBe(0);
});
