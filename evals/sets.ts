import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Turn } from '#server/features/answers/history.ts';
import type { Block, Chunk, PlacedBlock } from '#server/features/ingestion/document.ts';
import type { Source } from '#server/testing/corpus.ts';
import type { Corpus } from './harness.ts';

/** Text and questions that nobody here wrote; the evaluations use what of it is there. */
export const dataFolder = join(import.meta.dirname, '..', '..', 'shared', 'data');

export interface Passage {
  id: string;
  doc: string;
  title: string;
  text: string;
  kind?: 'table' | 'text';
}

export interface AskedQuestion {
  id: string;
  question: string;
  answers: string[];
  /** Ids of the passages that hold the answer. */
  gold: string[];
  answerable: boolean;
  /** tatqa: `span`, `multi-span`, `arithmetic`, `count`. */
  type?: string;
}

export interface DataSet {
  name: string;
  passages: Passage[];
  /** The answerable ones. */
  questions: AskedQuestion[];
}

export function readSet(name: string): DataSet | null {
  if (!existsSync(join(dataFolder, name, 'passages.jsonl'))) return null;
  const questions = readLines<AskedQuestion>(name, 'questions');
  return {
    name,
    passages: readLines<Passage>(name, 'passages'),
    questions: questions.filter(({ answerable, gold }) => answerable && gold.length > 0),
  };
}

/** Every question of a set by its id; null where the set is not there. */
export function readQuestionTexts(name: string): Map<string, string> | null {
  if (!existsSync(join(dataFolder, name, 'questions.jsonl'))) return null;
  return new Map(readLines<AskedQuestion>(name, 'questions').map(({ id, question }) => [id, question]));
}

/** A conversation up to a question, and the passages that answer it. */
export interface Conversation {
  id: string;
  /** Of several that are cut from one, the same. */
  conversation: string;
  turns: Turn[];
  gold: string[];
}

/** Those whose last question is answered by some passage. */
export function readConversations(): { passages: Passage[]; conversations: Conversation[] } | null {
  const name = 'multiturn';
  if (!existsSync(join(dataFolder, name, 'passages.jsonl'))) return null;
  const asked = readLines<{
    id: string;
    conversation_id: string;
    history: { role: 'user' | 'agent'; text: string }[];
    gold_ids: string[];
  }>(name, 'questions');
  return {
    passages: readLines<Passage>(name, 'passages'),
    conversations: asked
      .filter(({ gold_ids: gold }) => gold.length > 0)
      .map(({ id, conversation_id: conversation, history, gold_ids: gold }) => ({
        id,
        conversation,
        gold,
        turns: history.map(({ role, text }) => ({ role: role === 'user' ? 'user' : 'model', text })),
      })),
  };
}

/** All in one company: a hundred questions of each but one, so that no set outweighs the others. */
export function mixed(sets: DataSet[], unasked: string): DataSet {
  return {
    name: 'mixed',
    passages: sets.flatMap(({ passages }) => passages),
    questions: sets.flatMap(({ name, questions }) => (name === unasked ? [] : sample(questions, 100))),
  };
}

/** Whether a question is of the half that methods may be tuned on. The other half tells whether a gain is real. */
export function isTunedOn(id: string): boolean {
  return (createHash('sha256').update(id).digest()[0] ?? 0) % 2 === 0;
}

/** Every n-th, so that a sample is spread over the whole set and always the same. */
export function sample<T>(items: T[], size: number): T[] {
  return items.length <= size ? items : spread(items, size);
}

/** So many of them, evenly: some more than once where there are fewer. */
export function spread<T>(items: T[], size: number): T[] {
  if (items.length === 0) return [];
  return Array.from({ length: size }, (_, i) => items[Math.floor((i * items.length) / size)]).filter(
    (item) => item !== undefined,
  );
}

/**
 * The passages as documents: those of one article are the chunks of one document, so that nothing depends on our
 * cutting.
 */
export function sourcesOf(passages: Passage[]): Source[] {
  const sources: Source[] = [];
  for (const [doc, own] of Map.groupBy(passages, (passage) => passage.doc)) {
    const runs = own.map(blocksOf);
    sources.push({
      name: own[0]?.title || doc,
      blocks: runs.flat(),
      chunk(placed) {
        let first = 0;
        return runs.map((run, index) => {
          const chunk = chunkOf(placed.slice(first, first + run.length), index);
          first += run.length;
          return chunk;
        });
      },
    });
  }
  return sources;
}

/** The passage that each chunk is, once they are loaded. */
export function passageOfChunk(passages: Passage[], { documents }: Corpus): Map<string, string> {
  const ids = new Map<string, string>();
  for (const [i, own] of [...Map.groupBy(passages, (passage) => passage.doc).values()].entries()) {
    for (const [index, chunkId] of (documents[i]?.chunkIds ?? []).entries()) ids.set(chunkId, own[index]?.id ?? '');
  }
  return ids;
}

/** A passage as a parser would have it. */
export function blocksOf({ kind, text }: Passage): Block[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (kind !== 'table') return lines.map((line) => ({ kind: 'paragraph', text: line }));
  return lines.map((line, i) => {
    const cells = line
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim());
    return { kind: 'row', text: cells.join(' | '), cells, header: i === 0 };
  });
}

function chunkOf(run: PlacedBlock[], index: number): Chunk {
  const [first, last] = [run[0], run.at(-1)];
  if (!first || !last) throw new Error('a passage without text');
  return {
    index,
    headingPath: [],
    start: first.start,
    end: last.end,
    firstBlock: first.index,
    lastBlock: last.index,
    text: run.map(({ text }) => text).join('\n'),
  };
}

function readLines<T>(set: string, file: string): T[] {
  return readFileSync(join(dataFolder, set, `${file}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
