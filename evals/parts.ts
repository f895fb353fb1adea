import { wholeCompany } from '#server/db/audience.ts';
import { fittedWeights, type RankingWeights } from '#server/features/retrieval/ranking/weights.ts';
import type { Retrieval } from '#server/features/retrieval/retrieval.ts';
import { openHarness } from './harness.ts';
import { mean, rankingMeasures } from './measures.ts';
import { type AskedQuestion, type DataSet, isTunedOn, passageOfChunk, readSet, sample, sourcesOf } from './sets.ts';

const names = ['squad', 'xquad-de', 'xquad-zh', 'xquad-ar', 'tatqa', 'multihop-hotpotqa'];
const limit = 10;

/** A part of the ranking, and the weights without it. */
interface Part {
  name: string;
  weights: RankingWeights;
}

const { passages, fields, lines } = fittedWeights;
const parts: Part[] = [
  ...keysOf(passages).map((key) => without(`signal ${key}`, { passages: { ...passages, [key]: 0 } })),
  ...keysOf(lines).map((key) => without(`line ${key}`, { lines: { ...lines, [key]: 0 } })),
  without('feedback linked', { linked: 0 }),
  without('title and heading in the match', { fields: { ...fields, heading: 0, title: 0, about: 0 } }),
  without('terms that stand in for misspelt ones', { standIns: 0 }),
];

/**
 * What each part of the ranking brings: the points of nDCG@10 that are lost without it, all others left as they are.
 */
export async function evaluateParts(size: number): Promise<string[]> {
  const sets = names.map(readSet).filter((set) => set !== null);
  const [english] = sets;
  if (!english) return ['No data sets are present: nothing to measure.'];
  const measured = [...sets, misspelt(english)];
  const lost = new Map(parts.map(({ name }) => [name, [] as { all: number; apart: number }[]]));
  const whole: number[] = [];
  const harness = await openHarness();
  try {
    for (const set of measured) {
      const corpus = await harness.load(sourcesOf(set.passages));
      const passageOf = passageOfChunk(set.passages, corpus);
      const questions = sample(set.questions, size);
      const { signal } = new AbortController();
      const measure = async (retrieval: Retrieval) => {
        const ranked: { id: string; found: string[]; gold: string[] }[] = [];
        for (const { id, question: text, gold } of questions) {
          const { passages } = await retrieval.find(wholeCompany(corpus.actor.companyId), { text, limit }, signal);
          ranked.push({ id, gold, found: passages.map(({ chunkId }) => passageOf.get(chunkId) ?? '') });
        }
        const apart = ranked.filter(({ id }) => !isTunedOn(id));
        return { all: rankingMeasures(ranked).ndcg10, apart: rankingMeasures(apart).ndcg10 };
      };
      const base = await measure(harness.retrieval);
      whole.push(base.all);
      for (const part of parts) {
        const less = await measure(harness.retrievalBy(part.weights));
        lost.get(part.name)?.push({ all: base.all - less.all, apart: base.apart - less.apart });
      }
    }
  } finally {
    await harness.close();
  }
  const points = (value: number) => (100 * value).toFixed(1);
  return [
    'Points of nDCG@10 that are lost without each part, the others left as they are, not fitted anew.',
    '',
    `| without | ${measured.map(({ name }) => name).join(' | ')} | mean | kept apart |`,
    `|---|${measured.map(() => '---|').join('')}---|---|`,
    `| nothing: nDCG@10 itself | ${whole.map((value) => value.toFixed(3)).join(' | ')} | | |`,
    ...[...lost].map(([name, losses]) => {
      const cells = [...losses.map((loss) => loss.all), mean(losses.map((loss) => loss.all))].map(points);
      return `| ${[name, ...cells, points(mean(losses.map(({ apart }) => apart)))].join(' | ')} |`;
    }),
  ];
}

function without(name: string, less: Partial<RankingWeights>): Part {
  return { name, weights: { ...fittedWeights, ...less } };
}

function keysOf<Name extends string>(weights: Record<Name, number>): Name[] {
  return Object.keys(weights).filter((name): name is Name => name in weights);
}

/** The set with a slip in the longest word of each question: two letters in its middle have changed places. */
function misspelt(set: DataSet): DataSet {
  const slip = (question: AskedQuestion): AskedQuestion => {
    const [longest = ''] = (question.question.match(/\p{L}+/gu) ?? []).toSorted(
      (one, other) => other.length - one.length,
    );
    const at = Math.floor(longest.length / 2);
    const wrong = `${longest.slice(0, at - 1)}${longest.charAt(at)}${longest.charAt(at - 1)}${longest.slice(at + 1)}`;
    return { ...question, question: question.question.replace(longest, wrong) };
  };
  return { ...set, name: `${set.name}, misspelt`, questions: set.questions.map(slip) };
}
