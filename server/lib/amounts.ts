/**
 * A round amount is written in many ways (`2.5 million`, `2,500,000`, `2.500.000`, `2,5 Mio`). Before each stands one
 * word that is the same for all of them, so that it is found by any. Exact ones are not said otherwise.
 */

/** Whether there may be one: most texts have none, and pass at once. */
const suspected = /\d[.,'’\u00a0\u202f]000(?!\d)|\d\s?\p{L}{2,10}/u;
const scales: Record<string, number> = {
  thousand: 1e3,
  tausend: 1e3,
  tsd: 1e3,
  mil: 1e3,
  mille: 1e3,
  mila: 1e3,
  million: 1e6,
  millions: 1e6,
  millionen: 1e6,
  millones: 1e6,
  millón: 1e6,
  milione: 1e6,
  milioni: 1e6,
  mio: 1e6,
  mn: 1e6,
  billion: 1e9,
  billions: 1e9,
  bn: 1e9,
  milliarde: 1e9,
  milliarden: 1e9,
  milliard: 1e9,
  milliards: 1e9,
  miliardo: 1e9,
  miliardi: 1e9,
  mrd: 1e9,
  trillion: 1e12,
};
const begin = "(?<![\\p{L}\\p{N}][.,'’]?)";
const scaled = new RegExp(`${begin}(\\d{1,4}(?:[.,]\\d{1,3})?)\\s?(${Object.keys(scales).join('|')})(?!\\p{L})`, 'giu');
const grouped = new RegExp(
  `${begin}(\\d{1,3}(?:([.,'’\\u00a0\\u202f])\\d{3}(?:\\2\\d{3}){0,3})?)(?!\\d|[.,]\\d)`,
  'gu',
);
/** Smaller ones are years and numbers of rooms. */
const minAmount = 10_000;

/** The text with a word for each of its round amounts before it: `n2500000`. */
export function markAmounts(text: string): string {
  if (!suspected.test(text)) return text;
  return text
    .replace(grouped, (all: string, number: string, joint?: string) =>
      joint !== undefined && number.endsWith('000') ? marked(Number(number.replaceAll(joint, '')), all) : all,
    )
    .replace(scaled, (all: string, number: string, scale: string) =>
      marked(Number(number.replace(',', '.')) * (scales[scale.toLowerCase()] ?? Number.NaN), all),
    );
}

/** Whether a term is one that stands for a round amount, beside those of its parts. */
export function isAmountTerm(term: string): boolean {
  return /^n\d{5,16}$/.test(term);
}

function marked(value: number, all: string): string {
  const whole = Math.round(value);
  // What is left of a tenth in binary is no part of it.
  return whole >= minAmount && Math.abs(value - whole) < 1e-3 && whole % 1000 === 0 ? `n${whole} ${all}` : all;
}
