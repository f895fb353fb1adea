/**
 * How much of the evidence for a question is in the first five passages that the product finds, and how much else (the
 * measures of "Evaluating Chunking Strategies for Retrieval", Smith and Troynikov, 2024), for several sizes of chunks
 * and for fixed pieces.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wholeCompany } from '#server/db/audience.ts';
import { chunkBlocks, chunkSizes } from '#server/features/ingestion/chunk.ts';
import type { Block, Chunk, PlacedBlock } from '#server/features/ingestion/document.ts';
import { cleanBlock } from '#server/features/ingestion/parsers/clean.ts';
import { textBlocks } from '#server/features/ingestion/parsers/text.ts';
import { type Harness, openHarness } from './harness.ts';
import { sample } from './sets.ts';

const folder = join(import.meta.dirname, '..', '..', 'shared', 'data', 'spans');
const taken = 5;
/** English text has about four characters a token. */
const tokenLength = 4;
const sizes = [
  [500, 1000],
  [800, 1500],
  [1100, 2000],
  [1500, 2500],
  [2200, 3500],
] as const;

interface Question {
  question: string;
  doc: string;
  references: { content: string }[];
}

interface Document {
  name: string;
  /** Its letters and digits: places in them are the same however a document is laid out. */
  letters: string;
  blocks: Block[];
}

type Cut = (placed: PlacedBlock[]) => Chunk[];

/** @param size so many questions of the set */
export async function evaluateSpans(size: number): Promise<string[]> {
  if (!existsSync(folder)) return ['The set `spans` is not here.'];
  const all = readFileSync(join(folder, 'questions.jsonl'), 'utf8').trimEnd().split('\n');
  const questions = sample(
    all.map((line): Question => JSON.parse(line)),
    size,
  );
  const documents = [...new Set(questions.map(({ doc }) => doc))].map(readDocument);
  const harness = await openHarness();
  const before = { ...chunkSizes };
  try {
    const rows: string[] = [];
    for (const tokens of [800, 400, 200]) {
      rows.push(await measure(harness, `fixed, ${tokens} tokens`, questions, documents, fixed(tokens * tokenLength)));
    }
    for (const [target, max] of sizes) {
      Object.assign(chunkSizes, { target, max });
      const name = `ours, ${target} to ${max}${target === before.target ? ' (in use)' : ''}`;
      rows.push(await measure(harness, name, questions, documents, chunkBlocks));
    }
    return [
      `${questions.length} questions, the first ${taken} passages of each.`,
      '',
      '| chunks | number | mean length | recall | precision | IoU |',
      '|---|---|---|---|---|---|',
      ...rows,
    ];
  } finally {
    Object.assign(chunkSizes, before);
    await harness.close();
  }
}

function readDocument(name: string): Document {
  const text = readFileSync(join(folder, 'docs', name), 'utf8');
  return { name, letters: lettersOf(text), blocks: [...textBlocks(text)].flatMap(cleanBlock) };
}

async function measure(
  { retrieval, load }: Harness,
  name: string,
  questions: Question[],
  documents: Document[],
  cut: Cut,
): Promise<string> {
  const { actor, documents: loaded } = await load(
    documents.map((document) => ({ name: document.name, blocks: document.blocks, chunk: cut })),
  );
  const byId = new Map(documents.map((document, i) => [loaded[i]?.documentId ?? '', document]));
  const sums = { recall: 0, precision: 0, iou: 0 };
  let counted = 0;
  for (const { question, doc, references } of questions) {
    const wanted = evidence(documents.find((document) => document.name === doc)?.letters ?? '', references);
    if (wanted.size === 0) continue;
    counted++;
    const request = { text: question, limit: taken };
    const { passages: found } = await retrieval.find(
      wholeCompany(actor.companyId),
      request,
      new AbortController().signal,
    );
    let [length, hits] = [0, 0];
    for (const passage of found) {
      const document = byId.get(passage.documentId);
      const letters = lettersOf(passage.text);
      length += letters.length;
      const start = document?.name === doc ? document.letters.indexOf(letters) : -1;
      if (start === -1) continue;
      for (let place = start; place < start + letters.length; place++) if (wanted.has(place)) hits++;
    }
    sums.recall += hits / wanted.size;
    sums.precision += length === 0 ? 0 : hits / length;
    sums.iou += hits / (wanted.size + length - hits);
  }
  const lengths = loaded.flatMap(({ text, chunkIds }) => ({ length: text.length, chunks: chunkIds.length }));
  const chunks = lengths.reduce((sum, each) => sum + each.chunks, 0);
  const mean = Math.round(lengths.reduce((sum, each) => sum + each.length, 0) / chunks);
  const figures = [sums.recall, sums.precision, sums.iou].map((sum) => (sum / counted).toFixed(3));
  return `| ${name} | ${chunks} | ${mean} | ${figures.join(' | ')} |`;
}

/** The places of the letters that hold the answer. */
function evidence(letters: string, references: Question['references']): Set<number> {
  const wanted = new Set<number>();
  for (const { content } of references) {
    const sought = lettersOf(content);
    const start = letters.indexOf(sought);
    if (start !== -1) for (let place = start; place < start + sought.length; place++) wanted.add(place);
  }
  return wanted;
}

/** Pieces of one length, whatever stands in them, cut at the next white space. */
function fixed(length: number): Cut {
  return (placed) => {
    const text = placed.map((block) => block.text).join('\n');
    const chunks: Chunk[] = [];
    for (let start = 0; start < text.length; ) {
      const space = text.slice(start + length).search(/\s/);
      const end = space === -1 ? text.length : start + length + space;
      const inside = placed.filter((block) => block.start < end && block.end > start);
      chunks.push({
        index: chunks.length,
        headingPath: [],
        start,
        end,
        firstBlock: inside[0]?.index ?? 0,
        lastBlock: inside.at(-1)?.index ?? 0,
        text: text.slice(start, end),
      });
      start = end + 1;
    }
    return chunks;
  };
}

function lettersOf(text: string): string {
  return text.normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '');
}
