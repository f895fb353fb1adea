import { expect, test } from 'vitest';
import type { CallMessage } from '#contract/calls.ts';
import { weigh } from '#server/features/retrieval/retrieval.ts';
import fc from '#server/testing/fast-check.ts';
import { fewOfEach } from '#server/testing/term-statistics.ts';
import { unitsOf } from '../extract/units.ts';
import { createDraft } from './draft.ts';
import type { SuppliedPassage } from './supplied.ts';

const passages = [
  ['Travel policy', 'A hotel in Berlin may cost 145 euros. Receipts are due within 30 days.'],
  ['Leave policy', 'Unused leave does not expire in March. Susan Blake approves leave of more than 20 days.'],
].map(([name = '', text = ''], i): SuppliedPassage => {
  const about = { documentId: `0000000${i}-0000-4000-8000-000000000000`, version: 1, name, page: null, heading: '' };
  const block = { kind: 'paragraph' as const, text, index: 0, start: 0, page: null, cells: null, header: false };
  return { ...about, above: name, text, units: unitsOf([block]) };
});

/** What a reader of the stream has in front of them at its end, and what the answer is then. */
async function streamed(pieces: readonly string[]) {
  const draft = createDraft(passages, (text) => weigh(text, fewOfEach));
  const messages: CallMessage<'query'>[] = [];
  for (const piece of pieces) messages.push(...(await draft.push(piece)));
  messages.push(...(await draft.end()));
  let [tokens, unchecked] = ['', ''];
  for (const message of messages) {
    if (message.type === 'token') tokens += message.text;
    if (message.type === 'draft') unchecked = unchecked.slice(0, message.from) + message.text;
  }
  const claims = messages.filter(({ type }) => type === 'unsupported' || type === 'unchecked');
  const sources = messages.flatMap((message) => (message.type === 'citation' ? [message.source.quote] : []));
  expect(unchecked).toBe('');
  expect(tokens).toBe(draft.isShown() ? draft.answer() : '');
  return { tokens, claims, sources, isShown: draft.isShown() };
}

const sentences = [
  'A hotel in Berlin may cost 145 euros [1].',
  'A hotel in Berlin may cost 190 euros [1].',
  'Receipts are due within 30 days (1).',
  'Receipts, by registered letter, are due within 30 days [1].',
  'Susan Blake approves long leave [passage 2].',
  'Unused leave does not expire in March【2】.',
  'The canteen serves soup. ',
  'See https://evil.example/login [1].',
  'Receipts are due',
];
const shapes = [
  (said: string) => `${said} `,
  (said: string) => `- ${said}\n`,
  (said: string) => `2. **Rule:** ${said}\n`,
  (said: string) => `\n| Topic | Rule |\n|---|---|\n| Receipts | ${said} |\n\n`,
  (said: string) => `${said.replaceAll(/[[(【][^\])】]*\d[\])】]/gu, '')}\n\nSource: [1]\n\n`,
];

test('an answer in any shape ends the same for its reader, however it comes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...sentences), fc.constantFrom(...shapes)), { minLength: 1, maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
      async (parts, sizes) => {
        const answer = parts.map(([said, shape]) => shape(said)).join('');
        const pieces: string[] = [];
        for (let at = 0, i = 0; at < answer.length; i++) {
          const size = sizes[i % sizes.length] ?? 1;
          pieces.push(answer.slice(at, at + size));
          at += size;
        }
        expect(await streamed(pieces)).toEqual(await streamed([answer]));
      },
    ),
    { numRuns: 60 },
  );
});
