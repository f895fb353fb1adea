import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { likeness, minLikeness, wordingOf } from '#server/features/analytics/same-question.ts';
import { readQuestionTexts } from './sets.ts';

/** Two questions: by their ids in a set, or one of them in other words of ours. */
export interface QuestionPair {
  set: string;
  id: string;
  other?: string;
  again?: string;
  /** Whether they ask for the same. */
  same: boolean;
}

const limits = [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 1];

/** How alike the pairs are; null where the sets are not there. */
export function likenessOfPairs(): { same: boolean; likeness: number }[] | null {
  const lines = readFileSync(join(import.meta.dirname, 'same-questions.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const pairs = lines.map((line): QuestionPair => JSON.parse(line));
  const texts = new Map<string, Map<string, string> | null>();
  for (const { set } of pairs) if (!texts.has(set)) texts.set(set, readQuestionTexts(set));
  if ([...texts.values()].includes(null)) return null;
  return pairs.map(({ set, id, other, again, same }) => {
    const one = texts.get(set)?.get(id);
    const two = again ?? texts.get(set)?.get(other ?? '');
    if (one === undefined || two === undefined) throw new Error(`${set} has no ${id} or ${other}`);
    return { same, likeness: likeness(wordingOf(one).terms, wordingOf(two).terms) };
  });
}

/** Of the pairs that are taken for one, how many are; of those that are one, how many are taken for one. */
export function precisionAndRecall(
  pairs: readonly { same: boolean; likeness: number }[],
  limit: number,
): { precision: number; recall: number } {
  const taken = pairs.filter((pair) => pair.likeness >= limit);
  const right = taken.filter(({ same }) => same).length;
  return { precision: right / taken.length, recall: right / pairs.filter(({ same }) => same).length };
}

/** When analytics count two questions as one. */
export async function evaluateSameQuestion(): Promise<string[]> {
  const pairs = likenessOfPairs();
  if (!pairs) return ['The sets are not there.'];
  return [
    `${pairs.filter(({ same }) => same).length} pairs that ask for the same (of the sets themselves, and reworded by hand), ${pairs.filter(({ same }) => !same).length} near misses of the sets that don't.`,
    '',
    '| taken for one from | precision | recall |',
    '|---:|---:|---:|',
    ...limits.map((limit) => {
      const { precision, recall } = precisionAndRecall(pairs, limit);
      const used = limit === minLikeness ? ' (used)' : '';
      return `| ${limit}${used} | ${precision.toFixed(3)} | ${recall.toFixed(3)} |`;
    }),
  ];
}
