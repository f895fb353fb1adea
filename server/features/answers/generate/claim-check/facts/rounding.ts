import type { Quantity } from './dates.ts';
import type { Bound } from './polarity.ts';
import { type Token, wordSet } from './tokens.ts';

/** A number with what the words around it say of it. */
interface Given {
  quantity: Quantity | null;
  bound: Bound | null;
  step: number | null;
}

/** Before a number that is not given exactly. */
const about = wordSet(
  'about around roughly approximately nearly almost some circa ca rund etwa ungefahr knapp fast environ pres presque quelque unos unas aproximadamente cerca casi alrededor ~ ≈',
);
/** Between these and the number. */
const between = wordSet('. of a an the de d a l los las');
/** Words before a number among which they are looked for. */
const reach = 3;
/** So much a number may be off, as a share of it, however roughly it is written. */
const maxOff = { about: 0.05, bound: 0.1 };
const kinds = /^(?:order|weekday|date|clock|year)$/;

/** How much the last digit counts that is not filled up with a zero, where words say that the number is rounded. */
export function stepOf(
  { of, start, end, values }: Quantity,
  tokens: readonly Token[],
  bound: Bound | null,
): number | null {
  const at = tokens.slice(start, end).findIndex(({ kind }) => kind === 'number') + start;
  const written = at < start ? undefined : tokens[at];
  const [value, raw] = [values[0], written?.values[0]];
  if (!written || !value || !raw || kinds.test(of) || (bound === null && !isAbout(tokens, start))) return null;
  const [, zeros = ''] = /(0*)$/.exec(String(raw)) ?? [];
  const decimals = String(raw).split('.')[1]?.length ?? 0;
  return (Math.abs(value / raw) * 10 ** zeros.length) / 10 ** decimals;
}

function isAbout(tokens: readonly Token[], start: number): boolean {
  for (let at = start - 1; at >= start - reach; at--) {
    const word = tokens[at]?.folded ?? '';
    if (about.has(word)) return true;
    if (!between.has(word)) return false;
  }
  return false;
}

/** Whether a claim's number is another one rounded: "about 367,000" or "more than 367,000" for 367,402. */
export function isRounded(one: Given, { quantity, bound }: Omit<Given, 'step'>): boolean {
  const { quantity: asked, step } = one;
  if (!asked || !quantity || step === null || kinds.test(quantity.of) || (one.bound !== null && bound !== null))
    return false;
  const scale = asked.of === quantity.of ? 1 : asked.base / quantity.base;
  return asked.values.some((value) =>
    quantity.values.some((each) => {
      const off = each * scale - value;
      if (one.bound === null) return Math.abs(off) <= Math.min(step / 2, maxOff.about * Math.abs(value)) * (1 + 1e-9);
      const over = one.bound === 'up' ? off : -off;
      return over > 0 && over < step && over <= maxOff.bound * Math.abs(value);
    }),
  );
}
