import { contextOf, type Turn } from '#server/features/answers/standalone.ts';
import type { RetrievalRequest } from '#server/features/retrieval/retrieval.ts';
import { type Harness, openHarness } from './harness.ts';
import { rankingMeasures } from './measures.ts';
import {
  type Conversation,
  type DataSet,
  isTunedOn,
  type Passage,
  passageOfChunk,
  readConversations,
  readSet,
  sample,
  sourcesOf,
} from './sets.ts';

const limit = 10;
const answerLength = 400;

/** How a conversation becomes what is searched for. */
type Way = (turns: Turn[]) => Pick<RetrievalRequest, 'text' | 'context'>;

const ways: [name: string, way: Way][] = [
  ['the last question alone', (turns) => ({ text: turns.at(-1)?.text ?? '' })],
  ['Footnote, without a model', (turns) => ({ text: turns.at(-1)?.text ?? '', context: contextOf(turns) })],
  ['the last two questions in one', (turns) => ({ text: together(turns, 2) })],
  ['all questions in one', (turns) => ({ text: together(turns, turns.length) })],
];

/** Asks the last questions of conversations: are the passages found that hold their answers? */
export async function evaluateFollowUps(size: number): Promise<string[]> {
  const set = readConversations();
  const other = readSet('squad');
  if (!set || !other) return ['No data set is present: nothing to measure.'];
  const harness = await openHarness();
  try {
    const first = set.conversations.filter(({ turns }) => turns.length === 1);
    const later = set.conversations.filter(({ turns }) => turns.length > 1);
    return [
      `${set.passages.length} passages of conversations, ${other.passages.length} of squad. A conversation is of the half that the method was tuned on, or of the other, as a whole.`,
      '',
      '| questions | | | recall@1 | recall@5 | nDCG@10 | tuned on: recall@5 | kept apart: recall@5 |',
      '|---|---|---|---|---|---|---|---|',
      ...(await measure(harness, set.passages, [
        ['first of a conversation', first, ways.slice(0, 1)],
        ['later', later, ways],
      ])),
      ...(await measure(harness, other.passages, [['on something else', changesOfTopic(other, size), ways]])),
    ];
  } finally {
    await harness.close();
  }
}

type Asked = [kind: string, conversations: Conversation[], ways: typeof ways];

async function measure({ load, retrieval }: Harness, passages: Passage[], asked: Asked[]): Promise<string[]> {
  const corpus = await load(sourcesOf(passages));
  const passageOf = passageOfChunk(passages, corpus);
  const { signal } = new AbortController();
  const lines: string[] = [];
  for (const [kind, conversations, tried] of asked) {
    for (const [name, way] of tried) {
      const ranked: { tuned: boolean; found: string[]; gold: string[] }[] = [];
      for (const { conversation, turns, gold } of conversations) {
        const { passages: found } = await retrieval.find(corpus.actor.companyId, { ...way(turns), limit }, signal);
        const ids = found.map(({ chunkId }) => passageOf.get(chunkId) ?? '');
        ranked.push({ tuned: isTunedOn(conversation), found: ids, gold });
      }
      const half = (tuned: boolean) => rankingMeasures(ranked.filter((each) => each.tuned === tuned)).recall5;
      const { recall1, recall5, ndcg10 } = rankingMeasures(ranked);
      const figures = [recall1, recall5, ndcg10, half(true), half(false)].map((value) => value.toFixed(3));
      lines.push(`| ${[kind, conversations.length, name, ...figures].join(' | ')} |`);
    }
  }
  return lines;
}

/** Questions, each behind two that were answered and have nothing to do with it. */
function changesOfTopic({ passages, questions }: DataSet, size: number): Conversation[] {
  const asked = sample(questions, size);
  const textOf = new Map(passages.map(({ id, text }) => [id, text]));
  return asked.map(({ id, question, gold }, i) => {
    const before = [1, 2].flatMap((step): Turn[] => {
      const other = asked[(i + step * Math.floor(asked.length / 3)) % asked.length];
      const answer = textOf.get(other?.gold[0] ?? '') ?? '';
      return [
        { role: 'user', text: other?.question ?? '' },
        { role: 'model', text: answer.slice(0, answerLength) },
      ];
    });
    return { id, conversation: id, gold, turns: [...before, { role: 'user', text: question }] };
  });
}

function together(turns: Turn[], most: number): string {
  return turns
    .filter(({ role }) => role === 'user')
    .slice(-most)
    .map(({ text }) => text)
    .join(' ');
}
