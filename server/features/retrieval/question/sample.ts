import type { Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { keptStatement, valueList } from '#server/db/kept-statement.ts';
import { chunks } from '#server/db/schema.ts';
import { readAbbreviations } from '#server/lib/abbreviations.ts';
import { analyze, isOfLetters, questionTerms } from '#server/lib/analyze.ts';
import { createPause } from '#server/lib/pause.ts';
import { LikeTerms } from './like-terms.ts';
import { type Numbers, numbersUpTo, TermTable } from './term-table.ts';

/** Chunks looked at. A small company is counted exactly; the error of a large one's matters only for common words. */
export const sampleSize = 1000;
/** Chunks read in one statement. */
const chunksAtOnce = 50;

/** Two forms of one name or term that a document explains: "property, plant and equipment (PPE)". */
export interface ExplainedForms {
  /** As it is written, and the term that it is in the documents. */
  short: string;
  shortTerm: string;
  /** The other form's terms as those of a question, */
  long: readonly string[];
  /** and of each of its words all terms that it may be in documents. */
  words: readonly (readonly string[])[];
}

/** What is kept of some chunks of a company, in few lists: hundreds of companies are kept beside each other. */
export interface Sample {
  /** The chunks' ids in their order, as one text: by it a look at the table sees whether any has come or gone. */
  ids: string;
  chunks: readonly SampledChunk[];
  /** The terms of the chunks, by number, one chunk after the other: of each the different ones. */
  terms: Numbers;
  /** The different terms of all, each with the number of chunks in which it stands. */
  table: TermTable;
  like: LikeTerms;
  /** Terms in all chunks. */
  length: number;
  /** What it takes in memory, about. */
  bytes: number;
}

interface SampledChunk {
  id: string;
  /** Where its terms end among all. */
  end: number;
  /** How many it has, the same ones counted again. */
  length: number;
  language: string | null;
  explained: readonly ExplainedForms[];
}

interface ReadChunk extends Record<string, unknown> {
  id: string;
  text: string;
  headingPath: string[];
  language: string | null;
}

// Ids are random, so the first ones are a fair sample, and the primary key finds them without sorting.
const theIds = keptStatement<Record<never, never>, { ids: string }>(
  'sampled-ids',
  sql`
    select coalesce(string_agg(id::text, ',' order by id), '') as ids
    from (
      select ${chunks.id} from ${chunks} order by ${chunks.companyId}, ${chunks.id} limit ${sql.raw(String(sampleSize))}
    ) as first`,
);

const theTexts = keptStatement<{ ids: string[] }, ReadChunk>(
  'sampled-chunks',
  sql`
    select ${chunks.id}, ${chunks.text}, ${chunks.headingPath} as "headingPath", ${chunks.language}
    from ${chunks} where ${chunks.id} = any(${valueList('ids', 'uuid')})
    order by ${chunks.id}`,
);

/**
 * Counts the words of the chunks that are there now: all of them, or what has come or gone since.
 * @returns a new sample, and the one before stays as it is for those who are using it; or that one where nothing has
 */
export async function countSample(tx: Tx, before: Sample | undefined): Promise<Sample> {
  const [{ ids } = { ids: '' }] = await theIds.run(tx, {});
  if (before?.ids === ids) return before;
  // A first count, and that of documents full of words that nobody knows, must not hold up the process.
  const pause = createPause();
  const wanted = new Set(ids === '' ? [] : ids.split(','));
  const counting = new Counting();
  if (before) await counting.keep(before, wanted, pause);
  const missing = [...wanted.difference(counting.ids)];
  for (let i = 0; i < missing.length; i += chunksAtOnce) {
    for (const chunk of await theTexts.run(tx, { ids: missing.slice(i, i + chunksAtOnce) })) {
      counting.add(chunk);
      await pause();
    }
  }
  return counting.end(ids, pause);
}

/** A sample that is being counted. */
class Counting {
  /** Of the chunks that are in it. */
  readonly ids = new Set<string>();
  readonly #chunks: SampledChunk[] = [];
  readonly #terms: number[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #counts: number[] = [];
  /** Of each term: the chunk that has counted it last. */
  readonly #seenIn: number[] = [];
  #length = 0;

  /** Takes on what a sample has of those chunks that are still wanted. */
  async keep({ chunks: known, terms, table }: Sample, wanted: Set<string>, pause: ReturnType<typeof createPause>) {
    const counts = new Uint32Array(table.size);
    const kept = known.map(({ id, end }, i) => ({ start: known[i - 1]?.end ?? 0, end, isWanted: wanted.has(id) }));
    for (const { start, end, isWanted } of kept)
      if (isWanted) for (let i = start; i < end; i++) (counts[terms[i] ?? 0] as number)++;
    // In the order in which they were known; what only chunks had that are gone is known no longer.
    const renumbered = new Uint32Array(table.size);
    for (let number = 0; number < table.size; number++) {
      if (counts[number]) renumbered[number] = this.#numberOf(table.termOf(number));
      if (number % sampleSize === 0) await pause();
    }
    for (const [n, chunk] of known.entries()) {
      const { start = 0, end = 0, isWanted } = kept[n] ?? {};
      if (!isWanted) continue;
      for (let i = start; i < end; i++) this.#count(renumbered[terms[i] ?? 0] ?? 0);
      this.#close(chunk);
      await pause();
    }
  }

  add({ id, text, headingPath, language }: ReadChunk): void {
    const body = analyze(text, language);
    for (const term of body) this.#count(this.#numberOf(term));
    for (const term of analyze(headingPath.join(' '), language)) this.#count(this.#numberOf(term));
    this.#close({ id, length: body.length, language, explained: explainedIn(text, language) });
  }

  async end(ids: string, pause: ReturnType<typeof createPause>): Promise<Sample> {
    const table = await TermTable.of([...this.#numbers.keys()], this.#counts, pause);
    const terms = numbersUpTo(table.size, this.#terms.length);
    terms.set(this.#terms);
    const like = await LikeTerms.of(table, pause);
    const ofChunks = this.#chunks.reduce((sum, { explained }) => sum + bytesOf(explained), 0);
    const bytes = ids.length + table.bytes + terms.byteLength + like.bytes + ofChunks;
    return { ids, chunks: this.#chunks, terms, table, like, length: this.#length, bytes };
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    this.#numbers.set(term, this.#counts.length);
    this.#seenIn.push(-1);
    return this.#counts.push(0) - 1;
  }

  /** A term of the chunk that is closed next. */
  #count(number: number): void {
    if (this.#seenIn[number] === this.#chunks.length) return;
    this.#seenIn[number] = this.#chunks.length;
    this.#counts[number] = (this.#counts[number] ?? 0) + 1;
    this.#terms.push(number);
  }

  #close(chunk: Omit<SampledChunk, 'end'>): void {
    this.ids.add(chunk.id);
    this.#length += chunk.length;
    this.#chunks.push({ ...chunk, end: this.#terms.length });
  }
}

/** An estimate: an object and an id for each chunk, and the texts of what it explains with the objects around them. */
function bytesOf(explained: readonly ExplainedForms[]): number {
  const characters = explained.reduce(
    (sum, { short, long, words }) => sum + JSON.stringify([short, long, words]).length,
    0,
  );
  return 150 + 8 * characters;
}

function explainedIn(text: string, language: string | null): ExplainedForms[] {
  return readAbbreviations(text).flatMap(({ short, long }) => {
    const [shortTerm, ...others] = analyze(short, language);
    if (shortTerm === undefined || (others.length > 0 && !isOfLetters(shortTerm))) return [];
    const { terms } = questionTerms(long);
    const words = long
      .split(' ')
      .filter((word) => analyze(word).some((term) => terms.includes(term)))
      .map((word) => [...new Set([...analyze(word), ...analyze(word, language)])]);
    return [{ short, shortTerm, long: terms, words }];
  });
}
