import { wholeCompany } from '#server/db/audience.ts';
import { questionTerms } from '#server/lib/analyze.ts';
import { type Harness, openHarness } from './harness.ts';
import { mean, percentile, type Ranking, rankingMeasures } from './measures.ts';
import { peers } from './peer.ts';
import { type DataSet, isTunedOn, mixed, passageOfChunk, readSet, sample, sourcesOf } from './sets.ts';

const names = ['squad', 'xquad-de', 'xquad-zh', 'xquad-ar', 'tatqa', 'multihop-hotpotqa'];
/** Chinese is no contest: engines that cut at blanks find next to nothing. */
const uncontested = 'xquad-zh';
const limit = 10;

/**
 * Ranks passages through the product's own retrieval, with other engines beside it on the same passages. With an
 * embedding model in the environment, also by words alone.
 */
export async function evaluateRetrieval({ size, sets }: { size: number; sets: string[] }): Promise<string[]> {
  const wanted = names.filter((name) => sets.length === 0 || sets.includes(name));
  const present = wanted.map(readSet).filter((set) => set !== null);
  if (present.length === 0) return ['No data sets are present: nothing to measure.'];
  const lines = [
    'nDCG@10 of the half of the questions that the ranking was fitted on, and of the other half, stands in the last columns.',
    '',
    '| set | passages | questions | | recall@1 | recall@5 | recall@10 | MRR@10 | nDCG@10 | fitted on | kept apart | p50 ms | p95 ms |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|---|',
  ];
  const ahead: { set: string; over: string; all: number; apart: number }[] = [];
  const recalls = new Map<string, number>();
  const harness = await openHarness();
  try {
    for (const set of sets.length === 0 ? [...present, mixed(present, uncontested)] : present) {
      const questions = sample(set.questions, size);
      const ask = await footnoteOn(harness, set);
      const ours = await rankWith(ask(false), questions);
      lines.push(row(set, ['Footnote', ...harness.services].join(' + '), ours));
      if (harness.services.length > 0) {
        const words = await rankWith(ask(true), questions);
        const far = farFromTheirWords(set, questions);
        lines.push(row(set, 'Footnote, words alone', words));
        lines.push(row(set, 'quarter with least overlap: Footnote + services', only(ours, far)));
        lines.push(row(set, 'quarter with least overlap: words alone', only(words, far)));
      }
      let best = { over: '', all: 0, apart: 0 };
      for (const open of peers) {
        const peer = await open(set.passages);
        const theirs = await rankWith(peer.search, questions);
        await peer.close();
        lines.push(row(set, peer.name, theirs));
        const all = rankingMeasures(theirs.rankings).ndcg10;
        if (all > best.all) best = { over: peer.name, all, apart: ofHalf(theirs, false) };
      }
      recalls.set(set.name, rankingMeasures(ours.rankings).recall5);
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
  return [...lines, '', ...comparison(ahead), ...besideEnglish(recalls)];
}

/** Whether other languages are found as well as English. */
function besideEnglish(recalls: ReadonlyMap<string, number>): string[] {
  const english = recalls.get('squad');
  const others = [...recalls].filter(([name]) => name.startsWith('xquad-'));
  if (english === undefined || others.length === 0) return [];
  const points = others.map(([name, recall]) => `${name} ${(100 * (recall - english)).toFixed(1)}`);
  return ['', `Points of recall@5 beside English (squad): ${points.join(', ')} (goal: at least -5).`];
}

function comparison(ahead: { set: string; over: string; all: number; apart: number }[]): string[] {
  const points = (value: number) => `${value >= 0 ? '+' : ''}${(100 * value).toFixed(1)}`;
  const counted = ahead.filter(({ set }) => set !== uncontested);
  return [
    '| points of nDCG@10 above the best of the others | best of the others | all questions | kept apart | goal |',
    '|---|---|---|---|---|',
    ...ahead.map(({ set, over, all, apart }) => `| ${set} | ${over} | ${points(all)} | ${points(apart)} | ≥ 0 |`),
    `| mean without Chinese | | ${points(mean(counted.map(({ all }) => all)))} | ${points(mean(counted.map(({ apart }) => apart)))} | ≥ +3 |`,
  ];
}

interface Ranked {
  ids: string[];
  rankings: Ranking[];
  ms: number[];
}

/** Loads the set into a company of its own. */
async function footnoteOn({ retrieval, load }: Harness, set: DataSet) {
  const corpus = await load(sourcesOf(set.passages));
  const { companyId } = corpus.actor;
  const passageOf = passageOfChunk(set.passages, corpus);
  const { signal } = new AbortController();
  return (byWordsAlone: boolean) => async (text: string) => {
    const { passages } = await retrieval.find(wholeCompany(companyId), { text, limit, byWordsAlone }, signal);
    return passages.map(({ chunkId }) => passageOf.get(chunkId) ?? '');
  };
}

/** Ids of the quarter of the questions that share the smallest part of their words with the passages that answer. */
function farFromTheirWords({ passages }: DataSet, questions: DataSet['questions']): Set<string> {
  const texts = new Map(passages.map(({ id, title, text }) => [id, `${title} ${text}`]));
  const overlaps = questions.map(({ id, question, gold }) => {
    const there = new Set(gold.flatMap((passage) => questionTerms(texts.get(passage) ?? '').terms));
    const { terms } = questionTerms(question);
    return { id, share: terms.filter((term) => there.has(term)).length / Math.max(1, terms.length) };
  });
  const sorted = overlaps.sort((one, other) => one.share - other.share);
  return new Set(sorted.slice(0, Math.ceil(sorted.length / 4)).map(({ id }) => id));
}

function only({ ids, rankings, ms }: Ranked, wanted: ReadonlySet<string>): Ranked {
  const at = [...ids.keys()].filter((i) => wanted.has(ids[i] ?? ''));
  const pick = <T>(all: T[]) => at.flatMap((i) => all.slice(i, i + 1));
  return { ids: pick(ids), rankings: pick(rankings), ms: pick(ms) };
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
