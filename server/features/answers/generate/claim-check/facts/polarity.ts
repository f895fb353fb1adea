import type { Quantity } from './dates.ts';
import { opposites } from './opposites.ts';
import { fold, type Token, wordSet } from './tokens.ts';

/** The bound that words around a number set: it, or what comes after it (`up`), or before it (`down`). */
export type Bound = 'up' | 'down';

/** Phrases before a number, longest first; those that begin with a negation deny nothing. */
const boundsBefore: Record<Bound, string> = {
  up: `not less than|no less than|no fewer than|not fewer than|not under|not below|not before|no earlier than|not earlier than|no shorter than|at least|minimum of|a minimum of|minimum|more than|longer than|higher than|greater than|larger than|over|above|exceeding|exceeds|exceed|beyond|from|starting|since|as of|after|upwards of
    mindestens|wenigstens|nicht weniger als|nicht vor|nicht unter|frühestens|mehr als|länger als|höher als|größer als|über|oberhalb|ab dem|ab|seit|nach dem|nach|von mindestens
    au moins|au minimum|minimum|pas moins de|plus de|supérieur à|supérieure à|supérieurs à|au dessus de|au-dessus de|à partir du|à partir de|à compter du|dès le|dès|depuis|après le|après
    al menos|por lo menos|como mínimo|mínimo|no menos de|más de|superior a|superiores a|por encima de|a partir del|a partir de|desde el|desde|después del|después de`,
  down: `not more than|no more than|not over|not above|not longer than|no longer than|no later than|not later than|not after|not exceed|not exceeding|not beyond|no greater than|at most|at the most|maximum of|a maximum of|maximum|up to|limited to|restricted to|capped at|less than|fewer than|shorter than|lower than|smaller than|under|below|within|until|till|before|by
    höchstens|maximal|begrenzt auf|beschränkt auf|nicht mehr als|nicht länger als|nicht über|nicht nach|nicht höher als|bis zu|bis zum|bis|spätestens|weniger als|kürzer als|niedriger als|kleiner als|unter|unterhalb|innerhalb von|innerhalb|binnen|vor dem|vor
    au plus|au maximum|maximum|limité à|limitée à|limités à|pas plus de|jusqu'à|jusqu'au|moins de|inférieur à|inférieure à|au dessous de|au-dessous de|en dessous de|dans les|avant le|avant|sous
    como máximo|a lo sumo|máximo|limitado a|limitada a|limitados a|no más de|hasta el|hasta|menos de|inferior a|inferiores a|por debajo de|dentro de|en un plazo de|antes del|antes de`,
};
const boundsBehind: Record<Bound, string> = {
  up: `or more|or longer|or over|or above|or higher|or later|and more|and over|and above|and longer|at least|onwards|upwards|minimum|above|higher|more|dearer|longer|longer than
    oder mehr|oder länger|oder höher|und mehr|und länger|mindestens|über|mehr|höher|länger|teurer
    ou plus|et plus|au moins|minimum|au-dessus|de plus|supérieur
    o más|y más|al menos|como mínimo|por encima|más|mínimo`,
  down: `or less|or fewer|or under|or below|or shorter|or earlier|at most|at the most|maximum|max|below|lower|less|fewer|cheaper|shorter
    oder weniger|oder kürzer|höchstens|maximal|unter|weniger|niedriger|kürzer|günstiger
    ou moins|au plus|au maximum|maximum|au-dessous|en dessous|de moins|inférieur
    o menos|como máximo|a lo sumo|por debajo|menos|máximo`,
};

const rangeJoints = wordSet("to bis until à jusqu'à jusqu'au hasta – -");

interface Phrase {
  words: string[];
  bound: Bound;
}

function phrasesOf(table: Record<Bound, string>): Map<string, Phrase[]> {
  const all = (['up', 'down'] as const).flatMap((bound) =>
    table[bound].split(/[|\n]/).map((phrase): Phrase => ({ words: fold(phrase.trim()).split(' '), bound })),
  );
  return Map.groupBy(
    all.filter(({ words }) => words[0] !== '').sort((one, other) => other.words.length - one.words.length),
    ({ words }) => words[0] ?? '',
  );
}

const before = phrasesOf(boundsBefore);
const behind = phrasesOf(boundsBehind);
/** Words between a bound and its number. */
const fillers = wordSet(
  'a an the of to total roughly about approximately some around the der dem den die das von etwa rund ca le la les du de el los las unos un une up price an amount value einem einer',
);

/** Before what something was, behind a word that says how it changes. */
const levels = /^(?:from|desde)$/;
const levelReach = 10;
const isTurn = ({ kind, folded }: Token) => kind === 'word' && turns(folded);

/** What the words around a number say of its direction, and which tokens they are. */
export function boundOf({ start, end }: Quantity, tokens: readonly Token[]): { bound: Bound | null; used: number[] } {
  // "From five to ten" bounds neither of both.
  if (rangeJoints.has(tokens[end]?.folded ?? '') && tokens[end + 1]?.kind === 'number')
    return { bound: null, used: [] };
  let from = start;
  for (let skipped = 0; skipped <= 3; skipped++) {
    for (let length = 4; length >= 1; length--) {
      const at = from - length;
      const found = at < 0 ? undefined : matchAt(before, tokens, at, length);
      // "Rose to 3.2 million from 2 million" says what it was.
      if (found && levels.test(tokens[at]?.folded ?? '') && tokens.slice(Math.max(0, at - levelReach), at).some(isTurn))
        return { bound: null, used: [] };
      if (found) return { bound: found.bound, used: Array.from({ length }, (_, i) => at + i) };
    }
    const word = tokens[from - 1];
    if (!word || !fillers.has(word.folded)) break;
    from--;
  }
  for (let length = 3; length >= 1; length--) {
    const found = matchAt(behind, tokens, end, length);
    if (found) return { bound: found.bound, used: Array.from({ length }, (_, i) => end + i) };
  }
  return { bound: null, used: [] };
}

function matchAt(
  table: Map<string, Phrase[]>,
  tokens: readonly Token[],
  at: number,
  length: number,
): Phrase | undefined {
  return table
    .get(tokens[at]?.folded ?? '')
    ?.find(({ words }) => words.length === length && words.every((word, i) => tokens[at + i]?.folded === word));
}

interface Side {
  words: ReadonlySet<string>;
  starts: readonly string[];
}
const pairs = opposites
  .trim()
  .split('\n')
  .map((line) => {
    const [one = '', other = ''] = line.split('|');
    return [sideOf(one), sideOf(other)] as const;
  });

function sideOf(list: string): Side {
  const words = list.trim().split(/\s+/);
  return {
    words: new Set(words.filter((word) => !word.endsWith('*'))),
    starts: words.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1)),
  };
}

/** The number of the pair that says how something changes. */
const change = pairs.findIndex(([side]) => side.starts.includes('increas')) + 1;
/** Which pairs of opposites a word belongs to: the pair's number, negative for its second side. */
const known = new Map<string, readonly number[]>();
const maxKnown = 20_000;

/** German writes these and what they belong to in one word: "Gesamtausgaben", "Jahresende". */
const compound = /^(?:gesamt|jahres|quartals|monats|netto|brutto|projekt|personal)(?=\p{L}{4})/u;

/** Whether a word says that something rises or falls. */
export function turns(folded: string): boolean {
  return sidesOf(folded).some((side) => Math.abs(side) === change);
}

/** Whether a word that says that something changes says that it rises. */
export function rises(folded: string): boolean {
  return sidesOf(folded).includes(change);
}

/**
 * The pairs of opposites that a word belongs to, by their numbers from 1; negative: to the second side.
 * @param folded the word without capitals and accents
 */
export function sidesOf(folded: string): readonly number[] {
  const before = known.get(folded);
  if (before) return before;
  const found: number[] = [];
  const own = folded.replace(compound, '');
  if (own !== folded && own.length > 3) return sidesOf(own);
  for (const [i, sides] of pairs.entries()) {
    const isIn = sides.map(
      ({ words, starts }) => words.has(folded) || starts.some((start) => start.length >= 3 && folded.startsWith(start)),
    );
    // In both it tells nothing.
    if (isIn[0] !== isIn[1]) found.push(isIn[0] ? i + 1 : -(i + 1));
  }
  if (known.size >= maxKnown) known.clear();
  known.set(folded, found);
  return found;
}
