import { fold, type Span, spansOf } from './fold.ts';

/**
 * Finds words that a reader looks for: parts of words, too, whatever their case and accents. A word is found across the
 * end of a piece of text, but never where a space parts its letters.
 *
 * @param pieces of a page, in reading order
 * @returns for each place where they stand what it covers, in order
 */
export function findWords(pieces: readonly string[], words: string): Span[][] {
  const wanted = fold([[words.trim()]]);
  const { length } = wanted.letters;
  if (length === 0) return [];
  const text = fold([pieces]);
  const found: Span[][] = [];
  let from = 0;
  for (let at = text.letters.indexOf(wanted.letters); at >= 0; at = text.letters.indexOf(wanted.letters, from)) {
    const fits = Array.from({ length }, (_, place) => place).every(
      (place) => place === 0 || !text.spaced.has(at + place) || wanted.spaced.has(place),
    );
    from = fits ? at + length : at + 1;
    const [spans] = fits ? spansOf(text, [pieces], [[at, at + length]]) : [];
    if (spans) found.push(spans);
  }
  return found;
}
