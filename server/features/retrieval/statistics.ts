import { asc } from 'drizzle-orm';
import type { Tx } from '#server/db/db.ts';
import { chunks } from '#server/db/schema.ts';
import { analyze } from '#server/lib/analyze.ts';

/** How rare a company's words are, from a sample of its chunks. */
export interface TermStatistics {
  /**
   * Inverse document frequency as BM25 has it (Robertson and Zaragoza 2009, eq. 3.3, with 1 added so that it stays
   * positive): 0.1 or so for a word in every chunk, 6 to 7 for one that the sample lacks.
   */
  idf(term: string): number;
  /** Terms in a chunk, on average. */
  averageLength: number;
}

/** Chunks looked at. A small company is counted exactly; the error of a large one's matters only for common words. */
const sampleSize = 1000;
const freshMs = 60_000;
const companiesKept = 100;

/**
 * Statistics per company, kept for a minute: a word's rarity does not change
 * with one upload.
 */
export function createStatistics() {
  const kept = new Map<string, { made: number; statistics: TermStatistics }>();

  return async function statisticsOf(tx: Tx, companyId: string): Promise<TermStatistics> {
    const known = kept.get(companyId);
    if (known && Date.now() - known.made < freshMs) return known.statistics;
    const statistics = await count(tx);
    kept.delete(companyId);
    kept.set(companyId, { made: Date.now(), statistics });
    const oldest = kept.keys().next().value;
    if (kept.size > companiesKept && oldest !== undefined) kept.delete(oldest);
    return statistics;
  };
}

async function count(tx: Tx): Promise<TermStatistics> {
  // Ids are random, so the first ones are a fair sample, and the primary key finds them without sorting.
  const sample = await tx
    .select({ text: chunks.text, headingPath: chunks.headingPath })
    .from(chunks)
    .orderBy(asc(chunks.companyId), asc(chunks.id))
    .limit(sampleSize);
  const frequency = new Map<string, number>();
  let length = 0;
  for (const { text, headingPath } of sample) {
    const terms = analyze(text);
    length += terms.length;
    for (const term of new Set([...terms, ...analyze(headingPath.join(' '))])) {
      frequency.set(term, (frequency.get(term) ?? 0) + 1);
    }
  }
  // Of few chunks the absence of a word says little.
  const size = Math.max(sample.length, 50);
  return {
    averageLength: Math.max(1, length / Math.max(1, sample.length)),
    idf(term) {
      const df = frequency.get(term) ?? 0;
      return Math.log(1 + (size - Math.min(df, size) + 0.5) / (df + 0.5));
    },
  };
}
