import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { detectFile } from '#server/features/ingestion/detect.ts';
import type { ParsedDocument } from '#server/features/ingestion/sandbox/collector.ts';
import { parsePatiently } from '#server/features/ingestion/sandbox/patiently.ts';
import { createSandbox, type Sandbox } from '#server/features/ingestion/sandbox/sandbox.ts';
import { buildSamples, filesFolder } from './build.ts';
import { type Answerable, type Question, readQuestions } from './questions.ts';

const questions = readQuestions();
const answerable = questions.filter((question): question is Answerable => question.kind !== 'unanswerable');
const files = readdirSync(filesFolder).map((name) => name.normalize('NFC'));

describe('samples/files', () => {
  test('are what their sources give, byte for byte', async () => {
    const built = await buildSamples();
    expect([...built.keys()].sort()).toEqual(files.toSorted());
    for (const [name, bytes] of built) {
      expect(Buffer.compare(Buffer.from(bytes), readFileSync(join(filesFolder, name))), name).toBe(0);
    }
  });
});

describe('samples/questions.jsonl', () => {
  const documents = new Map<string, ParsedDocument>();
  let sandbox: Sandbox;

  beforeAll(async () => {
    sandbox = await createSandbox({ log: { warn() {} }, concurrency: 1 });
    for (const name of files) {
      const path = join(filesFolder, name);
      const detected = await detectFile(path, name);
      if (!('format' in detected)) throw new Error(`${name}: ${Object.values(detected)}`);
      documents.set(name, await parsePatiently(sandbox, { path, format: detected.format }));
    }
  });
  afterAll(() => sandbox.close());

  test('are about files that can be read completely', () => {
    for (const [name, { unreadable }] of documents) expect(unreadable, name).toEqual([]);
  });

  test('asks of every kind and every file, under an id of its own', () => {
    const count = (kind: Question['kind']) => questions.filter((question) => question.kind === kind).length;
    expect(count('unanswerable')).toBeGreaterThanOrEqual(12);
    for (const kind of ['fact', 'table', 'steps', 'german', 'follow-up', 'two-documents'] as const) {
      expect(count(kind), kind).toBeGreaterThanOrEqual(3);
    }
    expect(new Set(answerable.map(({ file }) => file))).toEqual(new Set(files));
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  });

  test.each(answerable)('$id: "$answer" stands in $file', ({ file, page, answer, row }) => {
    const there = documents
      .get(file)
      ?.blocks.filter((block) => block.text.includes(answer) && (row === undefined || block.text.includes(row)));
    expect(there).not.toEqual([]);
    if (page !== undefined) expect(there?.flatMap((block) => [block.page, block.lastPage])).toContain(page);
  });
});
