/** Finds a cited quote among the pieces of text that a PDF's pages are made of. */
import { type Folded, fold, letters, type Span, type Stretch, spansOf } from './fold.ts';

export interface Quote {
  quote: string;
  /** The text just before and after it: tells apart a quote that stands several times. */
  before: string;
  after: string;
}

/**
 * Finds a quote on consecutive pages, each given as its pieces of text in reading order. Spaces, hyphens, ligatures,
 * accents and case don't count, since the text that was quoted has been mended (words joined over line ends, cells
 * over columns). What stands between the end of a page or column and its continuation is skipped.
 *
 * @returns for each page what to mark, in order; null when the quote does not stand there
 */
export function findQuote(pages: readonly (readonly string[])[], { quote, before, after }: Quote): Span[][] | null {
  const wanted = letters(quote);
  if (wanted === '') return null;
  const text = fold(pages);
  const stretch = wholeQuote(text, wanted, letters(before), letters(after)) ?? brokenQuote(text, wanted);
  return stretch && spansOf(text, pages, stretch);
}

function wholeQuote(text: Folded, wanted: string, before: string, after: string): Stretch | null {
  let best = -1;
  let bestFit = -1;
  for (let at = text.letters.indexOf(wanted); at >= 0; at = text.letters.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const fit = commonEnd(text.letters, at, before) + commonStart(text.letters, end, after);
    if (fit > bestFit) [best, bestFit] = [at, fit];
  }
  return best < 0 ? null : [[best, best + wanted.length]];
}

function commonEnd(text: string, end: number, before: string): number {
  let length = 0;
  while (length < before.length && length < end && text[end - 1 - length] === before[before.length - 1 - length])
    length++;
  return length;
}

function commonStart(text: string, start: number, after: string): number {
  let length = 0;
  while (length < after.length && start + length < text.length && text[start + length] === after[length]) length++;
  return length;
}

/** A footer and the next page's header, or a figure between two columns: no more than this may stand in between. */
const widestGap = 1200;
/** A shorter part stands everywhere, and proves nothing. */
const minPartLength = 3;

/** The quote in two parts: one up to the end of a piece of text, the rest from the start of a later one. */
function brokenQuote(text: Folded, wanted: string): Stretch | null {
  for (let cut = wanted.length - minPartLength; cut >= minPartLength; cut--) {
    const head = wanted.slice(0, cut);
    const rest = wanted.slice(cut);
    for (let at = text.letters.indexOf(head); at >= 0; at = text.letters.indexOf(head, at + 1)) {
      const end = at + cut;
      if (!startsItem(text, end)) continue;
      for (let next = text.letters.indexOf(rest, end); next >= 0; next = text.letters.indexOf(rest, next + 1)) {
        if (next - end > widestGap) break;
        if (startsItem(text, next))
          return [
            [at, end],
            [next, next + rest.length],
          ];
      }
    }
  }
  return null;
}

function startsItem({ origin }: Folded, at: number): boolean {
  const here = origin[at];
  const last = origin[at - 1];
  return here === undefined || last === undefined || here.item !== last.item || here.page !== last.page;
}
