/** A generator of the same numbers at every run (mulberry32, public domain, by Tommy Ettinger). */
export interface Random {
  /** From 0 up to 1, exclusive. */
  next(): number;
  /** A whole number from `from` to `to`, both inclusive. */
  between(from: number, to: number): number;
  pick<T>(from: readonly T[]): T;
  /** One of the names, each as often as its weight says. */
  weighted<Name extends string>(weights: Record<Name, number>): Name;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const random: Random = {
    next() {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
    between: (from, to) => from + Math.floor(random.next() * (to - from + 1)),
    pick(from) {
      const picked = from[Math.floor(random.next() * from.length)];
      if (picked === undefined) throw new Error('nothing to pick from');
      return picked;
    },
    weighted(weights) {
      const names = Object.keys(weights) as (keyof typeof weights)[];
      let left = random.next() * names.reduce((sum, name) => sum + weights[name], 0);
      for (const name of names) {
        left -= weights[name];
        if (left < 0) return name;
      }
      return random.pick(names);
    },
  };
  return random;
}
