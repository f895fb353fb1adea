import { openHarness } from './harness.ts';
import { mean, percentile, type Ranking, rankingMeasures } from './measures.ts';
import { peers } from './peer.ts';
import { type DataSet, isTunedOn, mixed, passageOfChunk, readSet, sample, sourcesOf } from './sets.ts';

const names = ['squad', 'xquad-de', 'xquad-zh', 'xquad-ar', 'tatqa', 'multihop-hotpotqa'];
/** Chinese is no contest: engines that cut at blanks find next to nothing. */
const uncontested = 'xquad-zh';
const limit = 10;

/** Ranks passages through the product's own retrieval, with other engines beside it on the same passages. */
export async function evaluateRetrieval(size: number): Promise<string[]> {
  const present = names.map(readSet).filter((set) => set !== null);
  if (present.length === 0) return ['No data sets are present: nothing to measure.'];
  const lines = [
    'nDCG@10 of the half of the questions that the ranking was fitted on, and of the other half, stands in the last columns.',
    '',
    '| set | passages | questions | | recall@1 | recall@5 | recall@10 | MRR@10 | nDCG@10 | fitted on | kept apart | p50 ms | p95 ms |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|---|',
  ];
  const ahead: { set: string; over: string; all: number; apart: number }[] = [];
  const harness = await openHarness();
  try {
    for (const set of [...present, mixed(present, uncontested)]) {
      const questions = sample(set.questions, size);
      const ours = await rankWithFootnote(harness, set, questions);
      lines.push(row(set, 'Footnote', ours));
      let best = { over: '', all: 0, apart: 0 };
      for (const open of peers) {
        const peer = await open(set.passages);
        const theirs = await rankWith(peer.search, questions);
        await peer.close();
        lines.push(row(set, peer.name, theirs));
        const all = rankingMeasures(theirs.rankings).ndcg10;
        if (all > best.all) best = { over: peer.name, all, apart: ofHalf(theirs, false) };
      }
      ahead.push({
        set: set.name,
        over: best.over,
        all: rankingMeasures(ours.rankings).ndcg10 - best.all,
        apart: ofHalf(ours, false) - best.apart,
      });
    }
  } finally {
    await harness.close();
  }
  return [...lines, '', ...comparison(ahead)];
}

function comparison(ahead: { set: string; over: string; all: number; apart: number }[]): string[] {
  const points = (value: number) => `${value >= 0 ? '+' : ''}${(100 * value).toFixed(1)}`;
  const counted = ahead.filter(({ set }) => set !== uncontested);
  return [
    '| points of nDCG@10 above the best of the others | best of the others | all questions | kept apart |',
    '|---|---|---|---|',
    ...ahead.map(({ set, over, all, apart }) => `| ${set} | ${over} | ${points(all)} | ${points(apart)} |`),
    `| mean without Chinese | | ${points(mean(counted.map(({ all }) => all)))} | ${points(mean(counted.map(({ apart }) => apart)))} |`,
  ];
}

interface Ranked {
  ids: string[];
  rankings: Ranking[];
  ms: number[];
}

async function rankWithFootnote(
  { db, retrieval, load }: Awaited<ReturnType<typeof openHarness>>,
  set: DataSet,
  questions: DataSet['questions'],
): Promise<Ranked> {
  const corpus = await load(sourcesOf(set.passages));
  const { companyId } = corpus.actor;
  const passageOf = passageOfChunk(set.passages, corpus);
  return rankWith(async (text) => {
    const { passages } = await db.asCompany(companyId, (tx) => retrieval.search(tx, companyId, { text, limit }));
    return passages.map(({ chunkId }) => passageOf.get(chunkId) ?? '');
  }, questions);
}

async function rankWith(
  search: (question: string) => Promise<string[]>,
  questions: DataSet['questions'],
): Promise<Ranked> {
  const ranked: Ranked = { ids: [], rankings: [], ms: [] };
  for (const { id, question, gold } of questions) {
    const started = performance.now();
    const found = await search(question);
    ranked.ms.push(performance.now() - started);
    ranked.ids.push(id);
    ranked.rankings.push({ found, gold });
  }
  return ranked;
}

function ofHalf({ ids, rankings }: Ranked, tunedOn: boolean): number {
  return rankingMeasures(rankings.filter((_, i) => isTunedOn(ids[i] ?? '') === tunedOn)).ndcg10;
}

function row({ name, passages }: DataSet, engine: string, ranked: Ranked): string {
  const { recall1, recall5, recall10, mrr10, ndcg10 } = rankingMeasures(ranked.rankings);
  const shares = [recall1, recall5, recall10, mrr10, ndcg10, ofHalf(ranked, true), ofHalf(ranked, false)];
  const times = [0.5, 0.95].map((share) => percentile(ranked.ms, share).toFixed(1));
  const cells = [name, passages.length, ranked.rankings.length, engine];
  return `| ${[...cells, ...shares.map((value) => value.toFixed(3)), ...times].join(' | ')} |`;
}
