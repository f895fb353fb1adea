import type { Question } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import { createCoverage } from './coverage.ts';
import type { Unit } from './unit.ts';

/** A passage as claims are checked against it. */
export interface SupportingPassage {
  /** The file's name and the headings, whose words count for every sentence. */
  above: string;
  units: Unit[];
}

/** Share of the claim's weight that the best sentence and what stands around it must have. */
const leastCoverage = 0.2;
/** What words count that stand beside the sentence, in the same passage, or above it. */
const shares = { beside: 0.7, passage: 0.4, above: 0.9 };
/** Numbers and names stand for most of what can be wrong in a claim. */
const numberPattern = /\p{N}+(?:[.,'’]\p{N}+)*/gu;
const capitalised = /(?<![\p{L}\p{N}])(?<![.!?»“"]\s*)(?<!^\s*)\p{Lu}[\p{L}\p{N}\p{M}'’-]+/gu;
const negation =
  /\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|nicht|kein\w*|nie|niemals|niemand|ohne|weder|jamais|aucune?|sans|nunca|ning[uú]n\w*|sin|mai|nessun\w*|senza)\b|n[’']t\b|(?<=\bne\b.*)\bpas\b/giu;

/** Words behind a negation that it may deny. */
const reach = 5;

/**
 * The sentence, item or row of a passage that says what a claim says, or null: enough of its words stand there, all of
 * its numbers and names, and it denies nothing that the passage affirms, nor the other way round.
 * @param weigh the claim's words by their rarity in the company's documents
 */
export function supportFor(
  claim: string,
  { above, units }: SupportingPassage,
  weigh: (text: string) => Question,
): Unit | null {
  const question = weigh(claim);
  if (question.total === 0) return null;
  const { of, share } = createCoverage(question);
  const coverages = units.map((unit) => of(analyze(unit.text)));
  const aboveAll = of(analyze(above));
  const whole = of(units.flatMap((unit) => analyze(`${unit.text} ${headOf(unit)}`)));
  const everywhere = `${above} ${units.map((unit) => `${unit.text} ${headOf(unit)}`).join(' ')}`;
  if (!namesIn(claim, question).every((name) => hasName(everywhere, name))) return null;

  // A table's years stand in rows of their own, and a text's in the sentence that begins the story.
  const [years, numbers] = split(numbersIn(claim), (number) => /^(19|20)\d\d$/.test(number));
  const all = numbersIn(everywhere);
  if (!years.every((year) => all.has(year))) return null;

  let best: Unit | null = null;
  let most = 0;
  for (const [i, unit] of units.entries()) {
    const beside = [units[i - 1], unit, units[i + 1]].map((each) => each?.text ?? '').join(' ');
    const known = numbersIn(`${beside} ${headOf(unit)} ${above}`);
    if (!numbers.every((number) => known.has(number))) continue;
    const own = coverages[i];
    const base = share(own);
    const more = (...around: (typeof own)[]) => share(own, ...around) - base;
    const covered = Math.max(
      base + shares.above * more(aboveAll, of(analyze(headOf(unit)))),
      base + shares.beside * more(coverages[i - 1], coverages[i + 1], aboveAll),
      base + shares.passage * more(whole, aboveAll),
    );
    if (covered > most) {
      most = covered;
      best = unit;
    }
  }
  if (!best || most < leastCoverage) return null;
  if (plain(everywhere).includes(plain(claim))) return best;
  return deniesTheSame(claim, best.text, question) ? best : null;
}

function headOf({ heading, row }: Unit): string {
  return `${heading} ${row?.header?.join(' ') ?? ''}`;
}

/** Thousands are written in many ways: only the digits are compared, and where a fraction begins. */
function numbersIn(text: string): Set<string> {
  const found = text.normalize('NFKC').match(numberPattern) ?? [];
  return new Set(found.map((number) => number.replace(/[.,'’](?=\p{N}{3}(?!\p{N}))/gu, '').replaceAll(',', '.')));
}

/** Words with a capital that don't begin a sentence. In German all nouns have one: there it says nothing. */
function namesIn(text: string, { language }: Question): string[] {
  if (language === 'de') return [];
  return (text.match(capitalised) ?? []).filter((name) => name.length > 2);
}

/** Itself, a form of it, or for "EU" the words that it stands for. */
function hasName(text: string, name: string): boolean {
  if (/^\p{Lu}{2,5}$/u.test(name) && initials(text).includes(name.toLowerCase())) return true;
  const known = new Set(analyze(text));
  return analyze(name).some((term) => known.has(term) || [...known].some((other) => other.startsWith(term)));
}

function initials(text: string): string {
  return (text.match(/(?<!\p{L})\p{L}/gu) ?? []).join('').toLowerCase();
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .replace(/[.\s]+$/, '')
    .trim();
}

function split<T>(items: Iterable<T>, isFirst: (item: T) => boolean): [T[], T[]] {
  const all = [...items];
  return [all.filter(isFirst), all.filter((item) => !isFirst(item))];
}

/** Whether both deny what they speak of, or neither. What is denied of something else does not count. */
function deniesTheSame(claim: string, quote: string, { weights }: Question): boolean {
  const inQuote = new Set(analyze(quote));
  return denies(claim, (term) => inQuote.has(term)) === denies(quote, (term) => weights.has(term));
}

/** Whether a negation stands right before a word that both have. */
function denies(text: string, isShared: (term: string) => boolean): boolean {
  for (const { index, 0: word } of text.matchAll(negation)) {
    const next = analyze(text.slice(index + word.length).split(/[,;.:!?()]/)[0] ?? '').slice(0, reach);
    if (next.some(isShared)) return true;
  }
  return false;
}
