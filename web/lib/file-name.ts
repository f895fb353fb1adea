const shortEnough = 20;
const maxExtensionLength = 8;
const keptOfStem = 6;

/**
 * Splits a file name where it may be shortened: the head may be cut when room is short, the tail (a little of the stem,
 * and the extension) always shows. Never splits what a reader sees as one character.
 */
export function splitFileName(name: string): { head: string; tail: string } {
  const characters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  if (characters.length <= shortEnough) return { head: name, tail: '' };
  const dot = characters.lastIndexOf('.');
  const extension = dot > 0 && characters.length - dot <= maxExtensionLength ? characters.length - dot : 0;
  const cut = characters.length - extension - keptOfStem;
  return { head: characters.slice(0, cut).join(''), tail: characters.slice(cut).join('') };
}
