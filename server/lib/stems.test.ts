import { expect, test } from 'vitest';
import { analyze, questionTerms } from './analyze.ts';

test.each([
  ['Russian', 'гарантийный срок договора', 'гарантийного срока договоров'],
  ['Ukrainian', 'договору', 'договори'],
  ['Turkish', 'kitabı', 'kitapları'],
  ['Turkish', 'İstanbul', 'istanbul'],
  ['Turkish', "Ankara'nın yılında", "Ankara'sı yılı"],
  ['Hindi', 'किताबें', 'किताब'],
  ['Greek', 'συμβάσεις', 'σύμβαση'],
])('%s: forms of a word have one stem', (_, one, other) => {
  expect(analyze(one)).toEqual(analyze(other));
});

test('й is a letter of its own, ё is written е', () => {
  expect(analyze('мой')).not.toEqual(analyze('мои'));
  expect(analyze('ёлка')).toEqual(analyze('елка'));
});

test.each([
  ['ru', 'Какой гарантийный срок установлен для насоса?', ['какой', 'для']],
  ['tr', 'Sözleşmenin süresi ne kadardır?', ['ne']],
  ['hi', 'वारंटी कितने साल की है?', ['कितने', 'की', 'है']],
  ['ar', 'ما هي مدة الضمان؟', ['ما', 'هي']],
  ['vi', 'Thời hạn bảo hành là gì?', ['là', 'gì']],
])('%s: words that ask are not searched for', (language, question, asking) => {
  const asked = questionTerms(question);
  expect(asked.language).toBe(language);
  expect(asked.terms.length).toBeGreaterThan(0);
  for (const word of asking) for (const term of analyze(word)) expect(asked.terms).not.toContain(term);
});
