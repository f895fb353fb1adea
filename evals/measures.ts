/** Of one question: the ids that were found, best first, and those that hold the answer. */
export interface Ranking {
  found: string[];
  gold: string[];
}

export interface RankingMeasures {
  recall1: number;
  recall5: number;
  recall10: number;
  mrr10: number;
  ndcg10: number;
}

/** Means over all questions. */
export function rankingMeasures(rankings: Ranking[]): RankingMeasures {
  return {
    recall1: mean(rankings.map((ranking) => recall(ranking, 1))),
    recall5: mean(rankings.map((ranking) => recall(ranking, 5))),
    recall10: mean(rankings.map((ranking) => recall(ranking, 10))),
    mrr10: mean(rankings.map((ranking) => reciprocalRank(ranking, 10))),
    ndcg10: mean(rankings.map((ranking) => ndcg(ranking, 10))),
  };
}

/** Share of the gold passages among the first k. */
function recall({ found, gold }: Ranking, k: number): number {
  const top = new Set(found.slice(0, k));
  return gold.filter((id) => top.has(id)).length / gold.length;
}

function reciprocalRank({ found, gold }: Ranking, k: number): number {
  const rank = found.slice(0, k).findIndex((id) => gold.includes(id));
  return rank === -1 ? 0 : 1 / (rank + 1);
}

/** Järvelin and Kekäläinen 2002, with gains of 0 and 1. */
function ndcg({ found, gold }: Ranking, k: number): number {
  const discount = (rank: number) => 1 / Math.log2(rank + 2);
  const gain = found.slice(0, k).reduce((sum, id, rank) => sum + (gold.includes(id) ? discount(rank) : 0), 0);
  let ideal = 0;
  for (let rank = 0; rank < Math.min(k, gold.length); rank++) ideal += discount(rank);
  return gain / ideal;
}

export function mean(values: number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @param share 0.5: the median, 0.95: the value that one in twenty exceeds */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
