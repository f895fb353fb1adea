import { type Question, type RetrievedPassage, termsFor } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import { createPause } from '#server/lib/pause.ts';
import { type AnswerType, type Asked, answersIn, answerType, readAsked } from './answer-type.ts';
import type { Coverage, Measures } from './coverage.ts';
import { mailField } from './mail-fields.ts';
import type { Unit } from './unit.ts';

/** What speaks for a unit as the answer, each a share (0 to 1) or close to it. */
export interface UnitSignals {
  /** The question's words in it, by their weight, in any form. */
  words: number;
  /** Those that stand there in the very form. */
  exact: number;
  /** Words next to each other in the question that are so here. */
  phrases: number;
  /** The longest run of words that follow each other in both, by weight. */
  run: number;
  /** Words that it lacks, and that stand in the headings, the file's name or the table's header; */
  heading: number;
  /** in the question that the document itself asks right above; */
  asked: number;
  /** in the sentence before, also where this one begins with a word that refers to it; */
  before: number;
  reference: number;
  /** in the two sentences before that; */
  earlier: number;
  /** in the sentence behind; */
  after: number;
  /** anywhere else in the passage. */
  passage: number;
  /** The passage's score below the best one's, in tens, at most 1. */
  behind: number;
  /** How likely the passage is the right one, by the scores of all. */
  trust: number;
  /** What kind of answer is asked for, and stands here. */
  date: number;
  amount: number;
  person: number;
  place: number;
  reason: number;
  /** It is a question itself. */
  question: number;
  length: number;
  /** A row of a table, and the words in it: it has few, and each tells more. */
  row: number;
  rowWords: number;
  /** Of its label so much stands in the question, times how much of the question that is. */
  label: number;
  /** Of its label so much stands in the question. */
  labelled: number;
  /** A number or year of the question is the name of a column, and it has a figure there. */
  column: number;
  /** A row without a figure. */
  empty: number;
  /** The field of a mail that is asked for: who sent it, to whom, when, what about. */
  field: number;
}

/** A unit with what speaks for it. */
export interface Weighed {
  passage: RetrievedPassage;
  unit: Unit;
  signals: UnitSignals;
  terms: Set<string>;
}

/** Units behind a question of the document that may answer it. */
const answersBehindQuestion = 3;
/** Units between two looks at the time. */
const unitsAtOnce = 20;
/** Of one word of the question: each is followed through every unit. */
const maxPlaces = 8;
const endsAsQuestion = /[?？؟]["'»”’)\]\s]*$/u;
const refers =
  /^(?:["'“„(]\s*)?(?:(?:he|she|it|they|his|her|its|their|this|these|that|those|such|there|er|sie|es|sein\w*|ihr\w*|dies\w*|jene\w*|dabei|dadurch|damit|dort|il|elle|ils|elles|ce|cette|ces|él|ella|ellos|este|esta|esto|egli|questo|questa)(?![\p{L}])|他|她|它|这|這|该|該|其|此|هو |هي |هذا |هذه |ذلك |تلك |كما |وقد )/iu;
/** Characters of a sentence of usual length. */
const usualLength = 120;

/** Measures all that may be quoted of the passages against the question, in order of the passages. */
export async function weighUnits(
  question: Question,
  questionText: string,
  passages: { passage: RetrievedPassage; units: Unit[] }[],
  { of, share }: Measures,
): Promise<Weighed[]> {
  const wanted = answerType(questionText);
  const bestScore = passages[0]?.passage.score ?? 0;
  const trusts = passages.map(({ passage }) => Math.exp(passage.score - bestScore));
  const allTrust = trusts.reduce((sum, trust) => sum + trust, 0);
  const asked = placesOf(analyze(questionText));
  const compared = readAsked(questionText);
  const field = mailField(questionText);
  const pause = createPause();
  const weighed: Weighed[] = [];
  for (const [rank, { passage, units }] of passages.entries()) {
    const read = (text: string) => termsFor(question, text, passage.language);
    const above = of(read(`${passage.headingPath.join(' ')} ${passage.name}`));
    const terms = units.map((unit) => read(unit.text));
    await pause();
    const coverages = terms.map(of);
    const whole = together(coverages);
    const inPassage = share(whole, above);
    const headers = new Map<string, Coverage>();
    const headerOf = (unit: Unit): Coverage => {
      const text = `${unit.heading} ${unit.row?.header?.join(' ') ?? ''}`;
      const known = headers.get(text) ?? of(read(text));
      headers.set(text, known);
      return known;
    };
    let questionAt = Number.NEGATIVE_INFINITY;
    for (const [i, unit] of units.entries()) {
      if (i % unitsAtOnce === 0) await pause();
      const isQuestion = endsAsQuestion.test(unit.text);
      if (isQuestion) questionAt = i;
      const own = coverages[i];
      const different = new Set(terms[i]);
      const base = share(own);
      const more = (...around: (Coverage | undefined)[]) => share(own, ...around) - base;
      // A row beside the right one is not the right one; the name of a section above it is its own.
      const beside = unit.row && units[i - 1]?.row && !isEmpty(units[i - 1]?.row) ? undefined : coverages[i - 1];
      const before = more(beside);
      const label = unit.row ? labelMatch(read(labelOf(unit.row)), of, share) : null;
      weighed.push({
        passage,
        unit,
        terms: different,
        signals: {
          words: base,
          exact: exactly(question, different),
          phrases: phrases(question, terms[i] ?? []),
          run: longestRun(question, asked, terms[i] ?? []),
          heading: more(above, headerOf(unit)),
          asked: i - questionAt <= answersBehindQuestion ? more(coverages[questionAt]) : 0,
          before,
          earlier: unit.row ? 0 : more(coverages[i - 1], coverages[i - 2], coverages[i - 3]) - before,
          reference: refers.test(unit.text) ? before : 0,
          after: unit.row ? 0 : more(coverages[i + 1]),
          passage: inPassage - base,
          behind: Math.min(1, (bestScore - passage.score) / 10),
          trust: (trusts[rank] ?? 0) / (allTrust || 1),
          ...fits(unit.row?.header ? `${unit.row.header.join(' ')} ${unit.text}` : unit.text, wanted, compared),
          question: isQuestion ? 1 : 0,
          length: Math.log((unit.text.length + 20) / usualLength),
          row: unit.row ? 1 : 0,
          rowWords: unit.row ? base : 0,
          label: label ? label.precision * label.recall : 0,
          labelled: label?.precision ?? 0,
          column: unit.row && namedColumn(unit.row, compared) ? 1 : 0,
          empty: isEmpty(unit.row) ? 1 : 0,
          field: field !== null && unit.row?.isMailHead && unit.row.cells[0] === field ? 1 : 0,
        },
      });
    }
  }
  return weighed;
}

/** The first cell that is filled: many a table does not begin in the first column. */
function labelOf({ cells }: NonNullable<Unit['row']>): string {
  return cells.find((cell) => cell.trim() !== '') ?? '';
}

/** A row without a figure behind its label. */
function isEmpty(row: Unit['row']): boolean {
  return row !== undefined && !row.cells.slice(1).some((cell) => /\d/.test(cell));
}

function together(coverages: Coverage[]): Coverage {
  const all: number[] = [];
  for (const coverage of coverages) for (const [i, share] of coverage.entries()) all[i] = Math.max(all[i] ?? 0, share);
  return all;
}

/** Share of the question's weight whose very terms stand there. */
function exactly({ weights, total }: Question, terms: Set<string>): number {
  let sum = 0;
  for (const term of terms) sum += weights.get(term) ?? 0;
  return Math.min(1, sum / total);
}

function phrases({ pairs, weights, total }: Question, terms: string[]): number {
  let sum = 0;
  for (const [one, other] of pairs) {
    const at = terms.indexOf(one);
    if (at >= 0 && (terms[at + 1] === other || terms[at + 2] === other))
      sum += Math.min(weights.get(one) ?? 0, weights.get(other) ?? 0);
  }
  return Math.min(1, sum / total);
}

const none: ReadonlyMap<number, number> = new Map();

/** As a share of the question's weight; words without any do not count, and do not break a run. */
function longestRun({ weights, total }: Question, asked: Map<string, number[]>, terms: string[]): number {
  let most = 0;
  /** The runs that end with the term before, by their last place in the question. */
  let last = none;
  for (const term of terms) {
    const places = asked.get(term);
    if (!places) {
      last = none;
      continue;
    }
    const next = new Map<number, number>();
    for (const place of places) {
      const sum = (last.get(place - 1) ?? 0) + (weights.get(term) ?? 0);
      next.set(place, sum);
      if (sum > most) most = sum;
    }
    last = next;
  }
  return Math.min(1, most / total);
}

/** Where each term of a text stands in it, the first times. */
function placesOf(terms: string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, term] of terms.entries()) {
    const known = places.get(term);
    if (!known) places.set(term, [place]);
    else if (known.length < maxPlaces) known.push(place);
  }
  return places;
}

function fits(text: string, wanted: AnswerType | null, question: Asked) {
  const has = { date: 0, amount: 0, person: 0, place: 0, reason: 0 };
  if (wanted !== null && answersIn(text, wanted, question).length > 0) has[wanted] = 1;
  return has;
}

/** How much of a label the question has, and how much of the question the label. */
function labelMatch(
  terms: string[],
  of: (terms: Iterable<string>) => Coverage,
  share: (...coverages: Coverage[]) => number,
): { precision: number; recall: number } {
  const label = [...new Set(terms)];
  if (label.length === 0) return { precision: 0, recall: 0 };
  let matched = 0;
  for (const term of label) matched += Math.max(0, ...of([term]));
  return { precision: matched / label.length, recall: share(of(label)) };
}

/** Whether a year or another number of the question names a column in which the row has a figure. */
function namedColumn({ header, cells }: NonNullable<Unit['row']>, question: Asked): boolean {
  return columnsOf(header, question).some((i) => /\d/.test(cells[i] ?? ''));
}

/** The columns, but for that of the labels, that have a number of the question in their name. */
export function columnsOf(header: string[] | null, { numbers }: Asked): number[] {
  if (!header || numbers.size === 0) return [];
  // "FY19" is 2019.
  const isAsked = (number: string) =>
    [...numbers].some((each) => each === number || (each.length === 2 && number.length === 4 && number.endsWith(each)));
  return header.flatMap((name, i) => (i > 0 && name.match(/\d+/g)?.some(isAsked) ? [i] : []));
}
