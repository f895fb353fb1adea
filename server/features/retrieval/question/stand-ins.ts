import type { TermStatistics } from './statistics.ts';

/** Terms that no document has and others stand in for: of more, the question is not in the documents' language. */
const maxMisspelt = 32;

/** For each of the terms, which no document is known to have, the terms of documents that are most like it. */
export function standInsFor(
  terms: string[],
  elsewhere: ReadonlyMap<string, string>,
  statistics: TermStatistics,
  maxStandIns: number,
): Map<string, string> {
  const standIns = new Map<string, string>();
  for (const term of terms.slice(0, maxMisspelt)) {
    const inOtherForms = [...elsewhere].filter(([, own]) => own === term).map(([other]) => other);
    const alike = [...new Set([term, ...inOtherForms].flatMap((form) => statistics.like(form)))].sort(
      (one, other) => Math.abs(one.length - term.length) - Math.abs(other.length - term.length),
    );
    for (const known of alike.slice(0, maxStandIns)) standIns.set(known, term);
  }
  return standIns;
}
