import { analyze } from '#server/lib/analyze.ts';
import type { ReadText } from './facts/facts.ts';
import { areRivals, isSame } from './facts/facts.ts';
import type { Language } from './facts/language.ts';
import { fold } from './facts/tokens.ts';
import { hasName, namesIn } from './names.ts';
import { negationsIn } from './negation.ts';
import type { PreparedPassage, PreparedUnit } from './passage.ts';
import { type Binding, isTurning } from './relation.ts';

/** Numbers, codes and names that must be the same, where the words cannot be compared. */
const minFacts = 2;
/** Share of the words around a number that must stand around it there, where there are several. */
const minByNames = 0.2;
/** Letters at the beginning of a name in which its forms in two languages agree. */
const alike = 4;

/**
 * Whether a claim in another language than its passage is said by one sentence all the same: at least two numbers,
 * codes or names stand there, all that the claim has, none of them could be taken for another one, and both deny as
 * much.
 * @returns the unit's index, or null where words would be needed
 */
export function saysInOtherWords(
  read: ReadText,
  bindings: readonly Binding[],
  known: PreparedPassage,
  language: Language,
): number | null {
  const facts = bindings.filter(({ fact }) => !isTurning(fact) && fact.of !== 'order');
  const [first] = facts;
  const unit = first?.unit ?? null;
  const there = unit === null ? undefined : known.units[unit];
  if (unit === null || !there || facts.some((binding) => binding.unit !== unit)) return null;
  const names = namesIn(read.tokens, 'en', known.names).filter((name) =>
    there.read.tokens.some(({ text, begins }) => text === name || (begins && fold(text) === fold(name))),
  );
  if (facts.length + names.length < minFacts || hasOtherName(read, names, there)) return null;
  if (namesIn(read.tokens, language).some((name) => !isKnown(name, known))) return null;
  if (negationsIn(read.plain).length !== negationsIn(there.read.plain).length) return null;
  if (turnsAround(read, there)) return null;
  const isAlone = facts.every(({ fact, score }) =>
    there.read.facts.every(
      (other) =>
        isSame(fact, other) ||
        !areRivals(fact, other) ||
        // Another value that the claim has, too: names tell which is whose.
        (score >= minByNames && facts.some((each) => isSame(each.fact, other))),
    ),
  );
  return isAlone ? unit : null;
}

/** Words with an opposite that stands there without themselves: "Ausgaben" beside income. */
function turnsAround({ facts }: ReadText, { read }: PreparedUnit): boolean {
  return facts.some(
    (fact) =>
      isTurning(fact) &&
      read.facts.some((other) => areRivals(fact, other) && !isSame(fact, other)) &&
      !read.facts.some((other) => isSame(fact, other)),
  );
}

/** Names are written alike in many languages, if not the same: "Zurich", "Zürich". Others words would have to tell. */
function isKnown(name: string, { terms, initials }: PreparedPassage): boolean {
  return (
    hasName({ terms, initials }, name) ||
    analyze(name).some((term) => [...terms].some((other) => other.slice(0, alike) === term.slice(0, alike)))
  );
}

/** A word with a capital beside a name of the sentence, which the sentence does not have: "Katrin Petersen". */
function hasOtherName({ tokens }: ReadText, names: readonly string[], there: PreparedUnit): boolean {
  const terms = new Set([...there.terms, ...there.head]);
  return tokens.some(
    ({ text }, i) =>
      names.includes(text) &&
      [tokens[i - 1], tokens[i + 1]].some(
        (beside) =>
          beside?.kind === 'word' &&
          /^\p{Lu}\p{Ll}/u.test(beside.text) &&
          !analyze(beside.text).some((term) => terms.has(term)),
      ),
  );
}
