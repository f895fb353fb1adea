import { expect, test } from 'vitest';
import { createPause } from '#server/lib/pause.ts';
import { isFormOf, isSlipOf } from '#server/lib/word-forms.ts';
import fc from '#server/testing/fast-check.ts';
import { LikeTerms } from './like-terms.ts';
import { TermTable } from './term-table.ts';

/** Comparing with each: what is to come out. */
function compared(term: string, known: string[]): string[] {
  return known.filter((other) => (other[0] === term[0] && isSlipOf(term, other)) || isFormOf(term, other));
}

test('finds what comparing with each term finds, in the same order', async () => {
  const word = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'b', 'e', 'r', 't'), minLength: 1, maxLength: 12 }),
    fc.string({ unit: fc.constantFrom('ك', 'ت', 'ا', 'ب', 'م'), minLength: 1, maxLength: 8 }),
    fc.string({ unit: fc.constantFrom('保', '証', '期'), minLength: 1, maxLength: 3 }),
    fc.constantFrom('inv-2024', 'c++', 'v3.14', 'sicherheitsschuh', 'schuh', 'finanzier', 'finanzierung', '𝒳yz'),
  );
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(word, { maxLength: 60 }), word, async (known, term) => {
      const others = known.filter((each) => each !== term);
      const table = await TermTable.of(
        others,
        others.map(() => 1),
        createPause(),
      );
      const like = await LikeTerms.of(table, createPause());
      expect(like.find(term)).toEqual(compared(term, others));
    }),
    { numRuns: 500 },
  );
});
