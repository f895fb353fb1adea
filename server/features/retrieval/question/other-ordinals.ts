import { analyze } from '#server/lib/analyze.ts';

/** From the first on; of German the stems, which have an ending each. */
const english =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  );
const german =
  'erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft dreizehnt vierzehnt fünfzehnt sechzehnt siebzehnt achtzehnt neunzehnt zwanzigst'.split(
    ' ',
  );
const germanEndings = ['e', 'er', 'en', 'es', 'em'];
/** `4th`, or `4.` inside a German sentence; the year of a date has another full stop before it. */
const numbered = /(?<![\p{L}\p{N}.,/-])(\d{1,2})(st|nd|rd|th|\.(?=\s\p{L}))(?![\p{L}\p{N}])/gu;
const word = /\p{L}+/gu;
/** Characters of a question that are looked at. */
const maxLength = 2000;

/**
 * How else the ordinal numbers of a question are written: `fourth` for 4th and the other way round, and German `vierte`
 * for 4.
 * @returns each as a term, with the question's own
 */
export function otherOrdinals(text: string): Map<string, string> {
  const others = new Map<string, string>();
  const add = (written: string, own: string) => {
    const [[term], [asked]] = [analyze(written), analyze(own)];
    if (term !== undefined && asked !== undefined && term !== asked && !others.has(term)) others.set(term, asked);
  };
  const looked = text.slice(0, maxLength);
  for (const [own, digits = '', sign = ''] of looked.matchAll(numbered)) {
    const place = Number(digits) - 1;
    if (sign !== '.' && english[place] !== undefined) add(english[place], own);
    const stem = sign === '.' ? german[place] : undefined;
    if (stem !== undefined) for (const ending of germanEndings) add(stem + ending, own);
  }
  for (const [own] of looked.matchAll(word)) {
    const place = english.indexOf(own.toLowerCase());
    if (place >= 0) add(`${place + 1}${endingOf(place + 1)}`, own);
  }
  return others;
}

/** Of numbers up to twenty. */
function endingOf(number: number): string {
  return ['st', 'nd', 'rd'][number - 1] ?? 'th';
}
