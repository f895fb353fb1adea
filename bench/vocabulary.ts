/** A linear congruential generator (constants of Numerical Recipes): the same text at every run. */
export function lcg(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const onsets = [
  'b',
  'br',
  'c',
  'ch',
  'd',
  'f',
  'fl',
  'g',
  'h',
  'j',
  'k',
  'l',
  'm',
  'n',
  'p',
  'pl',
  'r',
  's',
  'st',
  't',
  'tr',
  'v',
  'w',
];
const rimes = ['a', 'an', 'ar', 'el', 'en', 'er', 'i', 'in', 'o', 'on', 'or', 'u', 'un', 'ut'];
const grammar = ['the', 'of', 'and', 'to', 'in', 'is', 'for', 'that', 'with', 'on', 'by', 'are', 'be', 'this', 'from'];

/** Made once: a node of a thousand companies asks for them a thousand times. */
const made = new Map<number, string[]>();

/** Words that nobody has, in the order of how often they are used. */
export function makeWords(count: number): string[] {
  const known = made.get(count) ?? newWords(count);
  made.set(count, known);
  return known;
}

function newWords(count: number): string[] {
  const random = lcg(7);
  const pick = (from: string[]) => from[Math.floor(random() * from.length)] ?? '';
  const words = new Set(grammar);
  while (words.size < count)
    words.add(Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(onsets) + pick(rimes)).join(''));
  return [...words];
}

/** Shares of the words up to each; those of the last number of words are kept. */
let shares = new Float64Array();

function sumsOf(count: number): Float64Array {
  if (shares.length === count) return shares;
  shares = new Float64Array(count);
  let sum = 0;
  for (let n = 0; n < count; n++) {
    sum += 1 / (n + 2.7);
    shares[n] = sum;
  }
  return shares;
}

/** Picks words as often as in real text: the n-th most frequent one with a share of 1/n (Zipf 1949). */
export function zipf(words: string[], random: () => number): () => string {
  const sums = sumsOf(words.length);
  return () => {
    const wanted = random() * (sums.at(-1) ?? 0);
    let [low, high] = [0, words.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return words[low] ?? '';
  };
}
