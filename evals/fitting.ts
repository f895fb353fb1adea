import { createCoverage } from '#server/features/answers/coverage.ts';
import {
  type LanguageClass,
  languageClass,
  sumOf,
  supportWeights,
  unitWeights,
} from '#server/features/answers/extractive.ts';
import { unitsOfPassages } from '#server/features/answers/quotable.ts';
import { type SupportSignals, supportSignals } from '#server/features/answers/support-signals.ts';
import { type UnitSignals, weighUnits } from '#server/features/answers/unit-signals.ts';
import { isQuoted } from './asked.ts';
import { type Choice, fitChoices, fitOdds } from './fit.ts';
import { type Corpus, type Harness, openHarness } from './harness.ts';
import { percentile } from './measures.ts';
import { type AskedQuestion, type DataSet, isTunedOn, passageOfChunk, readSet, sample, sourcesOf } from './sets.ts';

const names = ['squad', 'xquad-de', 'xquad-zh', 'xquad-ar', 'tatqa'];
const passagesRead = 8;
/** Share of the questions that are answered somewhere, and may be refused all the same. */
const refusedOfPresent: Record<LanguageClass, number> = { english: 0.03, inflected: 0.045, unspaced: 0.06 };

/**
 * Fits the weights by which quotes are chosen and questions refused, on the half of the questions that methods may be
 * tuned on, and prints them as they stand in `extractive.ts`.
 */
export async function fitAnswers(size: number): Promise<string[]> {
  const harness = await openHarness();
  try {
    const choices: Choice<keyof UnitSignals>[] = [];
    const cases: { signals: SupportSignals; of: LanguageClass; isSo: boolean }[] = [];
    for (const name of names) {
      const set = readSet(name);
      if (!set) continue;
      const quotable = set.questions.filter(({ id, type }) => isTunedOn(id) && (type ?? 'span') === 'span');
      const questions = sample(quotable, size);
      const looks = await lookAt(harness, set, await harness.load(sourcesOf(set.passages)), questions);
      choices.push(...looks.map(({ options }) => ({ options })));
      if (name === 'tatqa') continue;
      const articles = [...new Set(set.passages.map(({ doc }) => doc))];
      for (const half of [0, 1]) {
        const present = set.passages.filter(({ doc }) => articles.indexOf(doc) % 2 === half);
        const corpus = await harness.load(sourcesOf(present));
        const some = await lookAt(harness, { ...set, passages: present }, corpus, questions);
        const ids = new Set(present.map(({ id }) => id));
        cases.push(
          ...some.map(({ question, signals, of }) => ({
            signals,
            of,
            isSo: question.gold.some((id) => ids.has(id)),
          })),
        );
      }
    }
    return [
      ...asCode('unitWeights', fitChoices(choices, namesOf(unitWeights))),
      ...namesOf(supportWeights).flatMap((each) => {
        const own = cases.filter(({ of }) => of === each);
        const weights = fitOdds(own, namesOf(supportWeights[each]));
        const odds = own.filter(({ isSo }) => isSo).map(({ signals }) => sumOf(signals, weights));
        weights.bias -= percentile(odds, refusedOfPresent[each]);
        return asCode(each, weights);
      }),
    ];
  } finally {
    await harness.close();
  }
}

async function lookAt({ db, retrieval }: Harness, set: DataSet, corpus: Corpus, questions: AskedQuestion[]) {
  const passageOf = passageOfChunk(set.passages, corpus);
  const { companyId } = corpus.actor;
  const looks: {
    question: AskedQuestion;
    options: Choice<keyof UnitSignals>['options'];
    signals: SupportSignals;
    of: LanguageClass;
  }[] = [];
  for (const question of questions) {
    const request = { text: question.question, limit: passagesRead };
    const prepared = await retrieval.prepare(companyId, request, new AbortController().signal);
    await db.asCompany(companyId, async (tx) => {
      const found = await retrieval.search(tx, prepared);
      if (found.question.total === 0) return;
      const units = await unitsOfPassages(tx, found.passages);
      const read = found.passages.map((passage, i) => ({ passage, units: units[i] ?? [] }));
      const measures = createCoverage(found.question);
      const weighed = await weighUnits(found.question, question.question, read, measures);
      const options = weighed.map(({ signals, unit, passage }) => ({
        signals,
        isRight: question.gold.includes(passageOf.get(passage.chunkId) ?? '') && isQuoted(question, [unit.text]),
      }));
      const signals = supportSignals(found.question, question.question, found.passages, weighed, measures);
      looks.push({ question, options, signals, of: languageClass(found.question, question.question) });
    });
  }
  return looks;
}

function namesOf<Name extends string>(weights: Record<Name, unknown>): Name[] {
  return Object.keys(weights).filter((name): name is Name => name in weights);
}

function asCode<Name extends string>(name: string, weights: Record<Name, number>): string[] {
  const lines = namesOf(weights).map((each) => `  ${each}: ${weights[each].toFixed(2)},`);
  return [`const ${name} = {`, ...lines, '};'];
}
