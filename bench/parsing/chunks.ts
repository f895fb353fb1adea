/**
 * How much of the evidence for a question is in the first five chunks, and how much else (the measures of "Evaluating
 * Chunking Strategies for Retrieval", Smith and Troynikov 2024), for several sizes of chunks and for fixed pieces. All
 * are searched in the same way, by MiniSearch, so that only the chunks differ.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { chunkBlocks, chunkSizes } from '#server/features/ingestion/chunk.ts';
import type { Block } from '#server/features/ingestion/document.ts';
import { cleanBlock } from '#server/features/ingestion/parsers/clean.ts';
import { textBlocks } from '#server/features/ingestion/parsers/text.ts';
import { placeBlocks } from '#server/features/ingestion/place.ts';

const folder = '../shared/data/spans';
const taken = 5;

interface Question {
  question: string;
  doc: string;
  references: { content: string }[];
}

/** A piece of a document. Places count letters only, so that they are the same however a document is laid out. */
interface Piece {
  id: string;
  doc: string;
  title: string;
  text: string;
  start: number;
  end: number;
}

type Cut = (doc: string, text: string) => Piece[];

export function compareChunks(): string[] {
  if (!existsSync(folder)) return ['The set `spans` is not here.'];
  const questions = readFileSync(join(folder, 'questions.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): Question => JSON.parse(line));
  const docs = [...new Set(questions.map(({ doc }) => doc))].map((doc) => ({
    doc,
    text: readFileSync(join(folder, 'docs', doc), 'utf8'),
  }));
  const before = { ...chunkSizes };
  const rows = [
    measure('fixed, 800 words', questions, docs, fixed(800)),
    measure('fixed, 200 words', questions, docs, fixed(200)),
  ];
  for (const [target, max] of [
    [500, 1000],
    [800, 1500],
    [1100, 2000],
    [1500, 2500],
    [2200, 3500],
  ] as const) {
    Object.assign(chunkSizes, { target, max });
    rows.push(
      measure(`ours, ${target} to ${max}${target === before.target ? ' (in use)' : ''}`, questions, docs, ours),
    );
  }
  Object.assign(chunkSizes, before);
  return ['| chunks | number | mean length | recall | precision | IoU |', '|---|---|---|---|---|---|', ...rows];
}

function measure(name: string, questions: Question[], docs: { doc: string; text: string }[], cut: Cut): string {
  const pieces = docs.flatMap(({ doc, text }) => cut(doc, text));
  const index = new MiniSearch<Piece>({ fields: ['title', 'text'], storeFields: ['doc', 'start', 'end'] });
  index.addAll(pieces);
  const letters = new Map(docs.map(({ doc, text }) => [doc, lettersOf(text)]));
  const sums = { recall: 0, precision: 0, iou: 0 };
  let counted = 0;
  for (const { question, doc, references } of questions) {
    const wanted = new Set<number>();
    for (const { content } of references) {
      const sought = lettersOf(content);
      const at = letters.get(doc)?.indexOf(sought) ?? -1;
      if (at !== -1) for (let place = at; place < at + sought.length; place++) wanted.add(place);
    }
    if (wanted.size === 0) continue;
    counted++;
    const found = index.search(question).slice(0, taken);
    const size = found.reduce((sum, { start, end }) => sum + end - start, 0);
    let hits = 0;
    for (const piece of found)
      if (piece.doc === doc) for (let place = piece.start; place < piece.end; place++) if (wanted.has(place)) hits++;
    sums.recall += hits / wanted.size;
    sums.precision += size === 0 ? 0 : hits / size;
    sums.iou += hits / (wanted.size + size - hits);
  }
  const mean = Math.round(pieces.reduce((sum, { text }) => sum + text.length, 0) / pieces.length);
  const figures = [sums.recall, sums.precision, sums.iou].map((sum) => (sum / counted).toFixed(3));
  return `| ${name} | ${pieces.length} | ${mean} | ${figures.join(' | ')} |`;
}

const ours: Cut = (doc, text) => {
  const blocks: Block[] = [...textBlocks(text)].flatMap(cleanBlock);
  const whole = lettersOf(text);
  let at = 0;
  return chunkBlocks(placeBlocks(blocks)).map((chunk) => {
    const letters = lettersOf(chunk.text);
    const start = whole.indexOf(letters.slice(0, 200), at);
    at = start === -1 ? at : start;
    return {
      id: `${doc} ${chunk.index}`,
      doc,
      title: chunk.headingPath.join(' '),
      text: chunk.text,
      start: at,
      end: at + letters.length,
    };
  });
};

function fixed(words: number): Cut {
  return (doc, text) => {
    const all = text.split(/\s+/).filter(Boolean);
    const pieces: Piece[] = [];
    let start = 0;
    for (let from = 0; from < all.length; from += words) {
      const piece = all.slice(from, from + words).join(' ');
      const end = start + lettersOf(piece).length;
      pieces.push({ id: `${doc} ${from}`, doc, title: '', text: piece, start, end });
      start = end;
    }
    return pieces;
  };
}

function lettersOf(text: string): string {
  return text.normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '');
}
