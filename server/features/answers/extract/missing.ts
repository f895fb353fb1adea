import { neutralizeMarkers } from '#contract/citations.ts';
import { properNames } from '#server/features/retrieval/question/names.ts';
import { askedYears } from '#server/features/retrieval/question/year-fit.ts';
import type { Question, RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import { yearsIn } from '#server/lib/periods.ts';
import type { Wording } from '../agent/wording.ts';

/** What a question names and the documents do not have. */
export interface Missing {
  /** Names, as the question has them, that stand in no document. */
  names: string[];
  /** Years that nothing that comes close is of, and those that there are instead, earliest first. */
  years: string[];
  instead: string[];
}

const maxNames = 3;
const maxYears = 4;

/** @param absent the question's terms that stand nowhere in the documents */
export function missingOf(
  question: Question,
  questionText: string,
  passages: readonly { passage: RetrievedPassage }[],
  absent: ReadonlySet<string>,
): Missing {
  const misspelt = new Set(question.standIns.values());
  const names = properNames(questionText, question)
    .filter(({ terms }) => terms.every((term) => absent.has(term) && !misspelt.has(term)))
    .map(({ text }) => text);
  const years = askedYears(questionText);
  const known = new Set<string>();
  const editions = new Set<string>();
  for (const { passage } of years.size > 0 ? passages : []) {
    for (const year of passage.editions) editions.add(year);
    for (const year of yearsIn(`${passage.headingPath.join(' ')} ${passage.text}`)) known.add(year);
  }
  const lacking = [...years].filter((year) => !known.has(year) && !editions.has(year));
  return {
    names: [...new Set(names)].slice(0, maxNames),
    years: lacking.slice(0, maxYears),
    instead: lacking.length > 0 ? [...editions].sort().slice(-maxYears) : [],
  };
}

/** What is not there, in our words; null where it is nothing that the question names. */
export function sayMissing({ names, years, instead }: Missing, wording: Wording): string | null {
  const listed = (words: readonly string[]) =>
    new Intl.ListFormat(wording.locale, { type: 'conjunction' }).format(words);
  if (names.length > 0) return wording.names(listed(names.map(neutralizeMarkers)));
  if (years.length === 0) return null;
  const nothing = wording.years(listed(years));
  return instead.length > 0 ? `${nothing}; ${wording.closest(listed(instead))}` : nothing;
}
