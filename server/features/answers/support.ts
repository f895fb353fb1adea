import type { Question } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import { weakWords } from '#server/lib/stop-words.ts';
import { isSlipOf } from '#server/lib/word-forms.ts';
import type { Verdict, Why } from './checked-part.ts';
import { createCoverage } from './coverage.ts';
import type { Unit } from './unit.ts';
import { endsInAbbreviation } from './units.ts';

/** A passage as claims are checked against it. */
export interface SupportingPassage {
  /** The file's name and the headings, whose words count for every sentence. */
  above: string;
  units: Unit[];
}

/** Share of the claim's weight that the best sentence and what stands around it must have. */
const leastCoverage = { named: 0.2, unnamed: 0.5 };
/** What words count that stand beside the sentence, in the same passage, or above it. */
const shares = { beside: 0.7, passage: 0.4, above: 0.9 };
/** Numbers and names stand for most of what can be wrong in a claim. */
const numberPattern = /\p{N}+(?:[.,'’]\p{N}+)*/gu;
const capitalised = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}\p{M}'’-]+/gu;
/** Behind this a capital says nothing. */
const sentenceStart = /(?:^|[.!?»“"])\s*$/u;
const negation =
  /\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|nicht|kein\w*|nie|niemals|niemand|ohne|weder|jamais|aucune?|sans|nunca|ning[uú]n\w*|sin|mai|nessun\w*|senza)\b|n[’']t\b|(?<=\bne\b.*)\bpas\b/giu;

/** What looks like a negation and is none. */
const emphatic = /\b(?:not|nicht) (?:only|just|merely|nur|bloß)\b/giu;
/** "FY19" and "F19" are 2019. */
const fiscalYear = /\bFY? ?(\d\d)\b/;
/** Words behind a negation that it may deny. */
const reach = 5;
/** A sentence that has this share of the best one's words may support the claim in its place. */
const nearlyBest = 0.8;
/** Rows at the head of a table, whose numbers and units hold for all below. */
const headRows = 3;
const noNames = new Set(analyze(weakWords));

/** Negations in one sentence; of more nobody can say what it denies. */
const maxNegations = 12;
/** Sentences whose words support a claim nearly equally well, and whose negations are compared with it. */
const maxAlike = 40;
/** Behind a negation, in UTF-16 code units. */
const reachLength = 200;
/** Before a name, to see whether it begins a sentence. */
const beforeLength = 100;

/** What is looked at of a passage for every claim. */
interface Prepared {
  everywhere: string;
  plain: string;
  terms: Set<string>;
  numbers: Set<string>;
  initials: string;
  units: { unit: Unit; terms: string[]; head: string[]; near: Set<string> }[];
}
/** A written answer has many claims, and each is looked up in the same few passages. */
const prepared = new WeakMap<SupportingPassage, Prepared>();

/**
 * Checks a claim against a passage. It is supported by the sentence, item or row that says so: enough of its words
 * stand there, all of its numbers and names, and it denies nothing that the passage affirms, nor the other way round.
 * @param weigh the claim's words by their rarity in the company's documents
 * @param named whether the claim names the passage; where it names none, more of it must stand there
 */
export function checkClaim(
  claim: string,
  passage: SupportingPassage,
  weigh: (text: string) => Question,
  named: 'named' | 'unnamed' = 'named',
): Verdict {
  const question = weigh(claim);
  if (question.total === 0) return { outcome: 'not-checked', why: 'words', unit: null };
  const known = prepare(passage);
  if (!namesIn(claim, question).every((name) => hasName(known, name))) return otherwise('name');
  // A table's years stand in rows of their own, and a text's in the sentence that begins the story.
  const [years, numbers] = split(numbersIn(claim), (number) => /^(19|20)\d\d$/.test(number));
  if (!years.every((year) => known.numbers.has(year) || known.numbers.has(year.slice(2)))) return otherwise('number');

  const { of, share } = createCoverage(question);
  const coverages = known.units.map(({ terms }) => of(terms));
  const above = of(analyze(passage.above));
  const whole = of(known.terms);
  const found: { unit: Unit; covered: number }[] = [];
  for (const [i, { unit, head, near }] of known.units.entries()) {
    if (!numbers.every((number) => near.has(number))) continue;
    const own = coverages[i];
    const base = share(own);
    const more = (...around: (typeof own)[]) => share(own, ...around) - base;
    const covered = Math.max(
      base + shares.above * more(above, of(head)),
      base + shares.beside * more(coverages[i - 1], coverages[i + 1], above),
      base + shares.passage * more(whole, above),
    );
    found.push({ unit, covered });
  }
  const most = Math.max(0, ...found.map(({ covered }) => covered));
  if (found.length === 0) return otherwise('number');
  if (most < leastCoverage[named]) return otherwise('absent');
  const best = found
    .filter(({ covered }) => covered >= nearlyBest * most)
    .sort((one, other) => other.covered - one.covered);
  const [nearest] = best;
  if (nearest && known.plain.includes(plain(claim))) return { outcome: 'supported', unit: nearest.unit };
  const says = best.slice(0, maxAlike).find(({ unit }) => deniesTheSame(claim, unit.text, question));
  return says ? { outcome: 'supported', unit: says.unit } : otherwise('negation', nearest?.unit);
}

function otherwise(why: Why, unit: Unit | null = null): Verdict {
  return { outcome: 'contradicted', why, unit };
}

function prepare(passage: SupportingPassage): Prepared {
  const before = prepared.get(passage);
  if (before) return before;
  const { above, units } = passage;
  const everywhere = `${above} ${units.map((unit) => `${unit.text} ${headOf(unit)}`).join(' ')}`;
  const heads = new Map<string[] | null, string>();
  for (const { row, text } of units) {
    if (!row) continue;
    const head = heads.get(row.header) ?? '';
    if (head.split('\n').length <= headRows) heads.set(row.header, `${head}${text}\n`);
  }
  const made: Prepared = {
    everywhere,
    plain: plain(everywhere),
    terms: new Set(analyze(everywhere)),
    numbers: numbersIn(everywhere),
    initials: (everywhere.match(/(?<!\p{L})\p{L}/gu) ?? []).join('').toLowerCase(),
    units: units.map((unit, i) => {
      const beside = [units[i - 1], unit, units[i + 1]].map((each) => each?.text ?? '').join(' ');
      const head = unit.row ? heads.get(unit.row.header) : '';
      return {
        unit,
        terms: analyze(unit.text),
        head: analyze(headOf(unit)),
        near: numbersIn(`${beside} ${headOf(unit)} ${head} ${above}`),
      };
    }),
  };
  prepared.set(passage, made);
  return made;
}

function headOf({ heading, row }: Unit): string {
  return `${heading} ${row?.header?.join(' ') ?? ''}`;
}

/** Thousands are written in many ways: only the digits are compared, and where a fraction begins. */
function numbersIn(text: string): Set<string> {
  const found = text.normalize('NFKC').replaceAll(new RegExp(fiscalYear, 'g'), '20$1').match(numberPattern) ?? [];
  return new Set(found.map((number) => number.replace(/[.,'’](?=\p{N}{3}(?!\p{N}))/gu, '').replaceAll(',', '.')));
}

/** Words with a capital that don't begin a sentence. In German all nouns have one: there it says nothing. */
function namesIn(text: string, { language }: Question): string[] {
  if (language === 'de') return [];
  const names = new Set<string>();
  for (const { index, 0: name } of text.matchAll(capitalised)) {
    const before = text.slice(Math.max(0, index - beforeLength), index);
    const begins = sentenceStart.test(before) && (index <= beforeLength || before.trimStart() !== '');
    if (name.length > 2 && !fiscalYear.test(name) && (!begins || endsInAbbreviation(before))) names.add(name);
  }
  return [...names];
}

/** Itself, a form of it, a slip in it, or for "EU" the words that it stands for. */
function hasName({ terms, initials }: Prepared, name: string): boolean {
  if (/^\p{Lu}{2,5}$/u.test(name) && initials.includes(name.toLowerCase())) return true;
  return analyze(name).some(
    (term) =>
      terms.has(term) ||
      noNames.has(term) ||
      [...terms].some((other) => other.startsWith(term) || (other[0] === term[0] && isSlipOf(term, other))),
  );
}

/** In one line, without what ends a sentence. */
function plain(text: string): string {
  const all = text.normalize('NFKC').replace(/\s+/g, ' ').trim();
  let end = all.length;
  while (end > 0 && /[.\s]/.test(all.charAt(end - 1))) end--;
  return all.slice(0, end);
}

function split<T>(items: Iterable<T>, isFirst: (item: T) => boolean): [T[], T[]] {
  const all = [...items];
  return [all.filter(isFirst), all.filter((item) => !isFirst(item))];
}

/**
 * Whether both deny the same of what they speak of, or neither anything. What is denied of something else does not
 * count.
 */
function deniesTheSame(claim: string, quote: string, { weights }: Question): boolean {
  const inQuote = new Set(analyze(quote));
  if (negationsIn(claim).length > maxNegations || negationsIn(quote).length > maxNegations) return false;
  const [inClaim, there] = [denied(claim, (term) => inQuote.has(term)), denied(quote, (term) => weights.has(term))];
  const meets = (one: Set<string>, others: Set<string>[]) => others.some((other) => !one.isDisjointFrom(other));
  return (
    inClaim.length === there.length &&
    inClaim.every((each) => meets(each, there)) &&
    there.every((each) => meets(each, inClaim))
  );
}

function negationsIn(text: string): RegExpMatchArray | [] {
  return text.replaceAll(emphatic, ' ').match(negation) ?? [];
}

/** For each negation the words right behind it that both texts have; none where they have none. */
function denied(text: string, isShared: (term: string) => boolean): Set<string>[] {
  const found: Set<string>[] = [];
  const without = text.replaceAll(emphatic, ' ');
  for (const { index, 0: word } of without.matchAll(negation)) {
    const rest = without.slice(index + word.length).slice(0, reachLength);
    const next = analyze(rest.split(/[,;.:!?()]/)[0] ?? '').slice(0, reach);
    const shared = new Set(next.filter(isShared));
    if (shared.size > 0) found.push(shared);
  }
  return found;
}
