import type { Lexicon } from '../question/lexicon.ts';

/**
 * Tells how much a document lacks of the names in a question that some document here is about: one that nowhere has the
 * name of an organisation speaks of another, however much of the rest it has.
 * @param reads of each passage, which of the question's terms its document is about
 * @returns the share that is lacking, by which terms the document has: 0 to 1
 */
export function nameCheck(
  reads: readonly { about: readonly boolean[] }[],
  { weights, areNames }: Lexicon,
): (there: readonly boolean[]) => number {
  const names = [...weights].map((weight, term) =>
    areNames[term] && reads.some(({ about }) => about[term]) ? weight : 0,
  );
  const all = names.reduce((sum, weight) => sum + weight, 0);
  if (all === 0) return () => 0;
  return (there) => names.reduce((sum, weight, term) => sum + (there[term] ? 0 : weight), 0) / all;
}
