import { setFlagsFromString } from 'node:v8';
import { describe, expect, test } from 'vitest';
import { leastWorkMs } from '#server/testing/least-work.ts';
import { askedKind } from './answer-kind.ts';
import { explainedForms } from './explained-forms.ts';
import { otherNames } from './other-names.ts';
import { goesOn } from './question.ts';

// A process that has run for long, with much code in it, may compile regular expressions without optimizing them: what
// they cost then is what counts.
setFlagsFromString('--no-regexp-optimization');

/** As long as a question may be. */
const length = 8000;
/** Here each takes up to 13; a turn of the event loop, which may take 100, has some of them in it. */
const maxMs = 40;

const ppe = [{ short: 'PPE', shortTerm: 'ppe', long: ['property', 'plant'], words: [['property'], ['plant']] }];

describe('a question of the same signs over and over is read in a time that grows with its length alone', () => {
  test.each([
    ['what kind of answer it asks for', askedKind, '-', '1'],
    ['what kind of answer it asks for', askedKind, '.', '1'],
    ['what kind of answer it asks for', askedKind, "'", ' fee1'],
    ['what kind of answer it asks for', askedKind, ' was', ' fee1'],
    ['what kind of answer it asks for', askedKind, ' fee', ' growth'],
    ['what kind of answer it asks for', askedKind, ' what held', ' up'],
    ['what kind of answer it asks for', askedKind, ' what', ''],
    ['what kind of answer it asks for', askedKind, 'a-', ''],
    ['what its names are called elsewhere', otherNames, 'A', ''],
    ['what its names are called elsewhere', otherNames, 'A', '-'],
    ['what its names are called elsewhere', otherNames, 'Ab', ''],
    ['whether it goes on from another', goesOn, '-', ' it'],
    ['whether it goes on from another', goesOn, '1-', ' it'],
    ['what is explained in documents', (text: string) => explainedForms(text, new Set(), ppe, () => 1), 'a.', 'b'],
    ['what is explained in documents', (text: string) => explainedForms(text, new Set(), ppe, () => 1), '.', 'b'],
  ] as const)('%s: %o', (_, read, sign, end) => {
    const text = `a${sign.repeat(length).slice(0, length - end.length - 1)}${end}`;
    expect(leastWorkMs(() => read(text))).toBeLessThan(maxMs);
  });
});
