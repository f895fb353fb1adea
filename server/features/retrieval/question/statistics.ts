import { LRUCache } from 'lru-cache';
import type { Audience } from '#server/db/audience.ts';
import type { Database } from '#server/db/db.ts';
import { hasStemmer } from '#server/lib/stems.ts';
import { countSample, type ExplainedForms, type Sample, sampleSize } from './sample.ts';

export type { ExplainedForms } from './sample.ts';

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

/** Of fewer chunks the absence of a word says little. */
const minSize = 50;
/** Languages in which a question's words are looked for beside its own: each makes the search longer. */
const maxLanguages = 6;
/** Changes are told of; this is for those whose telling was lost. */
const freshMs = 2000;
/** A full sample changes little, so it goes on being used while it is looked at again, unless it is older than this. */
const usableMs = 30_000;
/**
 * What samples take together at most: one of 500 chunks is 0.7 MB. Counting one again takes a tenth of a second and
 * more, so that companies that took each other's place would wait for little else.
 */
const usualBytes = 512 << 20;
const companiesKept = 1000;
/** A question's words are compared with each: more is an index of terms. */
const maxAbbreviations = 500;

/** What is known of a sample, and since when. */
interface Known {
  /** When its chunks were last compared with the table. */
  checked: number;
  /** How many changes of the company's files had been told of then. */
  changes: number;
  sample: Sample;
  statistics: TermStatistics;
}

/**
 * Statistics of what an audience sees of a company. Only what has come or gone since the last question is read again,
 * mostly behind it. What has just become readable counts in the next one: a word that the sample lacks weighs most.
 */
export function createStatistics({
  db,
  bytes = usualBytes,
  clock = Date.now,
}: {
  db: Database;
  /** What all samples may take in memory; the one not used for longest makes room. */
  bytes?: number | undefined;
  clock?: () => number;
}) {
  const samples = new LRUCache<string, Known>({ maxSize: bytes, sizeCalculation: ({ sample }) => sample.bytes });
  const running = new Map<string, { changes: number; sample: Promise<Known> }>();
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
  function refresh(audience: Audience): Promise<Known> {
    const { companyId, key } = audience;
    const wanted = changesOf(companyId);
    const known = running.get(key);
    if (known && known.changes >= wanted) return known.sample;
    const sample = Promise.resolve(known?.sample.catch(() => {}))
      .then(() => db.asActor(audience, (tx) => countSample(tx, samples.get(key)?.sample)))
      .then((counted) => {
        const before = samples.peek(key);
        const statistics = before?.sample === counted ? before.statistics : statisticsOf(counted);
        const fresh = { sample: counted, statistics, checked: clock(), changes: wanted };
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
    if (!before || mustWait || before.sample.chunks.length < sampleSize || age > usableMs)
      return (await refreshing).statistics;
    // Nobody waits for it; where it fails the next question tries again.
    refreshing.catch(() => {});
    return before.statistics;
  };
}

function statisticsOf({ chunks, table, like, length }: Sample): TermStatistics {
  const size = Math.max(chunks.length, minSize);
  const rarity = Array.from({ length: size + 1 }, (_, n) => Math.log(1 + (size - n + 0.5) / (n + 0.5)));
  const frequency = (term: string) => {
    const number = table.numberOf(term);
    return number === undefined ? 0 : table.countOf(number);
  };
  return {
    averageLength: Math.max(1, length / Math.max(1, chunks.length)),
    has: (term) => table.numberOf(term) !== undefined,
    languages: languagesIn(chunks),
    abbreviations: explainedIn(chunks).slice(0, maxAbbreviations),
    like: (term) => like.find(term),
    idf: (term) => rarity[Math.min(frequency(term), size)] ?? 0,
  };
}

/** What the chunks explain, each once. */
function explainedIn(chunks: Sample['chunks']): ExplainedForms[] {
  const all = chunks.flatMap(({ explained }) => explained);
  return [...new Map(all.map((each) => [`${each.short} ${each.long.join(' ')}`, each])).values()];
}

function languagesIn(chunks: Sample['chunks']): string[] {
  const counts = new Map<string, number>();
  for (const { language } of chunks) if (hasStemmer(language)) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, maxLanguages)
    .map(([language]) => language);
}
