/** Words with fewer letters in common are no forms of each other. Arabic writes a root in three. */
const leastCommon = { arabic: 3, other: 5 };
const leastStart = 4;
/** Share of the longer word that two forms have in common at their start. */
const startShare = 0.65;

/**
 * Whether two terms are likely forms of one word (`finanzieren`, `Finanzierung`) or one is compounded with the other
 * (`Sicherheitsschuh`, `Schuh`). Numbers and codes have no forms.
 */
export function isFormOf(one: string, other: string): boolean {
  const short = one.length < other.length ? one : other;
  const long = short === one ? other : one;
  const first = short.charCodeAt(0);
  const isArabic = first >= 0x621 && first <= 0x64a;
  // Asked of every word of every candidate, so what is cheap and most often says no comes first.
  if (short.length < (isArabic ? leastCommon.arabic : leastStart)) return false;
  let common = 0;
  while (common < short.length && short.charCodeAt(common) === long.charCodeAt(common)) common++;
  const isForm =
    common >= Math.max(leastStart, startShare * long.length) ||
    (short.length >= (isArabic ? leastCommon.arabic : leastCommon.other) && long.includes(short));
  return isForm && !/[\d+#]/.test(short);
}

/** One slip in a word of five letters, two from nine on; a number or a code is never a slip of another. */
export function isSlipOf(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  if (shorter < 5 || /\d/.test(one) || /\d/.test(other)) return false;
  const most = shorter < 9 ? 1 : 2;
  return Math.abs(one.length - other.length) <= most && distance(one, other) <= most;
}

/** Edits between two words, two letters that changed places counted as one (Damerau 1964). */
function distance(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      }
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[other.length] ?? 0;
}
