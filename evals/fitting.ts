import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sumOf, supportWeights, unitWeights } from '#server/features/answers/extractive.ts';
import { unitsOfPassages } from '#server/features/answers/quotable.ts';
import { type SupportSignals, supportSignals } from '#server/features/answers/support-signals.ts';
import type { Unit } from '#server/features/answers/unit.ts';
import { type UnitSignals, weighUnits } from '#server/features/answers/unit-signals.ts';
import { createCoverage } from '#server/features/retrieval/coverage.ts';
import type { RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import { isQuoted } from './asked.ts';
import { type Choice, fitChoices, fitOdds } from './fit.ts';
import { type Corpus, type Harness, openHarness } from './harness.ts';
import { mean } from './measures.ts';
import { pageId } from './pages.ts';
import { parseFiles } from './parsed.ts';
import { dataFolder, passageOfChunk, readSet, sample, sourcesOf } from './sets.ts';

type UnitName = keyof UnitSignals;
type SupportName = keyof SupportSignals | 'bias';

/** A question with what may be quoted for it, and whether it is answered there at all. */
interface Look {
  isThere: boolean;
  options: Choice<UnitName>['options'];
  /** Of the support, by weights of units. */
  supportBy(weights: Record<UnitName, number>): Record<SupportName, number>;
}

interface AskedHere {
  text: string;
  isThere: boolean;
  isRight(passage: RetrievedPassage, unit: Unit): boolean;
}

const textSets = ['squad', 'xquad-de', 'xquad-zh', 'xquad-ar', 'tatqa'];
const pdfSets = ['finance', 'business'];
const passagesRead = 8;
/** Pulls towards zero; stronger where quotes are chosen: there the weights of one kind of document are to hold for others. */
const pulls = { units: 3e-3, support: 5e-4 };
/** So that every set counts as much as another. */
const perSet = { choices: 150, cases: 400 };
/** By hand: see `extractive.ts`. */
const byHand: readonly UnitName[] = ['question', 'asked', 'otherYear', 'absentYear'];

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
    const known = [...looks].filter(([, some]) => some.length > 0);
    const fitted = (out: string | null) => {
      const used = known.filter(([name]) => name !== out).map(([, some]) => some);
      const choices = used.flatMap((some) =>
        spread(
          some.filter(({ isThere }) => isThere),
          perSet.choices,
        ),
      );
      const units = fitChoices(choices, namesOf(unitWeights), pulls.units);
      for (const name of byHand) units[name] = unitWeights[name];
      const cases = used.flatMap((some) =>
        [true, false].flatMap((isThere) =>
          spread(
            some.filter((look) => look.isThere === isThere),
            perSet.cases,
          ),
        ),
      );
      const names: SupportName[] = [...namesOf(supportWeights), 'bias'];
      const labelled = cases.map((look) => ({ signals: look.supportBy(units), isSo: look.isThere }));
      return { units, support: fitOdds(labelled, names, pulls.support) };
    };
    const lines = ['| left out | first quote right | there above not there |', '|---|---|---|'];
    for (const [name, some] of known) {
      const { units, support } = fitted(name);
      const firsts = some.filter(({ isThere }) => isThere).map(({ options }) => isFirstRight(options, units));
      lines.push(
        `| ${name} | ${mean(firsts).toFixed(3)} | ${told(some, (look) => sumOf(look.supportBy(units), support)).toFixed(3)} |`,
      );
    }
    const { units, support } = fitted(null);
    return [...lines, '', ...asCode('unitWeights', units), ...asCode('supportWeights', support)];
  } finally {
    await harness.close();
  }
}

/** Whole, and with every other article absent. */
async function lookAtTexts(harness: Harness, name: string, size: number): Promise<Look[]> {
  const set = readSet(name);
  if (!set) return [];
  const questions = sample(
    set.questions.filter(({ type }) => (type ?? 'span') === 'span'),
    size,
  );
  const articles = [...new Set(set.passages.map(({ doc }) => doc))];
  const halves = name === 'tatqa' ? [] : [0, 1].map((half) => articles.filter((_, i) => i % 2 === half));
  const looks: Look[] = [];
  for (const present of [articles, ...halves]) {
    const passages = set.passages.filter(({ doc }) => present.includes(doc));
    const corpus = await harness.load(sourcesOf(passages));
    const passageOf = passageOfChunk(passages, corpus);
    const ids = new Set(passages.map(({ id }) => id));
    const asked = questions.map((question) => ({
      text: question.question,
      isThere: question.gold.some((id) => ids.has(id)),
      isRight: ({ chunkId }: RetrievedPassage, { text }: Unit) =>
        question.gold.includes(passageOf.get(chunkId) ?? '') && isQuoted(question, [text]),
    }));
    looks.push(...(await lookAt(harness, corpus, asked)));
  }
  return looks;
}

/** Whole, and with every other document absent. */
async function lookAtPdfs(harness: Harness, name: string): Promise<Look[]> {
  const folder = join(dataFolder, 'realpdf', name);
  if (!existsSync(folder)) return [];
  const questions: {
    id: string;
    question: string;
    answers: string[];
    doc: string | null;
    pages: number[];
    also?: { doc: string; pages: number[] }[];
  }[] = readFileSync(join(folder, 'questions.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const files = readdirSync(join(folder, 'pdf')).sort();
  const parsed = await parseFiles(files.map((file) => join(folder, 'pdf', file)));
  const sources = parsed.flatMap(({ source }) => source ?? []);
  const looks: Look[] = [];
  for (const present of [files, ...[0, 1].map((half) => files.filter((_, i) => i % 2 === half))]) {
    const here = new Set(present.map((file) => file.normalize('NFC')));
    const corpus = await harness.load(sources.filter((source) => here.has(source.name)));
    const asked = questions.map(({ question, answers, doc, pages, also = [] }) => {
      const places = doc === null ? also : [{ doc, pages }, ...also];
      const gold = places.flatMap((place) => place.pages.map((page) => pageId(place.doc, page)));
      return {
        text: question,
        isThere: places.some((place) => here.has(place.doc)),
        isRight: (passage: RetrievedPassage, unit: Unit) =>
          gold.includes(pageId(passage.name, unit.page ?? 0)) && isQuoted({ answers }, [unit.text]),
      };
    });
    looks.push(...(await lookAt(harness, corpus, asked)));
  }
  return looks;
}

async function lookAt({ db, retrieval }: Harness, { actor }: Corpus, asked: AskedHere[]): Promise<Look[]> {
  const looks: Look[] = [];
  for (const { text: given, isThere, isRight } of asked) {
    const request = { text: given, limit: passagesRead };
    const prepared = await retrieval.prepare(actor.companyId, request, new AbortController().signal);
    const { text } = prepared.request;
    await db.asCompany(actor.companyId, async (tx) => {
      const { question, passages } = await retrieval.search(tx, prepared);
      if (question.total === 0) return;
      const units = await unitsOfPassages(tx, passages);
      const read = passages.map((passage, i) => ({ passage, units: units[i] ?? [] }));
      const measures = createCoverage(question);
      const weighed = await weighUnits(question, text, read, measures);
      looks.push({
        isThere,
        options: weighed.map(({ signals, unit, passage }) => ({ signals, isRight: isThere && isRight(passage, unit) })),
        supportBy(weights) {
          const rated = weighed.map((each) => ({ ...each, score: sumOf(each.signals, weights) }));
          return { ...supportSignals(question, text, passages, rated, measures), bias: 1 };
        },
      });
    });
  }
  return looks;
}

function isFirstRight(options: Look['options'], weights: Record<UnitName, number>): number {
  const [best] = options.toSorted((one, other) => sumOf(other.signals, weights) - sumOf(one.signals, weights));
  return best?.isRight ? 1 : 0;
}

/** How often a question that is answered has the higher odds than one that is not (area under the curve). */
function told(looks: Look[], oddsOf: (look: Look) => number): number {
  const odds = (isThere: boolean) => looks.filter((look) => look.isThere === isThere).map(oddsOf);
  const absent = odds(false);
  return mean(odds(true).map((one) => mean(absent.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)))));
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
