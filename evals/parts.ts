import { standInLimit } from '#server/features/retrieval/question.ts';
import { feedback, signalWeights } from '#server/features/retrieval/rank.ts';
import { fieldWeights } from '#server/features/retrieval/signals.ts';
import { openHarness } from './harness.ts';
import { mean, rankingMeasures } from './measures.ts';
import { type AskedQuestion, type DataSet, isTunedOn, passageOfChunk, readSet, sample, sourcesOf } from './sets.ts';

const names = ['squad', 'xquad-de', 'xquad-zh', 'xquad-ar', 'tatqa', 'multihop-hotpotqa'];
const limit = 10;

/** A part of the ranking that can be taken away. */
interface Part {
  name: string;
  of: Record<string, number>;
  keys: string[];
}

const parts: Part[] = [
  ...each('signal', signalWeights),
  ...each('feedback', feedback),
  { name: 'title and heading in the match', of: fieldWeights, keys: Object.keys(fieldWeights) },
  { name: 'terms that stand in for misspelt ones', of: standInLimit, keys: Object.keys(standInLimit) },
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
      const measure = async () => {
        const ranked: { id: string; found: string[]; gold: string[] }[] = [];
        for (const { id, question: text, gold } of questions) {
          const { passages } = await harness.retrieval.find(corpus.actor.companyId, { text, limit }, signal);
          ranked.push({ id, gold, found: passages.map(({ chunkId }) => passageOf.get(chunkId) ?? '') });
        }
        const apart = ranked.filter(({ id }) => !isTunedOn(id));
        return { all: rankingMeasures(ranked).ndcg10, apart: rankingMeasures(apart).ndcg10 };
      };
      const base = await measure();
      whole.push(base.all);
      for (const part of parts) {
        const without = await taken(part, measure);
        lost.get(part.name)?.push({ all: base.all - without.all, apart: base.apart - without.apart });
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

function each(kind: string, of: Record<string, number>): Part[] {
  return Object.keys(of).map((key) => ({ name: `${kind} ${key}`, of, keys: [key] }));
}

/** Measures with the part's figures at 0, and puts them back. */
async function taken<T>({ of, keys }: Part, measure: () => Promise<T>): Promise<T> {
  const before = { ...of };
  for (const key of keys) of[key] = 0;
  try {
    return await measure();
  } finally {
    Object.assign(of, before);
  }
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
