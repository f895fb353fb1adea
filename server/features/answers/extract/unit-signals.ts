import { askedKind, hasKind } from '#server/features/retrieval/question/answer-kind.ts';
import { type AnswerType, answerType, hasAnswer } from '#server/features/retrieval/question/answer-type.ts';
import { type Asked, readAsked } from '#server/features/retrieval/question/asked.ts';
import { type Coverage, type Measures, together } from '#server/features/retrieval/question/coverage.ts';
import { askedDefinition } from '#server/features/retrieval/question/definition.ts';
import { focusMeasure } from '#server/features/retrieval/question/focus.ts';
import { type NumberedFit, numberedFit, numberedParts } from '#server/features/retrieval/question/numbered-parts.ts';
import { type Question, type RetrievedPassage, termsFor } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import { createPause } from '#server/lib/pause.ts';
import { namesColumn } from './asked-columns.ts';
import { contentsRows } from './contents-rows.ts';
import { countCheck } from './counted.ts';
import { currenciesIn, isOtherCurrency } from './currency-fit.ts';
import { createNameCheck } from './lacking-names.ts';
import { largestRows } from './largest-rows.ts';
import { mailField } from './mail-fields.ts';
import { namedRows } from './named-rows.ts';
import { askedMarks, isOfOtherMark } from './other-mark.ts';
import { askedTime, type TimeFit } from './time-fit.ts';
import type { Unit } from './unit.ts';
import { around, hasLabel, isCaption, isEmpty, isOfFigures, isOfWhole, labelOf } from './unit-shape.ts';
import { exactly, labelMatch, longestRun, phraseShare, placesOf } from './unit-words.ts';

/** What speaks for a unit as the answer, each a share (0 to 1) or close to it. */
export interface UnitSignals extends TimeFit, NumberedFit {
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
  /** A reason is asked for, or whose or where what its label names is, and it is a row of figures. */
  onlyFigures: number;
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
  /** A row without a figure; */
  empty: number;
  /** and an amount is asked for. */
  blank: number;
  /** The field of a mail that is asked for: who sent it, to whom, when, what about. */
  field: number;
  /** Words that it lacks, and that stand in the line right above that announces what comes: "... to be:". */
  announced: number;
  /** It announces itself what comes. */
  announces: number;
  /** It is the title of a table or figure, or a line of a table of contents. */
  caption: number;
  /** So much of its own words stands in the question: it repeats it. */
  echo: number;
  /** Words that it lacks, and that stand in its document's name or on its first page. */
  about: number;
  /** An answer of a certain kind is asked for, as money or a day, and stands here; */
  kind: number;
  /** or one is, and stands nowhere in it. */
  lacksKind: number;
  /** It is asked how many there are of something, and it has a number of it. */
  counted: number;
  /** So much of the words that name what is asked for stands in it, or over it. */
  focus: number;
  /** A row of a table of the whole, where others have the same rows for each part. */
  whole: number;
  /** It is asked what a word means, and it explains it. */
  defines: number;
  /** It is a row of another one of the things that the question tells apart by a letter or number. */
  otherMark: number;
  /** It is about money of another currency than the one that is asked for. */
  otherCurrency: number;
  /** The question names what another document is about, and neither its passage nor its document has that name. */
  otherName: number;
  /** A row that the question names by its whole label; */
  named: number;
  /** or by a part of another row's name. */
  partlyNamed: number;
  /** Of rows with the same label on several pages of its document it has the largest amount. */
  largest: number;
}

/** A unit with what speaks for it. */
export interface Weighed {
  passage: RetrievedPassage;
  unit: Unit;
  signals: UnitSignals;
  terms: Set<string>;
}

/** A unit with the sum of its signals, and what of it a row has that is named as a whole. */
export type Rated = Weighed & { score: number; gainOfName: number };

/** Units behind a question of the document that may answer it. */
const answersBehindQuestion = 3;
/** Units between two looks at the time. */
const unitsAtOnce = 20;
const endsAsQuestion = /[?？؟]["'»”’)\]\s]*$/u;
const endsAsAnnouncement = /[:：]\s*$/u;
const refers =
  /^(?:["'“„(]\s*)?(?:(?:he|she|it|they|his|her|its|their|this|these|that|those|such|there|er|sie|es|sein\w*|ihr\w*|dies\w*|jene\w*|dabei|dadurch|damit|dort|il|elle|ils|elles|ce|cette|ces|él|ella|ellos|este|esta|esto|egli|questo|questa)(?![\p{L}])|他|她|它|这|這|该|該|其|此|هو |هي |هذا |هذه |ذلك |تلك |كما |وقد )/iu;
/** Characters of a sentence of usual length. */
const usualLength = 120;

/** Measures all that may be quoted of the passages against the question, in order of the passages. */
export async function weighUnits(
  question: Question,
  questionText: string,
  passages: { passage: RetrievedPassage; units: Unit[] }[],
  measures: Measures,
): Promise<Weighed[]> {
  const { of, share, most } = measures;
  const wanted = answerType(questionText);
  const bestScore = passages[0]?.passage.score ?? 0;
  const trusts = passages.map(({ passage }) => Math.exp(passage.score - bestScore));
  const allTrust = trusts.reduce((sum, trust) => sum + trust, 0);
  const asked = placesOf(analyze(questionText));
  const time = askedTime(questionText);
  const kind = askedKind(questionText);
  const focused = focusMeasure(questionText, measures);
  // "The total in table C-1" is in the table, not in its title.
  const asksForCaption = wanted === null && isCaption(questionText, true);
  const compared = readAsked(questionText);
  const field = mailField(questionText);
  const definition = askedDefinition(questionText);
  const [parts, marks] = [numberedParts(questionText), askedMarks(questionText, question)];
  const currencies = currenciesIn(compared.text);
  const lacksName = createNameCheck(question, questionText, passages, measures);
  const isCounted = countCheck(question, questionText, measures);
  const pause = createPause();
  const weighed: Weighed[] = [];
  for (const [rank, { passage, units }] of passages.entries()) {
    const read = (text: string) => termsFor(question, text, passage.language);
    const above = of(read(`${passage.headingPath.join(' ')} ${passage.name}`));
    const [about, given] = [of(passage.named), namesGiven(question, passage)];
    const terms = units.map((unit) => read(unit.text));
    await pause();
    const coverages = terms.map((own) => of([...own, ...given]));
    const whole = together(...coverages);
    const inPassage = share(whole, above);
    const contents = contentsRows(units);
    const headers = new Map<string, Coverage>();
    const headerOf = (over: string): Coverage => {
      const known = headers.get(over) ?? of(read(over));
      headers.set(over, known);
      return known;
    };
    const otherName = lacksName(passage);
    let questionAt = Number.NEGATIVE_INFINITY;
    let announcedAt = Number.NEGATIVE_INFINITY;
    for (const [i, unit] of units.entries()) {
      if (i % unitsAtOnce === 0) await pause();
      const isQuestion = endsAsQuestion.test(unit.text);
      if (isQuestion) questionAt = i;
      const announces = unit.row === undefined && endsAsAnnouncement.test(unit.text);
      const own = coverages[i];
      const different = new Set(terms[i]);
      const over = around(unit);
      const inHeader = headerOf(over);
      const there = together(own ?? [], inHeader);
      const base = share(own);
      const more = (...around: (Coverage | undefined)[]) => share(own, ...around) - base;
      // A row beside the right one is not the right one; the name of a section above it is its own.
      const beside = unit.row && units[i - 1]?.row && !isEmpty(units[i - 1]?.row) ? undefined : coverages[i - 1];
      const before = more(beside);
      const label = unit.row ? labelMatch(labelOf(unit.row), read, { of, share, most }) : null;
      weighed.push({
        passage,
        unit,
        terms: different,
        signals: {
          words: base,
          exact: exactly(question, new Set([...different, ...given])),
          phrases: phraseShare(question, terms[i] ?? []),
          run: longestRun(question, asked, terms[i] ?? []),
          heading: more(above, inHeader),
          asked: i - questionAt <= answersBehindQuestion ? more(coverages[questionAt]) : 0,
          before,
          earlier: unit.row ? 0 : more(coverages[i - 1], coverages[i - 2], coverages[i - 3]) - before,
          reference: refers.test(unit.text) ? before : 0,
          after: unit.row ? 0 : more(coverages[i + 1]),
          passage: inPassage - base,
          behind: Math.min(1, (bestScore - passage.score) / 10),
          trust: (trusts[rank] ?? 0) / (allTrust || 1),
          ...fits(unit, contents.has(unit) ? null : wanted, compared, label?.precision === 1),
          question: isQuestion ? 1 : 0,
          length: Math.log((unit.text.length + 20) / usualLength),
          row: unit.row ? 1 : 0,
          rowWords: unit.row ? base : 0,
          label: label ? label.precision * label.recall : 0,
          labelled: label?.precision ?? 0,
          column: unit.row && namesColumn(unit.row, compared) ? 1 : 0,
          empty: isEmpty(unit.row) ? 1 : 0,
          blank: wanted === 'amount' && isEmpty(unit.row) ? 1 : 0,
          field: field !== null && unit.row?.isMailHead && unit.row.cells[0] === field ? 1 : 0,
          ...time(unit, passage, terms[i]),
          announced: i - announcedAt <= answersBehindQuestion ? more(coverages[announcedAt]) : 0,
          announces: announces ? 1 : 0,
          caption: contents.has(unit) || (!asksForCaption && isCaption(unit.text)) ? 1 : 0,
          echo: echo(terms[i] ?? [], most),
          about: share(own, above, inHeader, about) - share(own, above, inHeader),
          ...kindFit(unit, kind, contents.has(unit)),
          counted: !contents.has(unit) && isCounted?.(unit, passage, there) ? 1 : 0,
          focus: focused(there),
          ...numberedFit(parts, unit.row ? `${unit.row.caption ?? unit.heading} ${unit.text}` : unit.text),
          whole: unit.row && isOfWhole(unit.row.caption ?? unit.heading) ? 1 : 0,
          defines: definition && hasLabel(unit) ? definition.defines(unit.text, unit.row?.cells) : 0,
          otherMark: unit.row && isOfOtherMark(marks, unit.row) ? 1 : 0,
          otherCurrency: isOtherCurrency(currencies, `${unit.text} ${over}`) ? 1 : 0,
          otherName,
          named: 0,
          partlyNamed: 0,
          largest: 0,
        },
      });
      if (announces) announcedAt = i;
    }
  }
  const largest = wanted === 'amount' ? largestRows(weighed) : new Set<Unit>();
  const { named, partlyNamed } = await namedRows(question, questionText, weighed, measures);
  for (const { unit, signals } of weighed) {
    if (largest.has(unit)) signals.largest = 1;
    if (named.has(unit)) signals.named = 1;
    if (partlyNamed.has(unit)) signals.partlyNamed = 1;
  }
  return weighed;
}

function kindFit({ text, row }: Unit, kind: ReturnType<typeof askedKind>, isOfContents: boolean) {
  if (kind === null) return { kind: 0, lacksKind: 0 };
  if (isOfContents) return { kind: 0, lacksKind: 1 };
  const has = row
    ? hasKind(row.cells.slice(1).join(' | '), kind, true) ||
      hasKind([text, ...(row.header ?? []), row.unit ?? ''].join(' '), kind)
    : hasKind(text, kind);
  // Numbers stand everywhere: one says little, and none says much.
  return { kind: has && kind !== 'count' ? 1 : 0, lacksKind: has ? 0 : 1 };
}

/** Each sentence of a report on Acme is about Acme, and the one that says so is not likelier to answer. */
function namesGiven({ names }: Question, { page, named }: RetrievedPassage): string[] {
  return page === null ? [] : named.filter((term) => names.has(term));
}

/** How much of what it says the question says already. */
function echo(terms: readonly string[], most: Measures['most']): number {
  const own = new Set(terms);
  if (own.size === 0) return 1;
  let known = 0;
  for (const term of own) known += most(term);
  return known / own.size;
}

function fits(unit: Unit, wanted: AnswerType | null, question: Asked, isLabelAsked: boolean) {
  // An amount stands behind a row's label; what else is asked for may be its label, or the name of a column.
  const cells = wanted === 'amount' ? unit.row?.cells.slice(1).join(' | ') : undefined;
  const text = cells ?? [...(unit.row?.header ?? []), unit.text].join(' ');
  const has = { date: 0, amount: 0, person: 0, place: 0, reason: 0, onlyFigures: 0 };
  const asksForWords = wanted === 'reason' || ((wanted === 'person' || wanted === 'place') && isLabelAsked);
  if (asksForWords && isOfFigures(unit.row)) has.onlyFigures = 1;
  if (wanted !== null && hasAnswer(text, wanted, question)) has[wanted] = 1;
  return has;
}
