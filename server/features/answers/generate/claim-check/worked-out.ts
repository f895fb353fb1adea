import type { Fact } from './facts/facts.ts';
import type { ReadUnit } from './relation.ts';

/** Of one sentence or row; of more nobody can say which two were meant. */
const maxNumbers = 12;
/** So much a number may be off, as a share of it, however roughly it is written. */
const maxOff = 0.05;
const never = /^(?:order|weekday|date|clock|year)$/;

/**
 * Whether a number that stands nowhere follows from those that do: by how much two differ, what they are together,
 * which share one is of the other, or one of them with fewer digits. Whoever says so has counted, and words cannot tell
 * whether rightly.
 * @param near the sentences that the claim rests on; by how much two numbers differ may be said of any sentence
 */
export function isWorkedOut(fact: Fact, near: readonly ReadUnit[], all: readonly ReadUnit[]): boolean {
  const { quantity, isChange } = fact;
  if (!quantity || never.test(quantity.of)) return false;
  const isDifference = isChange || quantity.of === 'points';
  const kind = quantity.of === 'points' ? 'percent' : quantity.of;
  const isMeant = (value: number) => quantity.values.some((own) => Math.abs(own - value) <= tolerance(fact, own));
  return (isDifference ? all : near).some(({ read }) => {
    const numbers = read.facts.filter((there) => there.quantity && !never.test(there.of)).slice(0, maxNumbers);
    const valuesOf = (of: string) =>
      numbers.flatMap((there) => (there.of === of ? (there.quantity?.values ?? []) : []));
    const own = valuesOf(kind);
    return (
      (!isDifference && own.some(isMeant)) ||
      own.some((one) =>
        own.some((other) => one > other && (isMeant(one - other) || (!isDifference && isMeant(one + other)))),
      ) ||
      (kind === 'percent' &&
        [...new Set(numbers.map(({ of }) => of))].some((of) => {
          const values = valuesOf(of);
          return values.some((one) =>
            values.some((other) => one !== other && other !== 0 && isShare(one, other, isMeant)),
          );
        }))
    );
  });
}

/** What figures count, as tables say over them: "in millions". */
const scales: readonly (readonly [pattern: RegExp, factor: number])[] = [
  [/(?<!\p{L})(?:thousands?|tausend|milliers|miles)(?!\p{L})|['’]000(?!\d)/iu, 1e3],
  [/(?<!\p{L})(?:millions?|millionen|mio|millones)(?!\p{L})/iu, 1e6],
  [/(?<!\p{L})(?:billions?|milliarden|mrd|milliards)(?!\p{L})/iu, 1e9],
];

/**
 * Whether a number is one of the sentences that a claim rests on by what the passage says that its figures count: not
 * every table is read with what stands over it.
 */
export function isScaled({ quantity }: Fact, near: readonly ReadUnit[], plain: string): boolean {
  if (!quantity || never.test(quantity.of)) return false;
  const values = near.flatMap(({ read }) =>
    read.facts.flatMap(({ quantity: there }) => (there && !never.test(there.of) ? there.values : [])),
  );
  return scales.some(
    ([word, factor]) =>
      word.test(plain) &&
      values.some((value) => quantity.values.some((own) => Math.abs(own - value * factor) <= 1e-9 * own)),
  );
}

/** One number as a share of the other, or how far it lies above or below it, in percent. */
function isShare(one: number, other: number, isMeant: (value: number) => boolean): boolean {
  const share = (100 * one) / other;
  return isMeant(share) || isMeant(Math.abs(share - 100));
}

/** Half of what the last digit counts that is not a zero; of a share in words ("a third") a tenth of it. */
function tolerance({ isDigits, step, quantity }: Fact, value: number): number {
  if (!isDigits && quantity?.of === 'percent') return Math.abs(value) / 10;
  const [whole = '', decimals = ''] = String(Number(value.toPrecision(12))).split('.');
  const last = decimals === '' ? 10 ** (/0*$/.exec(whole)?.[0].length ?? 0) : 10 ** -decimals.length;
  return Math.min((step ?? last) / 2, maxOff * Math.abs(value)) * (1 + 1e-9);
}
