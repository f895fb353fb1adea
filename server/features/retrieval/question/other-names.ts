import { analyze } from '#server/lib/analyze.ts';

/**
 * A name of two to four words with capitals, perhaps with a small word or a sign between them. A word of it has an end,
 * and begins with its first capital: of a word without any end each of its letters would be read to its last one.
 */
const name =
  /(?<!\p{Lu})\p{Lu}[\p{L}\p{N}]{0,60}(?:\s+(?:(?:&|and|und|et|y|e|of|the|de)\s+)?\p{Lu}[\p{L}\p{N}]{0,60}){1,3}/gu;
const joint = /\s+(?:(?:&|and|und|et|y|e|of|the|de)\s+)?/u;
/** Fewer initials are those of many names. */
const minInitials = 3;
/** Of a text in which every word has a capital. */
const maxNames = 12;

/**
 * How else a name of several words is written, as files and tables do: in one word (`AMERICANEXPRESS` for American
 * Express), by its initials (`GDPR`, `J&J`).
 * @returns each as a term, with the terms of the name that it stands for
 */
export function otherNames(text: string): Map<string, string[]> {
  const others = new Map<string, string[]>();
  for (const [run] of [...text.matchAll(name)].slice(0, maxNames)) {
    const words = run.split(joint);
    for (let from = 0; from < words.length - 1; from++) {
      for (let to = from + 2; to <= words.length; to++) {
        const some = words.slice(from, to);
        const terms = analyze(some.join(' '));
        const initials = some.map((word) => word.charAt(0));
        for (const written of [
          some.join(''),
          ...(initials.length >= minInitials ? [initials.join('')] : []),
          ...(/&/.test(run) && initials.length === 2 ? [initials.join('&')] : []),
        ]) {
          const [term] = analyze(written);
          if (term !== undefined && !others.has(term)) others.set(term, terms);
        }
      }
    }
  }
  return others;
}
