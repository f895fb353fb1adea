import { expect, test } from 'vitest';
import { askedPart, numberedFit, numberedParts, openingPart } from './numbered-parts.ts';

test.each([
  ['What does figure 2 in the guide show?', ['figure 2']],
  ['Abbildung 2 und Tab. 3-1', ['figure 2', 'table 3-1']],
  ['See Fig. 2, Table C-1 and § 12.', ['figure 2', 'table c-1', 'section 12']],
  ['Which box is for a loan number, box C or Block 3?', ['box c', 'box 3']],
  ['What is asked in step 4 of appendix B?', ['step 4', 'annex b']],
  ['Figure a price of 30 and table the motion.', []],
  ['In 2018 the figures rose to 20.', []],
  ['Fig. 2023/14 of 12', []],
  ['Section 10-K of VA Form 9', []],
])('%s names %s', (text, parts) => {
  expect([...numberedParts(text)]).toEqual(parts);
});

test('the part that is to be shown is known by the words of the question', () => {
  expect(askedPart('What do Note 6 and Fig. C-2 say?')).toBe('Note 6');
  expect(askedPart('What do the notes say?')).toBeUndefined();
  expect(askedPart('How much is the total in table C-1?')).toBeUndefined();
});

test.each([
  ['Figure 2. Cables', 'Figure 2'],
  ['• (§ 12) Notice', '§ 12'],
  ['As figure 2 shows', ''],
  ['Cables', ''],
  ['', ''],
])('the line "%s" begins with "%s"', (line, part) => {
  expect(openingPart(line)).toBe(part);
});

test('a line fits the number that is asked for, not another one of the same kind', () => {
  const asked = numberedParts('What does figure 2 show?');
  expect(numberedFit(asked, 'Figure 2. Cable diagram')).toEqual({ numbered: 1, otherNumber: 0 });
  expect(numberedFit(asked, 'Figures 2 and 3 show the cables.')).toEqual({ numbered: 1, otherNumber: 0 });
  expect(numberedFit(asked, 'Figure 1 shows the whole.')).toEqual({ numbered: 0, otherNumber: 1 });
  expect(numberedFit(asked, 'Table 1 lists the cables.')).toEqual({ numbered: 0, otherNumber: 0 });
  expect(numberedFit(numberedParts('What do the cables do?'), 'Figure 1')).toEqual({ numbered: 0, otherNumber: 0 });
});
