import type { Database } from '#server/db/db.ts';
import type { Embeddings } from '#server/ports/embeddings/port.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { loadDocuments, type Source } from '#server/testing/corpus.ts';
import { lcg, makeWords, zipf } from './vocabulary.ts';

const vocabulary = 60_000;
/** Of a document, unless told. */
const usualChunks = 20;
const wordsEach = 160;
/** A document speaks of its own subject with one word in so many. */
const ownWords = { count: 40, oneIn: 5 };
/** More at once take much memory, fewer much time: each part is a version of the search tables. */
const chunksAtOnce = 2000;
const dimensions = 384;

interface Size {
  chunks: number;
  seed: number;
  /** Chunks of a document. */
  chunksEach?: number;
}

/**
 * Puts so many chunks of generated text into a company, with vectors, past upload and parsing.
 * @param collectionOf in which collection the n-th document is; absent: the company's own
 */
export async function fillCompany(
  { db, search, companyId }: { db: Database; search: SearchStore; companyId: string },
  { chunks, seed, chunksEach = usualChunks }: Size,
  collectionOf?: (n: number) => string | undefined,
): Promise<void> {
  const words = makeWords(vocabulary);
  // Folding in after each part would take longer than all the rest.
  const patient = { ...search, optimize: async () => {} };
  const documents = Math.ceil(chunks / chunksEach);
  const documentsAtOnce = Math.ceil(chunksAtOnce / chunksEach);
  for (let i = 0; i < documents; i += documentsAtOnce) {
    const some = Array.from({ length: Math.min(documentsAtOnce, documents - i) }, (_, n) => ({
      ...makeDocument(words, seed * 1_000_003 + i + n, chunksEach),
      collectionId: collectionOf?.(i + n),
    }));
    await loadDocuments(db, patient, companyId, some, seededEmbeddings);
  }
  await search.optimize(companyId);
}

/** Questions with words of some document's subject and usual ones, as people ask. */
export function makeQuestions(count: number, { chunks, seed, chunksEach = usualChunks }: Size): string[] {
  const words = makeWords(vocabulary);
  const random = lcg(4711);
  const documents = Math.ceil(chunks / chunksEach);
  return Array.from({ length: count }, () => {
    const own = subjectOf(words, seed * 1_000_003 + Math.floor(random() * documents));
    const any = zipf(words, random);
    const pick = () => own[Math.floor(random() * own.length)] ?? '';
    return `What is the ${pick()} of the ${pick()} ${any()} for ${any()} and ${pick()}?`;
  });
}

/**
 * Vectors as random as they can be made again: a text has that of its subject, which it names, and some of its own.
 * Nobody is asked, so what is measured is the product alone.
 */
export const seededEmbeddings: Embeddings = {
  name: 'seeded',
  model: 'seeded',
  async embed(texts) {
    // The chunks of a document follow each other, and have one.
    let name = '';
    let subject = gaussian(hash(name));
    return texts.map((text) => {
      const [next = ''] = text.split(/[\s.]/, 1);
      if (next !== name) subject = gaussian(hash(next));
      name = next;
      const own = gaussian(hash(text));
      const sum = subject.map((value, i) => value + 0.7 * (own[i] ?? 0));
      const length = Math.hypot(...sum);
      return sum.map((value) => value / length);
    });
  },
};

function makeDocument(words: string[], seed: number, chunksEach: number): Source {
  const random = lcg(seed);
  const any = zipf(words, random);
  const own = subjectOf(words, seed);
  const word = () => (random() * ownWords.oneIn < 1 ? (own[Math.floor(random() * own.length)] ?? '') : any());
  const blocks = Array.from({ length: chunksEach }, () => ({
    kind: 'paragraph' as const,
    text: paragraph(word, random),
  }));
  return {
    name: `${own[0]} ${own[1]}.pdf`,
    blocks,
    chunk: (placed) =>
      placed.map(({ index, start, end, text }) => ({
        index,
        headingPath: [`${own[2]} ${own[3]}`],
        start,
        end,
        firstBlock: index,
        lastBlock: index,
        text,
      })),
  };
}

function subjectOf(words: string[], seed: number): string[] {
  const random = lcg(seed + 17);
  return Array.from(
    { length: ownWords.count },
    () => words[100 + Math.floor(random() ** 2 * (words.length - 100))] ?? '',
  );
}

function paragraph(word: () => string, random: () => number): string {
  const sentences: string[] = [];
  for (let left = wordsEach; left > 0; ) {
    const length = Math.min(left, 8 + Math.floor(random() * 14));
    const text = Array.from({ length }, word).join(' ');
    sentences.push(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
    left -= length;
  }
  return sentences.join(' ');
}

/** Directions spread evenly (Box and Muller 1958). */
function gaussian(seed: number): Float32Array {
  const random = lcg(seed);
  return Float32Array.from(
    { length: dimensions },
    () => Math.sqrt(-2 * Math.log(random() + 1e-9)) * Math.cos(2 * Math.PI * random()),
  );
}

function hash(text: string): number {
  let value = 7;
  for (let i = 0; i < text.length; i++) value = (Math.imul(value, 31) + text.charCodeAt(i)) >>> 0;
  return value;
}
