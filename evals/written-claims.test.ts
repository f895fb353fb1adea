import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesFolder } from '../samples/build.ts';
import { answerIn, forms } from './claim-forms.ts';
import { readClaims } from './written-claims.ts';

const claims = readClaims();

test('there are four hundred true sentences and four hundred false ones, each with an id of its own', () => {
  expect(claims.filter((claim) => claim.true).length).toBeGreaterThanOrEqual(400);
  expect(claims.filter((claim) => !claim.true).length).toBeGreaterThanOrEqual(400);
  expect(new Set(claims.map(({ id }) => id)).size).toBe(claims.length);
});

test('no kind has true sentences beside false ones, and no quote copies more than is needed to find it', () => {
  const trueOnes = new Set(claims.filter((claim) => claim.true).map(({ kind }) => kind));
  expect(claims.filter((claim) => !claim.true && trueOnes.has(claim.kind))).toEqual([]);
  expect(claims.filter(({ quote }) => quote.length > 120)).toEqual([]);
});

test('the half that methods may be tuned on is told by the name of the document alone', () => {
  const splitOf = (doc: string) => {
    const [, byte = 0] = createHash('sha256').update(doc).digest();
    return byte % 2 === 0 ? 'tuned' : 'apart';
  };
  expect(claims.filter(({ doc, split }) => split !== splitOf(doc))).toEqual([]);
  const files = new Set(readdirSync(filesFolder).map((name) => name.normalize('NFC')));
  expect(claims.filter(({ set, doc }) => set === 'samples' && !files.has(doc))).toEqual([]);
});

test('a claim is written in every form, and one that is a row or an item already keeps its own', () => {
  const said = 'The fee is ten euros.';
  expect(Object.fromEntries(forms.map((form) => [form, answerIn(form, said, 'en')]))).toMatchObject({
    'plain text': 'The fee is ten euros [2].',
    '1. item': '1. The fee is ten euros [2].',
    '- **Label:** text': '- **Rule:** The fee is ten euros [2].',
    'table cell': '| Topic | Detail |\n|---|---|\n| Rule | The fee is ten euros [2]. |',
    '[^2]': 'The fee is ten euros [^2].',
    'Source: [2]': 'The fee is ten euros.\n\nSource: [2]',
  });
  expect(answerIn('table cell', '| Fee | ten euros |', 'en')).toBeNull();
  expect(answerIn('plain text', '| Fee | ten euros |', 'en')).toBe('| Fee | ten euros [2] |');
});
