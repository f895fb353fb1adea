import { yearsIn } from '#server/lib/periods.ts';

/** How what is said fits the years of a question: each 1 or 0. */
export interface YearFit {
  /** One that is asked for stands in it; */
  year: number;
  /** or in the headings of its page, its document's name or first page; */
  edition: number;
  /** it has other years, and none that is asked for; */
  otherYear: number;
  /** its document is of other years, and has one that is asked for elsewhere; */
  vagueYear: number;
  /** or nowhere. */
  absentYear: number;
}

/** What is known of the years of a passage. */
export interface Dated {
  headingPath: readonly string[];
  /** The years of its document's name and first page. */
  editions: readonly string[];
  /** The question's terms that stand anywhere in its document, as far as that was found. */
  inDocument: readonly string[];
}

const none: YearFit = { year: 0, edition: 0, otherYear: 0, vagueYear: 0, absentYear: 0 };
/** What may stand between such a word and its year: "since the end of 2015", "before January 1, 2020". */
const upToYear =
  "(?:(?:the|end|start|beginning|middle|close|of|years?|fiscal|fy|calendar|early|late|mid|q[1-4]|\\d{1,2}(?:st|nd|rd|th|\\.)?,?|dem|der|des|ende|anfang|mitte|jahre?s?|l['’]année|fin|finales|début|du|de|del|el|año|principios|dal|l['’]anno|fine|inizio|(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|févr|avr|juin|juil|août|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott)\\p{L}*\\.?)[\\s-]+){0,5}";
/** From here on, or up to here: then another year may well be meant. */
const bounded = new RegExp(
  `(?<!\\p{L})(?:since|before|after|until|between|from|prior to|seit|vor|nach|bis|ab|zwischen|depuis|avant|après|entre|desde|antes de|después de|hasta|dal|prima del|dopo il|fino al)\\s+${upToYear}['’]?(?:19|20)?\\d\\d(?!\\d)`,
  'iu',
);

/** The years that a question asks about; none where it only says from when on or until when. */
export function askedYears(question: string): ReadonlySet<string> {
  return bounded.test(question) ? new Set() : yearsIn(question);
}

/**
 * @param years those of the question; of none, nothing is known
 * @param text the words themselves, with what stands right over them
 */
export function yearFit(
  years: ReadonlySet<string>,
  text: string,
  { headingPath, editions, inDocument }: Dated,
): YearFit {
  if (years.size === 0) return none;
  const own = yearsIn(text);
  if (!years.isDisjointFrom(own)) return { ...none, year: 1 };
  const around = yearsIn(headingPath.join(' '));
  for (const year of editions) around.add(year);
  const isEdition = !years.isDisjointFrom(around);
  const fit = { ...none, edition: isEdition ? 1 : 0, otherYear: own.size > 0 ? 1 : 0 };
  if (isEdition || around.size === 0) return fit;
  return inDocument.some((term) => years.has(term)) ? { ...fit, vagueYear: 1 } : { ...fit, absentYear: 1 };
}
