import type { ParsedPage } from '@llamaindex/liteparse';

/**
 * A consonant between blanks, and small letters behind it: "t he", "c hild", "fo r t hese". Of those that are left out
 * some are words in Slavic languages, and an x marks cells of tables.
 */
const lone = /(?<=\s)[bcdfghjlmnpqrt](?=\s\p{Ll})/gu;
/** A page that speaks of variables has some. */
const fewest = 8;
const share = 0.02;
/** Of these, what may be left where words are whole. */
const mostLeft = 0.25;

/**
 * Whether the layout reader has torn words of a page. Where letters have other widths than the file says, or are
 * pictures, it finds blanks behind single ones; pdf.js goes by what the file says.
 */
export function hasTornWords(page: ParsedPage): boolean {
  const { torn, words } = countOf(page);
  return torn >= fewest && torn >= words * share;
}

/** Whether most of them are whole in another reading of the page. */
export function isMended(page: ParsedPage, anew: ParsedPage): boolean {
  return countOf(anew).torn <= countOf(page).torn * mostLeft;
}

function countOf({ textItems }: ParsedPage): { torn: number; words: number } {
  const text = textItems.map(({ text }) => text).join(' ');
  return { torn: text.match(lone)?.length ?? 0, words: text.match(/\S+/g)?.length ?? 0 };
}
