import { analyze } from '#server/lib/analyze.ts';
import { weakWords } from '#server/lib/stop-words.ts';
import { isSlipOf } from '#server/lib/word-forms.ts';
import type { Fact, ReadText } from './facts/facts.ts';
import { measureOf, monthOf, weekdayOf } from './facts/measures.ts';
import { fold, type Token } from './facts/tokens.ts';
import type { Entity } from './relation.ts';

const noNames = new Set(analyze(weakWords));
/** Whom a document means by these it calls "we" elsewhere, or by name. */
const generic =
  /^(?:Compan(?:y|ies)|Group|Corporation|Registrant|Unternehmen|Gesellschaft|Société|Groupe|Empresa|Grupo|Fiscal)$/;
/** "UN", "WHO": letters that stand for words. */
const abbreviation = /^\p{Lu}{2,5}$/u;
const twoLetters = /^\p{Lu}{2}$/u;
/** What stands inside a name, and is left out of its letters. */
const withinNames = new Set('of the and for de la des du der für und y del'.split(' '));
/** "FY19" is a year. */
const fiscalYear = /^FY? ?\d\d$/;

/**
 * A claim's codes, and in languages that write only names with a capital those words.
 * @param known names of the passage, folded: those count at the start of a sentence, too
 */
export function entitiesOf(read: ReadText, language: string | null, known: ReadonlySet<string>): Entity[] {
  const names = new Set(namesIn(read.tokens, language, known).map(fold));
  if (language !== 'de')
    for (const { kind, text, folded } of read.tokens) if (kind === 'word' && twoLetters.test(text)) names.add(folded);
  const codes = read.facts.filter(({ of }) => of.startsWith('code'));
  const words = read.tokens.flatMap(({ kind, folded, segment }, start): Fact[] =>
    kind === 'word' &&
    names.has(folded) &&
    !measureOf(folded) &&
    !read.facts.some((fact) => start >= fact.start && start < fact.end)
      ? [
          {
            of: 'name',
            quantity: null,
            value: folded,
            bound: null,
            start,
            end: start + 1,
            segment,
            isCell: false,
            isDigits: false,
            isChange: false,
            step: null,
          },
        ]
      : [],
  );
  return [...codes, ...words].map((fact) => {
    const written = read.tokens[fact.start]?.text ?? '';
    const isShort = fact.of === 'name' && abbreviation.test(written);
    // As a word "who" has no weight, and "UN" none in French.
    const terms = isShort && twoLetters.test(written) ? [] : analyze(fact.value);
    const isOwn: Entity['isOwn'] = ({ read: there }) =>
      (isShort && standsFor(written, there.tokens)) ||
      there.places.some(({ term }) => terms.some((own) => term.startsWith(own)));
    return {
      fact,
      isOwn,
      isIn: (unit) => isOwn(unit) || terms.some((term) => unit.around.has(term)),
    };
  });
}

/** Whether letters stand there themselves, or words with capitals that follow each other and begin with them. */
function standsFor(letters: string, tokens: readonly Token[]): boolean {
  let initials = '';
  for (const { kind, text, folded } of tokens) {
    if (text === letters) return true;
    if (kind === 'word' && /^\p{Lu}/u.test(text)) initials += text.charAt(0);
    else if (!withinNames.has(folded)) initials = '';
    if (initials.endsWith(letters)) return true;
  }
  return false;
}

/**
 * Words with a capital that don't begin a sentence, an item or a cell. In German all nouns have one: there it says
 * nothing.
 */
export function namesIn(
  tokens: readonly Token[],
  language: string | null,
  known: ReadonlySet<string> = new Set(),
): string[] {
  if (language === 'de') return [];
  const names = tokens.filter(
    ({ kind, text, folded, begins }) =>
      kind === 'word' && (!begins || known.has(folded)) && /^\p{Lu}[\p{L}\p{N}\p{M}'’-]{2,}/u.test(text),
  );
  return [...new Set(names.map(({ text }) => text))].filter(
    (name) => !fiscalYear.test(name) && monthOf(name, fold(name), false) === null && weekdayOf(fold(name)) === null,
  );
}

/** Itself, a form of it, a slip in it, or for "EU" the words that it stands for. */
export function hasName(
  { terms, initials }: { terms: ReadonlySet<string>; initials: string },
  written: string,
): boolean {
  const name = written.replace(/['’]s?$/, '');
  if (generic.test(name)) return true;
  if (/^\p{Lu}{2,5}$/u.test(name) && initials.includes(name.toLowerCase())) return true;
  // "US" is no USB.
  if (twoLetters.test(name)) return analyze(name).every((term) => noNames.has(term) || terms.has(term));
  return analyze(name).some(
    (term) =>
      terms.has(term) ||
      noNames.has(term) ||
      [...terms].some((other) => other.startsWith(term) || (other[0] === term[0] && isSlipOf(term, other))),
  );
}
