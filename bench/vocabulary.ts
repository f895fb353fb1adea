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

/** Words that nobody has, in the order of how often they are used. */
export function makeWords(count: number): string[] {
  const random = lcg(7);
  const pick = (from: string[]) => from[Math.floor(random() * from.length)] ?? '';
  const words = new Set(grammar);
  while (words.size < count)
    words.add(Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(onsets) + pick(rimes)).join(''));
  return [...words];
}

/** Picks words as often as in real text: the n-th most frequent one with a share of 1/n (Zipf 1949). */
export function zipf(words: string[], random: () => number): () => string {
  const sums = new Float64Array(words.length);
  let sum = 0;
  for (let n = 0; n < words.length; n++) {
    sum += 1 / (n + 2.7);
    sums[n] = sum;
  }
  return () => {
    const wanted = random() * sum;
    let [low, high] = [0, words.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return words[low] ?? '';
  };
}
