import { directionOf, partOfChange } from './facts/change.ts';
import { type Fact, isSame, type ReadText, rangesIn } from './facts/facts.ts';
import type { PreparedPassage } from './passage.ts';
import type { Difference } from './period-differences.ts';
import type { Binding } from './relation.ts';

/** "5 to 30", where the document has "5 to 40", or "from 420 to 340" for the other way round: each number is there. */
export function rangesDiffer(read: ReadText, bindings: readonly Binding[], known: PreparedPassage): Difference | null {
  const isAt = (fact: Fact) => bindings.filter((each) => each.fact === fact).flatMap(({ unit }) => unit ?? []);
  const differ = rangesIn(read).some(([from, to]) => {
    const there = [...new Set([...isAt(from), ...isAt(to)])].flatMap((unit) => rangesIn(known.units[unit]?.read));
    const touched = there.filter((range) => range.some((end) => isSame(from, end) || isSame(to, end)));
    return touched.length > 0 && !touched.some(([one, other]) => isSame(from, one) && isSame(to, other));
  });
  return differ ? { why: 'relation', isSure: true } : null;
}

/** What rose to a number in the passage has not risen from it, nor by it, nor fallen to it. */
export function changesDiffer(read: ReadText, bindings: readonly Binding[], known: PreparedPassage): Difference | null {
  const differ = bindings.some(({ fact, unit, there }) => {
    const own = fact.quantity && fact.bound === null ? partOfChange(read.tokens, fact.start) : null;
    const source = known.units[unit ?? -1]?.read;
    if (own === null || !there || !source) return false;
    // The same number may stand there twice, as the end of one year and the beginning of the next.
    const same = source.facts.filter((each) => isSame(fact, each));
    const direction = directionOf(read.tokens, fact.start);
    return same.every(({ start }) => {
      const part = partOfChange(source.tokens, start);
      return part !== null && (part !== own || directionOf(source.tokens, start) !== direction);
    });
  });
  return differ ? { why: 'relation', isSure: false } : null;
}
