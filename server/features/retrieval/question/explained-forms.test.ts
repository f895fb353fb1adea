import { expect, test } from 'vitest';
import { analyze, questionTerms } from '#server/lib/analyze.ts';
import { explainedForms } from './explained-forms.ts';
import { knownAbbreviations } from './known-abbreviations.ts';
import type { ExplainedForms } from './statistics.ts';

const rare = new Set([...analyze('equipment'), ...analyze('equipment', 'en')]);
const idf = (term: string) => (rare.has(term) ? 6 : 1);

function forms(question: string, short: string, long: string): Record<string, string> {
  const [shortTerm = ''] = analyze(short);
  const words = long.split(' ').map((word) => [...analyze(word), ...analyze(word, 'en')]);
  const explained: ExplainedForms = { short, shortTerm, long: questionTerms(long).terms, words };
  return Object.fromEntries(explainedForms(question, new Set(questionTerms(question).terms), [explained], idf));
}

test('an abbreviation stands for the rarest word of what it is explained as, and the other way round', () => {
  const [ppe = ''] = analyze('PPE');
  const [own = ''] = analyze('equipment');
  const [inDocuments = ''] = analyze('equipment', 'en');
  const long = 'Property, plant and equipment';
  for (const question of ['What was the PPE in 2021?', 'What was the ppe in 2021?', 'Tell me about our PPE.'])
    expect(forms(question, 'PPE', long)).toEqual({ [own]: ppe, [inDocuments]: ppe });
  expect(forms('What were property, plant and equipment in 2021?', 'PPE', long)).toEqual({ [ppe]: own });
});

test('a part of the long form, or a small word with the same letters, is something else', () => {
  expect(forms('What does the plant cost?', 'PPE', 'Property, plant and equipment')).toEqual({});
  expect(forms('What does it cost?', 'IT', 'Information Technology')).toEqual({});
});

test('what offices abbreviate without explaining it is known, in documents of other languages, too', () => {
  const own = (question: string) => new Set(questionTerms(question).terms);
  const read = (question: string) => explainedForms(question, own(question), knownAbbreviations(), idf);
  expect([...read('What did we spend on R&D?')]).toEqual(
    expect.arrayContaining([
      ['research', 'r&d'],
      ['recherch', 'r&d'],
    ]),
  );
  expect(read('What did we spend on research and development?').has('r&d')).toBe(true);
  expect([...read('What did it cost?')]).toEqual([]);
});
