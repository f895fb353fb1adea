const shortEnough = 20;
const maxExtensionLength = 8;
const keptOfStem = 6;
/** Letters of scripts that are written from right to left, and marks that turn the direction. */
const turns =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u200f\u202b\u202e\u2067]/u;

/**
 * Splits a file name where it may be shortened: the head may be cut when room is short, the tail (a little of the stem,
 * and the extension) always shows. Never splits what a reader sees as one character. A name that is written from right
 * to left keeps its stem in one piece: its end, beside the extension, would be read as its beginning.
 */
export function splitFileName(name: string): { head: string; tail: string } {
  const characters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  const isTurned = turns.test(name);
  if (characters.length <= shortEnough && !isTurned) return { head: name, tail: '' };
  const dot = characters.lastIndexOf('.');
  const extension = dot > 0 && characters.length - dot <= maxExtensionLength ? characters.length - dot : 0;
  const cut = characters.length - extension - (isTurned ? 0 : keptOfStem);
  return { head: characters.slice(0, cut).join(''), tail: characters.slice(cut).join('') };
}
