/** Words with fewer letters in common are no forms of each other. Arabic writes a root in three. */
const minCommon = { arabic: 3, other: 5 };
const minStart = 4;
/** Share of the longer word that two forms have in common at their start. */
const startShare = 0.65;
/** What is longer is no word: an address, a key, or a text without blanks, which would be compared for seconds. */
export const maxWordLength = 64;

/**
 * Whether two terms are likely forms of one word (`finanzieren`, `Finanzierung`) or one is compounded with the other
 * (`Sicherheitsschuh`, `Schuh`). Numbers and codes have no forms.
 */
export function isFormOf(one: string, other: string): boolean {
  const short = one.length < other.length ? one : other;
  const long = short === one ? other : one;
  if (long.length > maxWordLength) return false;
  const first = short.charCodeAt(0);
  const isArabic = first >= 0x621 && first <= 0x64a;
  // Asked of every word of every candidate, so what is cheap and most often says no comes first.
  if (short.length < (isArabic ? minCommon.arabic : minStart)) return false;
  let common = 0;
  while (common < short.length && short.charCodeAt(common) === long.charCodeAt(common)) common++;
  const isForm =
    common >= Math.max(minStart, startShare * long.length) ||
    (short.length >= (isArabic ? minCommon.arabic : minCommon.other) && long.includes(short));
  return isForm && !/[\d+#]/.test(short);
}

/** One slip in a word of five letters, two from nine on; a number or a code is never a slip of another. */
export function isSlipOf(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  if (shorter < 5 || Math.max(one.length, other.length) > maxWordLength) return false;
  const most = shorter < 9 ? 1 : 2;
  if (Math.abs(one.length - other.length) > most || /\d/.test(one) || /\d/.test(other)) return false;
  return areWithin(one, other, most);
}

/** More edits than any slip has. */
const far = 9;
/** Three rows of the table of distances in turn, with a column on each side. */
const rows = Array.from({ length: 3 }, () => new Uint8Array(maxWordLength + 3)) as [Uint8Array, Uint8Array, Uint8Array];

/**
 * Whether two words are at most so many edits apart, two letters that changed places counted as one (Damerau 1964).
 * Only the band of the table is filled in that so few edits can reach (Ukkonen 1985).
 */
function areWithin(one: string, other: string, most: number): boolean {
  let [before, last, row] = rows;
  for (let j = 0; j <= Math.min(other.length, most + 1); j++) last[j] = Math.min(j, far);
  for (let i = 1; i <= one.length; i++) {
    const from = Math.max(1, i - most);
    const to = Math.min(other.length, i + most);
    row[from - 1] = from === 1 ? Math.min(i, far) : far;
    let least = row[from - 1] ?? far;
    for (let j = from; j <= to; j++) {
      const exchanged = one.charCodeAt(i - 1) === other.charCodeAt(j - 1) ? 0 : 1;
      let edits = Math.min((last[j] ?? far) + 1, (row[j - 1] ?? far) + 1, (last[j - 1] ?? far) + exchanged);
      if (
        i > 1 &&
        j > 1 &&
        one.charCodeAt(i - 1) === other.charCodeAt(j - 2) &&
        one.charCodeAt(i - 2) === other.charCodeAt(j - 1)
      )
        edits = Math.min(edits, (before[j - 2] ?? far) + 1);
      row[j] = Math.min(edits, far);
      least = Math.min(least, row[j] ?? far);
    }
    row[to + 1] = far;
    if (least > most) return false;
    [before, last, row] = [last, row, before];
  }
  return (last[other.length] ?? far) <= most;
}
