import { openHarness } from './harness.ts';
import { percentile, type Ranking, rankingMeasures } from './measures.ts';
import { lanceDefault, miniSearch, type Peer } from './peer.ts';
import { type DataSet, passageOfChunk, readSet, sample, sourcesOf } from './sets.ts';

const sets = ['squad', 'xquad-de', 'xquad-zh', 'xquad-ar', 'tatqa', 'multihop-hotpotqa'];
const limit = 10;

/** Ranks passages through the product's own retrieval, with two other engines beside it on the same passages. */
export async function evaluateRetrieval(size: number): Promise<string[]> {
  const found = sets.map(readSet).filter((set) => set !== null);
  if (found.length === 0) return ['No data sets are present: nothing to measure.'];
  const lines = [
    '| set | passages | questions | | recall@1 | recall@5 | recall@10 | MRR@10 | nDCG@10 | p50 ms | p95 ms |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
  ];
  const harness = await openHarness();
  try {
    for (const set of found) {
      const questions = sample(set.questions, size);
      const ours = await rankWithFootnote(harness, set, questions);
      lines.push(row(set, 'Footnote', ours));
      for (const open of [miniSearch, lanceDefault]) {
        const peer = await open(set.passages);
        lines.push(row(set, peer.name, await rankWith(peer, questions)));
        await peer.close();
      }
    }
  } finally {
    await harness.close();
  }
  return lines;
}

interface Ranked {
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
  const ranked: Ranked = { rankings: [], ms: [] };
  for (const { question, gold } of questions) {
    const started = performance.now();
    const { passages } = await db.asCompany(companyId, (tx) =>
      retrieval.search(tx, companyId, { text: question, limit }),
    );
    ranked.ms.push(performance.now() - started);
    ranked.rankings.push({ found: passages.map(({ chunkId }) => passageOf.get(chunkId) ?? ''), gold });
  }
  return ranked;
}

async function rankWith(peer: Peer, questions: DataSet['questions']): Promise<Ranked> {
  const ranked: Ranked = { rankings: [], ms: [] };
  for (const { question, gold } of questions) {
    const started = performance.now();
    const found = await peer.search(question);
    ranked.ms.push(performance.now() - started);
    ranked.rankings.push({ found, gold });
  }
  return ranked;
}

function row({ name, passages }: DataSet, engine: string, { rankings, ms }: Ranked): string {
  const { recall1, recall5, recall10, mrr10, ndcg10 } = rankingMeasures(rankings);
  const shares = [recall1, recall5, recall10, mrr10, ndcg10].map((value) => value.toFixed(3));
  const times = [0.5, 0.95].map((share) => percentile(ms, share).toFixed(1));
  return `| ${[name, passages.length, rankings.length, engine, ...shares, ...times].join(' | ')} |`;
}
