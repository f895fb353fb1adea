import { contextOf, type Turn } from '#server/features/answers/standalone.ts';
import type { RetrievalRequest } from '#server/features/retrieval/retrieval.ts';
import { openHarness } from './harness.ts';
import { rankingMeasures } from './measures.ts';
import { type Conversation, isTunedOn, passageOfChunk, readConversations, sourcesOf } from './sets.ts';

const limit = 10;

/** How a conversation becomes what is searched for. */
type Way = (turns: Turn[]) => Pick<RetrievalRequest, 'text' | 'context'>;

const ways: [name: string, way: Way][] = [
  ['the last question alone', (turns) => ({ text: turns.at(-1)?.text ?? '' })],
  ['Footnote, without a model', (turns) => ({ text: turns.at(-1)?.text ?? '', context: contextOf(turns) })],
  ['the last two questions in one', (turns) => ({ text: together(turns, 2) })],
  ['all questions in one', (turns) => ({ text: together(turns, turns.length) })],
];

/** Asks the last questions of conversations: are the passages found that hold their answers? */
export async function evaluateFollowUps(): Promise<string[]> {
  const set = readConversations();
  if (!set) return ['No data set is present: nothing to measure.'];
  const harness = await openHarness();
  try {
    const corpus = await harness.load(sourcesOf(set.passages));
    const passageOf = passageOfChunk(set.passages, corpus);
    const { signal } = new AbortController();
    const rankings = async (conversations: Conversation[], way: Way) => {
      const ranked: { found: string[]; gold: string[] }[] = [];
      for (const { turns, gold } of conversations) {
        const request = { ...way(turns), limit };
        const { passages } = await harness.retrieval.find(corpus.actor.companyId, request, signal);
        ranked.push({ found: passages.map(({ chunkId }) => passageOf.get(chunkId) ?? ''), gold });
      }
      return ranked;
    };
    const first = set.conversations.filter(({ turns }) => turns.length === 1);
    const later = set.conversations.filter(({ turns }) => turns.length > 1);
    const lines = [
      `${set.passages.length} passages. A conversation is of the half that the method was tuned on, or of the other, as a whole.`,
      '',
      '| questions | | | recall@5 | nDCG@10 | tuned on: recall@5 | kept apart: recall@5 |',
      '|---|---|---|---|---|---|---|',
    ];
    for (const [kind, conversations, tried] of [
      ['first of a conversation', first, ways.slice(0, 1)],
      ['later', later, ways],
    ] as const) {
      for (const [name, way] of tried) {
        const ranked = await rankings(conversations, way);
        const half = (tuned: boolean) =>
          rankingMeasures(ranked.filter((_, i) => isTunedOn(conversations[i]?.conversation ?? '') === tuned)).recall5;
        const { recall5, ndcg10 } = rankingMeasures(ranked);
        const figures = [recall5, ndcg10, half(true), half(false)].map((value) => value.toFixed(3));
        lines.push(`| ${[kind, conversations.length, name, ...figures].join(' | ')} |`);
      }
    }
    return lines;
  } finally {
    await harness.close();
  }
}

function together(turns: Turn[], most: number): string {
  return turns
    .filter(({ role }) => role === 'user')
    .slice(-most)
    .map(({ text }) => text)
    .join(' ');
}
