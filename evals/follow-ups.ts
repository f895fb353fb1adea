import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wholeCompany } from '#server/db/audience.ts';
import { contextOf, type Turn } from '#server/features/answers/history.ts';
import type { RetrievalRequest } from '#server/features/retrieval/retrieval.ts';
import { type Harness, openHarness } from './harness.ts';
import { type RankingMeasures, rankingMeasures } from './measures.ts';
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
type Way = (turns: Turn[], id: string) => Pick<RetrievalRequest, 'text' | 'context'>;

const own: [name: string, way: Way] = [
  'Footnote, without a model',
  (turns) => ({ text: turns.at(-1)?.text ?? '', context: contextOf(turns) }),
];
const ways: [name: string, way: Way][] = [
  ['the last question alone', (turns) => ({ text: turns.at(-1)?.text ?? '' })],
  own,
  ['the last two questions in one', (turns) => ({ text: together(turns, 2) })],
  ['all questions in one', (turns) => ({ text: together(turns, turns.length) })],
];

/**
 * Last questions made to stand by themselves: written by hand from the conversations, without a look at the passages.
 */
const rewritten = new Map(
  readFileSync(join(import.meta.dirname, 'rewritten.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): [string, string] => {
      const { id, question } = JSON.parse(line);
      return [id, question];
    }),
);
const ofThese = 'later, some of them';
const byHand: [name: string, way: Way] = ['rewritten by hand', (_, id) => ({ text: rewritten.get(id) ?? '' })];

/** Asks the last questions of conversations: are the passages found that hold their answers? */
export async function evaluateFollowUps(size: number): Promise<string[]> {
  const set = readConversations();
  const other = readSet('squad');
  if (!set || !other) return ['No data set is present: nothing to measure.'];
  const harness = await openHarness();
  try {
    const first = set.conversations.filter(({ turns }) => turns.length === 1);
    const later = set.conversations.filter(({ turns }) => turns.length > 1);
    const conversed = await measure(harness, set.passages, [
      ['first of a conversation', first, ways.slice(0, 1)],
      ['later', later, ways],
      [ofThese, later.filter(({ id }) => rewritten.has(id)), [own, byHand]],
    ]);
    const changed = await measure(harness, other.passages, [['on something else', changesOfTopic(other, size), ways]]);
    return [
      `${set.passages.length} passages of conversations, ${other.passages.length} of squad. A conversation is of the half that the method was tuned on, or of the other, as a whole.`,
      '',
      '| questions | | | recall@1 | recall@5 | nDCG@10 | tuned on: recall@5 | kept apart: recall@5 |',
      '|---|---|---|---|---|---|---|---|',
      ...[...conversed, ...changed].map(toRow),
      '',
      besideHand(conversed),
    ];
  } finally {
    await harness.close();
  }
}

type Asked = [kind: string, conversations: Conversation[], ways: typeof ways];

interface Measured {
  kind: string;
  way: string;
  questions: number;
  of: Record<'all' | 'tuned' | 'apart', RankingMeasures>;
}

async function measure({ load, retrieval }: Harness, passages: Passage[], asked: Asked[]): Promise<Measured[]> {
  const corpus = await load(sourcesOf(passages));
  const passageOf = passageOfChunk(passages, corpus);
  const { signal } = new AbortController();
  const measured: Measured[] = [];
  for (const [kind, conversations, tried] of asked) {
    for (const [name, way] of tried) {
      const ranked: { tuned: boolean; found: string[]; gold: string[] }[] = [];
      for (const { id, conversation, turns, gold } of conversations) {
        const { passages: found } = await retrieval.find(
          wholeCompany(corpus.actor.companyId),
          { ...way(turns, id), limit },
          signal,
        );
        const passageIds = found.map(({ chunkId }) => passageOf.get(chunkId) ?? '');
        ranked.push({ tuned: isTunedOn(conversation), found: passageIds, gold });
      }
      const half = (tuned: boolean) => rankingMeasures(ranked.filter((each) => each.tuned === tuned));
      const of = { all: rankingMeasures(ranked), tuned: half(true), apart: half(false) };
      measured.push({ kind, way: name, questions: ranked.length, of });
    }
  }
  return measured;
}

function toRow({ kind, way, questions, of: { all, tuned, apart } }: Measured): string {
  const figures = [all.recall1, all.recall5, all.ndcg10, tuned.recall5, apart.recall5];
  return `| ${[kind, questions, way, ...figures.map((value) => value.toFixed(3))].join(' | ')} |`;
}

/** What is found beside what questions find that people made to stand by themselves. */
function besideHand(measured: Measured[]): string {
  const find = ([wanted]: typeof own) => measured.find(({ kind, way }) => kind === ofThese && way === wanted)?.of;
  const [ours, theirs] = [find(own), find(byHand)];
  const share = (half: keyof Measured['of']) =>
    ((ours?.[half].recall5 ?? 0) / (theirs?.[half].recall5 ?? 1)).toFixed(2);
  return `Share of the recall@5 of questions rewritten by hand: ${share('all')} (goal: at least 0.9), tuned on ${share('tuned')}, kept apart ${share('apart')}.`;
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
