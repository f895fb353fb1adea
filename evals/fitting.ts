import type { AnswerabilitySignals } from '#server/features/answers/extract/answerability.ts';
import {
  answerabilityWeights,
  type LanguageClass,
  languageClass,
  sumOf,
  unitWeights,
} from '#server/features/answers/extract/extract.ts';
import type { UnitSignals } from '#server/features/answers/extract/unit-signals.ts';
import { fitChoices, fitOdds } from './fit.ts';
import { type Lack, type Look, lookAtOffice, lookAtPdfs, lookAtTexts } from './fit-cases.ts';
import { openHarness } from './harness.ts';
import { mean } from './measures.ts';

type UnitName = keyof UnitSignals;
/** Where support begins, for each class of language. */
type Start = LanguageClass;
type SupportName = keyof AnswerabilitySignals | Start;

const textSets = ['squad', 'xquad-de', 'xquad-zh', 'xquad-ar', 'tatqa'];
const pdfSets = ['finance', 'business'];
const starts: Start[] = ['light', 'rich', 'unspaced'];
/**
 * Pulls towards zero; stronger where quotes are chosen: there the weights of one kind of document are to hold for
 * others.
 */
const pulls = { units: 3e-3, support: 2e-3 };
/** So that every set counts as much as another. */
const perSet = 150;
/** What questions without an answer count together is what those with one do; of the former each kind so much. */
const shareOf: Record<Lack, number> = { document: 0.5, passage: 0.2, year: 0.1, never: 0.3 };
const lacking = Object.keys(shareOf) as Lack[];
/** By hand: see `extractive.ts`. */
const byHand: readonly UnitName[] = ['question', 'asked', 'field', 'otherYear', 'absentYear'];

/**
 * Fits the weights by which quotes are chosen and questions refused, and prints them as they stand in `extractive.ts`,
 * with how well each set does by weights that were fitted on the others.
 */
export async function fitAnswers(size: number): Promise<string[]> {
  const harness = await openHarness();
  try {
    const looks = new Map<string, Look[]>();
    for (const name of textSets) looks.set(name, await lookAtTexts(harness, name, size));
    for (const name of pdfSets) looks.set(name, await lookAtPdfs(harness, name));
    looks.set('office', await lookAtOffice(harness));
    const known = [...looks].filter(([, some]) => some.length > 0);
    const fitted = (out: string | null) => {
      const used = known.filter(([name]) => name !== out).map(([, some]) => some);
      return { units: fitUnits(used), support: fitSupport(used) };
    };
    const lines = [
      'The first quote is right, and how often a question that is answered has the higher odds than one that is not (area under the curve).',
      '',
      '| left out | first quote | document absent | only the passage absent | year absent | never there |',
      '|---|---|---|---|---|---|',
    ];
    for (const [name, some] of known) {
      const { units, support } = fitted(name);
      const firsts = some.filter(({ lacks }) => lacks === null).map(({ options }) => isFirstRight(options, units));
      const odds = new Map(some.map((look) => [look, sumOf(signalsOf(look), support)]));
      const told = lacking.map((lack) => tellApart(some, odds, lack));
      lines.push(`| ${[name, mean(firsts).toFixed(3), ...told].join(' | ')} |`);
    }
    const { units, support } = fitted(null);
    return [...lines, '', ...asCode('unitWeights', units), ...asCode('answerabilityWeights', support)];
  } finally {
    await harness.close();
  }
}

function fitUnits(used: Look[][]): Record<UnitName, number> {
  const choices = used.flatMap((some) =>
    spread(
      some.filter(({ lacks }) => lacks === null),
      perSet,
    ),
  );
  const units = fitChoices(choices, namesOf(unitWeights), pulls.units);
  for (const name of byHand) units[name] = unitWeights[name];
  return units;
}

/** By the weights of units that are in use: what they choose is what is judged. */
function fitSupport(used: Look[][]): Record<SupportName, number> {
  const cases = used.flatMap((some) => {
    const kinds = lacking.filter((lack) => some.some(({ lacks }) => lacks === lack));
    const all = kinds.reduce((sum, lack) => sum + shareOf[lack], 0);
    const counts = new Map([...Map.groupBy(some, ({ lacks }) => lacks)].map(([lacks, group]) => [lacks, group.length]));
    return some.map((look) => ({
      signals: signalsOf(look),
      isSo: look.lacks === null,
      weight: (look.lacks === null ? 1 : shareOf[look.lacks] / all) / (counts.get(look.lacks) ?? 1),
    }));
  });
  return fitOdds(cases, [...namesOf(answerabilityWeights), ...starts], pulls.support);
}

const measured = new WeakMap<Look, Record<SupportName, number>>();

function signalsOf(look: Look): Record<SupportName, number> {
  const known = measured.get(look);
  if (known) return known;
  const own = languageClass(look, look.text);
  const begins = (start: Start) => (start === own ? 1 : 0);
  const signals = {
    ...look.supportBy(unitWeights),
    light: begins('light'),
    rich: begins('rich'),
    unspaced: begins('unspaced'),
  };
  measured.set(look, signals);
  return signals;
}

function isFirstRight(options: Look['options'], weights: Record<UnitName, number>): number {
  const [best] = options.toSorted((one, other) => sumOf(other.signals, weights) - sumOf(one.signals, weights));
  return best?.isRight ? 1 : 0;
}

function tellApart(looks: Look[], odds: ReadonlyMap<Look, number>, lack: Lack): string {
  const of = (lacks: Lack | null) => looks.filter((look) => look.lacks === lacks).map((look) => odds.get(look) ?? 0);
  const absent = of(lack);
  if (absent.length === 0) return '';
  return mean(of(null).map((one) => mean(absent.map((other) => (one > other ? 1 : one === other ? 0.5 : 0))))).toFixed(
    3,
  );
}

/** So many of them, evenly: some more than once where there are fewer. */
function spread<T>(items: T[], size: number): T[] {
  if (items.length === 0) return [];
  return Array.from({ length: size }, (_, i) => items[Math.floor((i * items.length) / size)]).filter(
    (item) => item !== undefined,
  );
}

function namesOf<Name extends string>(weights: Record<Name, unknown>): Name[] {
  return Object.keys(weights).filter((name): name is Name => name in weights);
}

function asCode<Name extends string>(name: string, weights: Record<Name, number>): string[] {
  const lines = namesOf(weights).map((each) => `  ${each}: ${weights[each].toFixed(2)},`);
  return [`const ${name} = {`, ...lines, '};'];
}
