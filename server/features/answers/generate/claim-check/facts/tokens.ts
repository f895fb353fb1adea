import { endsInAbbreviation } from '../../../extract/units.ts';

/** A word, number, code or sign of a text as claims are compared. */
export interface Token {
  kind: 'word' | 'number' | 'code' | 'sign';
  /** As it is written, NFKC. */
  text: string;
  /** In lower case, without accents. */
  folded: string;
  /** Of a number: what it may mean. "1.500" is a thousand and a half, or one and a half. */
  values: readonly number[];
  /** It begins a sentence, an item or a cell: its capital says nothing. */
  begins: boolean;
  /** No blank stands before it. */
  glued: boolean;
  /** Counts up at each comma, conjunction or other mark between parts of a sentence. */
  segment: number;
}

/** Tokens that are looked at of one text; what is longer is no sentence. */
const maxTokens = 400;
/** UTF-16 code units of one word or code. */
const maxTokenLength = 60;
const maxLength = 4000;

const token =
  /(?<number>(?<![\p{L}\p{N}])[-−+]?(?:\p{Nd}{1,3}(?:[ ’']\p{Nd}{3})+(?!\p{Nd})|\p{Nd}+(?:[.,]\p{Nd}{3})*(?!\p{Nd}))(?:[.,]\p{Nd}+)?)(?!(?:st|nd|rd|th|er|re|e|ème|eme|o|a)(?!\p{L}))(?=\p{L}{0,4}(?![\p{L}\p{N}]|[-/.:]\p{L}?\p{N}\p{N}\p{N}|[-/.]\p{N}))|(?<word>[\p{L}\p{M}\p{N}]+(?:[-./_'’&][\p{L}\p{M}\p{N}]+)*\+*)|(?<sign>[%‰€$£¥°<>≤≥~≈/]|[.,;:!?()|–—\n"“”«»…])/gu;
/** "0-40" and "5-30", in one word. */
const range = /^(\d+(?:[.,]\d+)?)-(\d+(?:[.,]\d+)?)$/;
/** "l'entreprise", "d'euros". */
const elision = /^(?:[ldjmnstc]|qu|lorsqu|puisqu)['’](?=\p{L})/iu;
/** "T-cell" and "T cell" are the same. */
const hyphenated = /^([A-DF-Z])-(\p{Ll}{2,})$/u;
const code = /^(?=.*\p{N})(?=.*\p{L})/u;
const breaks = /^[,;:|—\n…]$/;
const ends = /^[.!?|\n]$/;
/** Words that lead to the next part of a sentence, in every language that is known here. */
const conjunctions = wordSet(
  'and or but while whereas otherwise und oder aber während sonst sowie et ou mais tandis sinon y e o u pero mientras sino',
);

/** Splits a text into tokens; of a very long one its beginning. */
export function tokensIn(text: string): Token[] {
  const tokens: Token[] = [];
  let segment = 0;
  let begins = true;
  const whole = text.slice(0, maxLength).normalize('NFKC');
  for (const { 0: raw, groups, index } of whole.matchAll(token)) {
    if (tokens.length >= maxTokens) break;
    const glued = index > 0 && !/\s/.test(whole.charAt(index - 1));
    const written = raw.slice(0, maxTokenLength).toWellFormed();
    const folded = fold(written);
    if (groups?.sign !== undefined) {
      const isEnd =
        ends.test(raw) && !(raw === '.' && endsInAbbreviation(whole.slice(Math.max(0, index - 60), index + 1)));
      if (breaks.test(raw) || isEnd) segment++;
      tokens.push({ kind: 'sign', text: raw, folded: raw, values: [], begins: false, glued, segment });
      if (isEnd || /^["“«]$/.test(raw)) begins = true;
      continue;
    }
    const [, from, to] = range.exec(written) ?? [];
    if (from !== undefined && to !== undefined) {
      const common = { kind: 'number', begins, glued, segment } as const;
      tokens.push({ ...common, text: from, folded: from, values: valuesOf(from) });
      tokens.push({ kind: 'sign', text: '–', folded: '–', values: [], begins: false, glued, segment });
      tokens.push({ ...common, text: to, folded: to, values: valuesOf(to) });
      begins = false;
      continue;
    }
    if (conjunctions.has(folded)) segment++;
    if (groups?.number !== undefined) {
      const before = whole[index - 1] ?? ' ';
      const sign = /^[-−]/.test(raw) && /[\s(|:]/.test(before) ? -1 : 1;
      const values = valuesOf(raw.replace(/^[-−+]/, '')).map((value) => sign * value);
      tokens.push({ kind: 'number', text: written, folded, values, begins, glued, segment });
    } else {
      const [, letter, rest] = hyphenated.exec(written) ?? [];
      if (letter !== undefined && rest !== undefined) {
        tokens.push({ kind: 'code', text: letter, folded: fold(letter), values: [], begins, glued, segment });
        tokens.push({ kind: 'word', text: rest, folded: fold(rest), values: [], begins: false, glued: true, segment });
        begins = false;
        continue;
      }
      const own = written.replace(elision, '');
      const isFirst = begins || tokens.at(-1)?.folded === ':';
      const isCode = (code.test(own) && /\p{Lu}|[-/]/u.test(own)) || (!isFirst && /^\p{Lu}$/u.test(own) && own !== 'I');
      tokens.push({ kind: isCode ? 'code' : 'word', text: own, folded: fold(own), values: [], begins, glued, segment });
    }
    begins = false;
  }
  return tokens;
}

/** Words parted by blanks, as `folded` of a token has them. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(fold(list).trim().split(/\s+/));
}

/** In lower case and without accents, so that all forms of a word in the tables are one. */
export function fold(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').replaceAll('’', "'");
}

/** "1,500" is one thousand five hundred or one and a half; "0.318" can only be the latter. */
function valuesOf(written: string): number[] {
  const digits = written.replaceAll(/[ ’']/g, '');
  const marks = [...digits.matchAll(/[.,]/g)];
  const [first, last] = [marks[0], marks.at(-1)];
  if (!first || !last) return [Number(digits)];
  const asDecimal = Number(`${digits.slice(0, last.index).replaceAll(/[.,]/g, '')}.${digits.slice(last.index + 1)}`);
  const grouped = /^[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(digits);
  if (grouped && marks.length > 1 && marks.every((mark) => mark[0] === first[0]))
    return [Number(digits.replaceAll(/[.,]/g, ''))];
  // Nobody writes a whole number with three decimals.
  if (grouped && digits.endsWith('000')) return [Number(digits.replaceAll(/[.,]/g, ''))];
  if (grouped && marks.length === 1) return [Number(digits.replaceAll(/[.,]/g, '')), asDecimal];
  return [asDecimal];
}
