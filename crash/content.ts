import { createHash } from 'node:crypto';
import { makeOffice, makePdf, makeRelations } from '#server/features/ingestion/fixtures.ts';
import type { Random } from './random.ts';

/** A file whose text holds a word that stands in no other. */
export interface Content {
  kind: ContentKind;
  bytes: Uint8Array;
  sha256: string;
  word: string;
}

export type ContentKind = 'markdown' | 'csv' | 'docx' | 'pdf' | 'long' | 'broken';

const weights: Record<ContentKind, number> = { markdown: 8, csv: 3, docx: 3, pdf: 4, long: 3, broken: 1 };
const fillers = [
  'The stairs are swept on Fridays.',
  'Whoever leaves last turns off the lamps.',
  'Parcels wait at the front desk until they are fetched.',
  'Bicycles stand behind the second building.',
];

/** The ending of a name of this kind. */
export const endings: Record<ContentKind, string> = {
  markdown: 'md',
  csv: 'csv',
  docx: 'docx',
  pdf: 'pdf',
  long: 'txt',
  broken: 'pdf',
};

export function pickKind(random: Random): ContentKind {
  return random.weighted(weights);
}

export async function makeContent(random: Random, kind: ContentKind): Promise<Content> {
  const word = makeWord(random);
  const bytes = await bytesOf(random, kind, `The locker of ${word} has the number ${random.between(100, 999)}.`);
  return { kind, bytes, sha256: createHash('sha256').update(bytes).digest('hex'), word };
}

/** Long enough that no other word is like it, for a search that forgives mistakes. */
function makeWord(random: Random): string {
  return Array.from({ length: 6 }, () => random.pick([...'bdfgklmnprstvz']) + random.pick([...'aeiou'])).join('');
}

async function bytesOf(random: Random, kind: ContentKind, fact: string): Promise<Uint8Array> {
  const lines = Array.from({ length: random.between(1, 20) }, () => random.pick(fillers));
  lines.splice(random.between(0, lines.length), 0, fact);
  switch (kind) {
    case 'markdown':
      return Buffer.from(`# House rules\n\n${lines.join('\n\n')}\n`);
    case 'csv':
      return Buffer.from(`No,Rule\n${lines.map((line, row) => `${row + 1},${line}\n`).join('')}`);
    case 'docx':
      return makeOffice('word/document.xml', {
        'word/document.xml': `<w:document><w:body>${lines
          .map((line) => `<w:p><w:r><w:t>${line}</w:t></w:r></w:p>`)
          .join('')}</w:body></w:document>`,
        'word/_rels/document.xml.rels': makeRelations(),
      });
    case 'pdf':
      return makePdf([lines, ...Array.from({ length: random.between(0, 4) }, () => [random.pick(fillers)])]);
    case 'long': {
      // Some hundred kilobytes: pieces of it are under way when something is killed.
      const paragraphs = Array.from({ length: random.between(200, 1500) }, () =>
        Array.from({ length: 10 }, () => random.pick(fillers)).join(' '),
      );
      paragraphs.splice(random.between(0, paragraphs.length), 0, fact);
      return Buffer.from(`${paragraphs.join('\n\n')}\n`);
    }
    case 'broken':
      return Buffer.from(`%PDF-1.7\n${fact}`);
  }
}
