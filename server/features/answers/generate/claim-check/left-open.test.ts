import { expect, test } from 'vitest';
import { weigh } from '#server/features/retrieval/retrieval.ts';
import { fewOfEach } from '#server/testing/term-statistics.ts';
import type { QuotableBlock } from '../../extract/unit.ts';
import { unitsOf } from '../../extract/units.ts';
import { checkClaim } from '../entailment.ts';

const common = { kind: 'paragraph', index: 0, start: 0, page: null, cells: null, header: false } as const;

function outcomeOf(claim: string, blocks: readonly QuotableBlock[], above = ''): string {
  return checkClaim(claim, { above, units: unitsOf([...blocks]) }, (each) => weigh(each, fewOfEach)).outcome;
}

function paragraph(text: string): QuotableBlock[] {
  return [{ ...common, text }];
}

test.each([
  ['A permit is not needed where no guests stay overnight.', 'not-checked'],
  ['A permit is needed when guests do not stay overnight.', 'not-checked'],
  ['A permit is needed when such guests are absent.', 'contradicted'],
])('where both deny something words cannot tell, where one of both does they can: "%s" is %s', (claim, outcome) => {
  const text = 'A permit is needed for guests overnight and is not needed when such guests are absent.';
  expect(outcomeOf(claim, paragraph(text))).toBe(outcome);
});
