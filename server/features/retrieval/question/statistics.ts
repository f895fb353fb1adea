import { LRUCache } from 'lru-cache';
import type { Audience } from '#server/db/audience.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { asc, inArray } from '#server/db/drizzle.ts';
import { chunks } from '#server/db/schema.ts';
import { readAbbreviations } from '#server/lib/abbreviations.ts';
import { analyze, questionTerms } from '#server/lib/analyze.ts';
import { createPause } from '#server/lib/pause.ts';
import { hasStemmer } from '#server/lib/stems.ts';
import { likeTerms } from './like-terms.ts';

/** How rare a company's words are, from a sample of its chunks. */
export interface TermStatistics {
  /**
   * Inverse document frequency as BM25 has it (Robertson and Zaragoza 2009, eq. 3.3, with 1 added so that it stays
   * positive): 0.1 or so for a word in every chunk, 6 to 7 for one that the sample lacks.
   */
  idf(term: string): number;
  /** Terms in a chunk, on average. */
  averageLength: number;
  /** Whether the sample has the term. */
  has(term: string): boolean;
  /** The languages of its chunks that have a stemmer of their own, the most frequent first. */
  languages: readonly string[];
  /** Other forms of names and terms that the sample explains. */
  abbreviations: readonly ExplainedForms[];
  /** Those of the sample's terms that are forms of the term, or slips of it with the same first letter. */
  like(term: string): string[];
}

/** Chunks looked at. A small company is counted exactly; the error of a large one's matters only for common words. */
const sampleSize = 1000;
/** Of fewer chunks the absence of a word says little. */
const minSize = 50;
/** Languages in which a question's words are looked for beside its own: each makes the search longer. */
const maxLanguages = 6;
/** Changes are told of; this is for those whose telling was lost. */
const freshMs = 2000;
/** A full sample changes little, so it goes on being used while it is looked at again, unless it is older than this. */
const usableMs = 30_000;
const samplesKept = 50;
const companiesKept = 1000;
/** A question's words are compared with each: more is an index of terms. */
const maxAbbreviations = 500;
/** Chunks read in one statement. */
const chunksAtOnce = 50;
/** Terms that are copied between two looks at the time. */
const termsAtOnce = 2000;

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

interface Sample {
  /** When its chunks were last compared with the table. */
  checked: number;
  /** How many changes of the company's files had been told of then. */
  changes: number;
  /** The different terms of each chunk, and how many it has in all. */
  chunks: Map<
    string,
    { terms: string[]; length: number; language: string | null; explained: readonly ExplainedForms[] }
  >;
  /** Chunks in which a term stands. */
  frequency: Map<string, number>;
  /** Terms in all chunks. */
  length: number;
  statistics: TermStatistics;
}

type Counted = Omit<Sample, 'checked' | 'changes' | 'statistics'>;

/**
 * Statistics of what an audience sees of a company. Only what has come or gone since the last question is read again,
 * mostly behind it. What has just become readable counts in the next one: a word that the sample lacks weighs most.
 */
export function createStatistics({ db, clock = Date.now }: { db: Database; clock?: () => number }) {
  const samples = new LRUCache<string, Sample>({ max: samplesKept });
  const running = new Map<string, { changes: number; sample: Promise<Sample> }>();
  /** Each company's last change of files, by one count for all: a forgotten one has changed. */
  const changes = new LRUCache<string, number>({ max: companiesKept });
  let counted = 0;
  // Where nobody listens, age decides.
  const heard = ({ companyId: id }: Record<string, unknown>) => void changes.delete(String(id));
  db.listen('files', heard, () => changes.clear()).catch(() => {});

  function changesOf(companyId: string): number {
    const known = changes.get(companyId) ?? ++counted;
    changes.set(companyId, known);
    return known;
  }

  /** A sample that knows of all changes up to now. One that is being counted, and began before the last, goes first. */
  function refresh(audience: Audience): Promise<Sample> {
    const { companyId, key } = audience;
    const wanted = changesOf(companyId);
    const known = running.get(key);
    if (known && known.changes >= wanted) return known.sample;
    const sample = Promise.resolve(known?.sample.catch(() => {}))
      .then(() => db.asActor(audience, (tx) => refreshed(tx, samples.get(key))))
      .then((sums) => {
        const fresh = { ...sums, checked: clock(), changes: wanted };
        samples.set(key, fresh);
        return fresh;
      })
      .finally(() => {
        if (running.get(key)?.sample === sample) running.delete(key);
      });
    running.set(key, { changes: wanted, sample });
    return sample;
  }

  return async function of(audience: Audience): Promise<TermStatistics> {
    const before = samples.get(audience.key);
    const age = before ? clock() - before.checked : Number.POSITIVE_INFINITY;
    const isBehind = before === undefined || before.changes < changesOf(audience.companyId);
    if (before && age < freshMs && !isBehind) return before.statistics;
    const refreshing = refresh(audience);
    // Of what was moved away not a word.
    const mustWait = isBehind && audience.collections !== null;
    if (!before || mustWait || before.chunks.size < sampleSize || age > usableMs) return (await refreshing).statistics;
    // Nobody waits for it; where it fails the next question tries again.
    refreshing.catch(() => {});
    return before.statistics;
  };
}

/** A new sample; the one before stays as it is for those who are using it. */
async function refreshed(tx: Tx, before: Sample | undefined): Promise<Omit<Sample, 'checked' | 'changes'>> {
  // Ids are random, so the first ones are a fair sample, and the primary key finds them without sorting.
  const rows = await tx
    .select({ id: chunks.id })
    .from(chunks)
    .orderBy(asc(chunks.companyId), asc(chunks.id))
    .limit(sampleSize);
  const wanted = new Set(rows.map(({ id }) => id));
  const missing = [...wanted].filter((id) => !before?.chunks.has(id));
  const gone = [...(before?.chunks.keys() ?? [])].filter((id) => !wanted.has(id));
  if (before && missing.length === 0 && gone.length === 0) return before;
  // A first count, and that of documents full of words that nobody knows, must not hold up the process.
  const pause = createPause();
  const sample: Counted = { chunks: new Map(before?.chunks), frequency: new Map(), length: before?.length ?? 0 };
  let copied = 0;
  for (const [term, count] of before?.frequency ?? []) {
    sample.frequency.set(term, count);
    if (copied++ % termsAtOnce === 0) await pause();
  }
  for (const id of gone) {
    remove(sample, id);
    await pause();
  }
  for (let i = 0; i < missing.length; i += chunksAtOnce) {
    const texts = await tx
      .select({ id: chunks.id, text: chunks.text, headingPath: chunks.headingPath, language: chunks.language })
      .from(chunks)
      .where(inArray(chunks.id, missing.slice(i, i + chunksAtOnce)));
    for (const { id, ...chunk } of texts) {
      add(sample, id, chunk);
      await pause();
    }
  }
  const like = await likeTerms(sample.frequency.keys(), pause);
  return { ...sample, statistics: statisticsOf(sample, like) };
}

function add(
  sample: Counted,
  id: string,
  { text, headingPath, language }: { text: string; headingPath: string[]; language: string | null },
): void {
  const body = analyze(text, language);
  const terms = [...new Set([...body, ...analyze(headingPath.join(' '), language)])];
  sample.chunks.set(id, { terms, length: body.length, language, explained: explainedIn(text, language) });
  sample.length += body.length;
  for (const term of terms) sample.frequency.set(term, (sample.frequency.get(term) ?? 0) + 1);
}

function explainedIn(text: string, language: string | null): ExplainedForms[] {
  return readAbbreviations(text).flatMap(({ short, long }) => {
    const [shortTerm, ...others] = analyze(short, language);
    if (shortTerm === undefined || others.length > 0) return [];
    const { terms } = questionTerms(long);
    const words = long
      .split(' ')
      .filter((word) => analyze(word).some((term) => terms.includes(term)))
      .map((word) => [...new Set([...analyze(word), ...analyze(word, language)])]);
    return [{ short, shortTerm, long: terms, words }];
  });
}

function remove(sample: Counted, id: string): void {
  const { terms, length } = sample.chunks.get(id) ?? { terms: [], length: 0 };
  sample.chunks.delete(id);
  sample.length -= length;
  for (const term of terms) {
    const left = (sample.frequency.get(term) ?? 0) - 1;
    if (left > 0) sample.frequency.set(term, left);
    else sample.frequency.delete(term);
  }
}

function statisticsOf({ chunks: sampled, frequency, length }: Counted, like: TermStatistics['like']): TermStatistics {
  const size = Math.max(sampled.size, minSize);
  const rarity = Array.from({ length: size + 1 }, (_, n) => Math.log(1 + (size - n + 0.5) / (n + 0.5)));
  return {
    averageLength: Math.max(1, length / Math.max(1, sampled.size)),
    has: (term) => frequency.has(term),
    languages: languagesIn(sampled),
    abbreviations: [...sampled.values()].flatMap(({ explained }) => explained).slice(0, maxAbbreviations),
    like,
    idf: (term) => rarity[Math.min(frequency.get(term) ?? 0, size)] ?? 0,
  };
}

function languagesIn(sampled: Counted['chunks']): string[] {
  const counts = new Map<string, number>();
  for (const { language } of sampled.values())
    if (hasStemmer(language)) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, maxLanguages)
    .map(([language]) => language);
}
