import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnswerabilitySignals } from '#server/features/answers/extract/answerability.ts';
import { rate, sumOf, supportOf } from '#server/features/answers/extract/extract.ts';
import { pick } from '#server/features/answers/extract/pick.ts';
import type { Unit } from '#server/features/answers/extract/unit.ts';
import type { UnitSignals } from '#server/features/answers/extract/unit-signals.ts';
import { type ExtractWeights, fittedWeights, type LanguageClass } from '#server/features/answers/extract/weights.ts';
import { fitChoices, fitOdds } from './fit.ts';
import { type Lack, type Look, lookAtOffice, lookAtPdfs, lookAtTexts } from './fit-cases.ts';
import { openHarness } from './harness.ts';
import { mean } from './measures.ts';
import { spread } from './sets.ts';

type UnitName = keyof UnitSignals;
type AnswerabilityName = keyof AnswerabilitySignals;
type FitName = AnswerabilityName | LanguageClass;

const textSets = ['squad', 'xquad-de', 'xquad-zh', 'xquad-ar', 'tatqa'];
const pdfSets = ['finance', 'business'];
const classes: LanguageClass[] = ['light', 'rich', 'unspaced'];
const unitNames = namesOf(fittedWeights.units);
const answerabilityNames = namesOf(fittedWeights.answerability);
/** Pulls towards zero, of signals that are brought to one spread. */
const pulls = { units: 1e-3, answerability: 2e-3 };
/** So that every set counts as much as another. */
const perSet = 150;
/** What questions without an answer count together is what those with one do; of the former each kind so much. */
const shareOf: Record<Lack, number> = { document: 0.5, passage: 0.2, year: 0.1, never: 0.3 };
const lacking = Object.keys(shareOf) as Lack[];
/**
 * By hand: no document of the sets asks anything, none of the mails is asked about, a quote of another year is never an
 * answer, few questions ask for a numbered part, in a currency or what a word means, few rows are `blank`, `whole` only
 * tells equal rows apart, `largest` is of one set alone, and `counted` was chosen on other documents (decision 0080),
 * as was what counts otherwise on pages (0084). `named` and `partlyNamed` tell rows apart that all other signals take
 * for the same.
 */
const byHand = [
  'question',
  'asked',
  'field',
  'otherYear',
  'absentYear',
  'whole',
  'numbered',
  'otherNumber',
  'otherMark',
  'otherCurrency',
  'otherName',
  'otherMonth',
  'otherDay',
  'otherQuarter',
  'onlyFigures',
  'largest',
  'counted',
  'blank',
  'named',
  'partlyNamed',
  'defines',
] as const;
/** These count on pages alone, by hand as well. */
const ofPages: ReadonlySet<AnswerabilityName> = new Set(['telling', 'clear']);
/** Of fewer questions of a class of languages in a set a share says nothing. */
const minQuestions = 30;
/**
 * Answerability begins where at most so much of the questions of any set of prose is refused that are answered; of
 * documents with pages a little more.
 */
const refusedOfPresent = { prose: 0.045, pages: 0.08 };
const file = join(import.meta.dirname, '../server/features/answers/extract/weights.json');

type Looks = [set: string, looks: Look[]][];

/**
 * Fits the weights by which quotes are chosen and questions refused, and says how well each set does by those in use,
 * by weights that were fitted on the others, and by those fitted on all.
 * @param write whether the latter are written where the product reads them
 */
export async function fitAnswers(size: number, write: boolean): Promise<string[]> {
  const harness = await openHarness();
  const looks: Looks = [];
  try {
    for (const name of textSets) looks.push([name, await lookAtTexts(harness, name, size)]);
    for (const name of pdfSets) looks.push([name, await lookAtPdfs(harness, name)]);
    looks.push(['office', await lookAtOffice(harness)]);
  } finally {
    await harness.close();
  }
  const known = looks.filter(([, some]) => some.length > 0);
  const lines = [
    'By weights in use, by those fitted on the other sets, and by those fitted on all. First quote, and the answer among those that are shown, of the questions that have one;',
    'then how often one of those has the higher odds than one without an answer (area under the curve).',
    '',
    '| set | weights | first quote | shown | document absent | only the passage absent | year absent | never there |',
    '|---|---|---|---|---|---|---|---|',
  ];
  for (const [name, some] of known) {
    lines.push(lineOf(name, 'in use', some, fittedWeights));
    lines.push(lineOf(name, 'of the others', some, fitWeights(known.filter(([other]) => other !== name))));
  }
  const weights = fitWeights(known);
  for (const [name, some] of known) lines.push(lineOf(name, 'of all', some, weights));
  if (write)
    writeFileSync(
      file,
      `${JSON.stringify(weights, (_, value) => (typeof value === 'number' ? rounded(value) : value), 2)}\n`,
    );
  return lines;
}

/** What answerability begins with is set last, by the questions that are answered. */
export function fitWeights(looks: Looks): ExtractWeights {
  const units = fitUnits(looks);
  const answerability = fitAnswerability(looks, units);
  const odds = (look: Look) => sumOf(look.measured.answerability(units), answerability);
  const present = looks.map(([, some]) => some.filter(({ lacks }) => lacks === null));
  const start = { ...fittedWeights.start };
  for (const each of classes) {
    const prose = present.map((some) => some.filter(({ measured }) => !measured.hasPages && measured.start === each));
    const some = prose.filter(({ length }) => length >= minQuestions);
    if (some.length > 0) start[each] = Math.max(...some.map((own) => -quantile(own.map(odds), refusedOfPresent.prose)));
  }
  const paged = present.flat().filter(({ measured }) => measured.hasPages);
  const pages = { ...fittedWeights.pages, start: 0 };
  pages.start =
    paged.length === 0
      ? fittedWeights.pages.start
      : -quantile(
          paged.map((look) => supportOf(look.measured, { units, answerability, start, pages })),
          refusedOfPresent.pages,
        );
  return { units, answerability, start, pages };
}

function fitUnits(looks: Looks): Record<UnitName, number> {
  const choices = looks.flatMap(([, some]) =>
    spread(
      some.filter(({ lacks }) => lacks === null),
      perSet,
    ).map(({ measured, isRight }) => ({
      options: measured.units.map(({ signals }, i) => ({ signals, isRight: isRight[i] ?? false })),
    })),
  );
  const fixed = Object.fromEntries(byHand.map((name) => [name, fittedWeights.units[name]]));
  return fitChoices(choices, unitNames, { pull: pulls.units, fixed });
}

function fitAnswerability(looks: Looks, units: Record<UnitName, number>): Record<AnswerabilityName, number> {
  const cases = looks.flatMap(([, some]) => {
    const kinds = lacking.filter((lack) => some.some(({ lacks }) => lacks === lack));
    const all = kinds.reduce((sum, lack) => sum + shareOf[lack], 0);
    const counts = new Map([...Map.groupBy(some, ({ lacks }) => lacks)].map(([lacks, group]) => [lacks, group.length]));
    return some.map((look) => ({
      signals: { ...look.measured.answerability(units), ...startOf(look) },
      isSo: look.lacks === null,
      weight: (look.lacks === null ? 1 : shareOf[look.lacks] / all) / (counts.get(look.lacks) ?? 1),
    }));
  });
  const names: FitName[] = [...answerabilityNames.filter((name) => !ofPages.has(name)), ...classes];
  const { light: _light, rich: _rich, unspaced: _unspaced, ...weights } = fitOdds(cases, names, pulls.answerability);
  return { ...fittedWeights.answerability, ...weights };
}

function startOf({ measured }: Look): Record<LanguageClass, number> {
  const is = (start: LanguageClass) => (start === measured.start ? 1 : 0);
  return { light: is('light'), rich: is('rich'), unspaced: is('unspaced') };
}

function lineOf(name: string, which: string, looks: Look[], weights: ExtractWeights): string {
  const present = looks.filter(({ lacks }) => lacks === null);
  const chosen = present.map(({ measured, question, text, isRight }) => {
    const right = measured.units.filter((_, i) => isRight[i]);
    return pick(rate(measured, weights.units), question, text)
      .filter(({ isSupporting }) => !isSupporting)
      .map(({ passage, quoted }) => right.some((each) => each.passage === passage && isWithin(each.unit, quoted)));
  });
  const odds = new Map(
    looks.map((look) => [look, sumOf(look.measured.answerability(weights.units), weights.answerability)]),
  );
  const cells = [
    name,
    which,
    mean(chosen.map(([first]) => (first ? 1 : 0))).toFixed(3),
    mean(chosen.map((quotes) => (quotes.includes(true) ? 1 : 0))).toFixed(3),
    ...lacking.map((lack) => toldApart(looks, odds, lack)),
  ];
  return `| ${cells.join(' | ')} |`;
}

function toldApart(looks: Look[], odds: ReadonlyMap<Look, number>, lack: Lack): string {
  const of = (lacks: Lack | null) => looks.filter((look) => look.lacks === lacks).map((look) => odds.get(look) ?? 0);
  const absent = of(lack);
  if (absent.length === 0) return '';
  return mean(of(null).map((one) => mean(absent.map((other) => (one > other ? 1 : one === other ? 0.5 : 0))))).toFixed(
    3,
  );
}

function isWithin(unit: Unit, quoted: Unit): boolean {
  return unit.start >= quoted.start && unit.end <= quoted.end;
}

/** The value below which so large a share of them lies. */
function quantile(values: number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(share * values.length)] ?? 0;
}

function namesOf<Name extends string>(weights: Record<Name, unknown>): Name[] {
  return Object.keys(weights).filter((name): name is Name => name in weights);
}

function rounded(value: number): number {
  return Math.round(100 * value) / 100;
}
