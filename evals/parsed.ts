import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { detectFile } from '#server/features/ingestion/detect.ts';
import type { Block } from '#server/features/ingestion/document.ts';
import { ParseFailure } from '#server/features/ingestion/reasons.ts';
import { createSandbox, parsePatiently, type Sandbox } from '#server/features/ingestion/sandbox/sandbox.ts';
import type { Source } from '#server/testing/corpus.ts';

const root = join(import.meta.dirname, '..');
/** What the blocks of a file depend on beside its bytes. */
const parserCode = [
  'server/features/ingestion/{parsers,sandbox}/**/*.ts',
  'server/features/ingestion/*.ts',
  'package.json',
];
/** Cutting blocks into chunks happens after parsing. */
const afterParsing = ['chunk.ts', 'place.ts', 'split.ts'];

/** What a file became: its blocks, or why it could not be read. */
export interface ParsedFile {
  name: string;
  source: Source | null;
  failure: string | null;
  /** How long the parser took when it last ran. */
  seconds: number;
}

interface Kept {
  blocks: Block[];
  failure: string | null;
  seconds: number;
}

/**
 * Files as the product reads them, in the sandbox that the server uses. Reading a thousand pages takes a minute, so what
 * the parser made is kept in `.cache/evals/parsed`, by the bytes of the file and the code of the parsers.
 */
export async function parseFiles(paths: string[]): Promise<ParsedFile[]> {
  const code = hashOfParsers();
  const folder = join(root, '.cache', 'evals', 'parsed');
  await mkdir(folder, { recursive: true });
  let sandbox: Sandbox | undefined;
  try {
    const parsed: ParsedFile[] = [];
    for (const path of paths) {
      const name = basename(path).normalize('NFC');
      const key = createHash('sha256').update(code).update(name).update(readFileSync(path)).digest('hex');
      const cached = join(folder, `${key}.json`);
      let kept = await readKept(cached);
      if (!kept) {
        sandbox ??= createSandbox({ log: { warn() {} }, concurrency: 1 });
        kept = await parse(sandbox, path, name);
        await writeFile(`${cached}.${process.pid}`, JSON.stringify(kept));
        await rename(`${cached}.${process.pid}`, cached);
      }
      const { blocks, failure, seconds } = kept;
      parsed.push({ name, source: failure === null ? { name, blocks } : null, failure, seconds });
    }
    return parsed;
  } finally {
    await sandbox?.close();
  }
}

async function parse(sandbox: Sandbox, path: string, name: string): Promise<Kept> {
  const started = performance.now();
  const took = () => (performance.now() - started) / 1000;
  const detected = await detectFile(path, name);
  if ('refused' in detected) return { blocks: [], failure: detected.refused, seconds: took() };
  if ('broken' in detected) return { blocks: [], failure: detected.broken, seconds: took() };
  try {
    const { blocks } = await parsePatiently(sandbox, { path, format: detected.format });
    return { blocks, failure: null, seconds: took() };
  } catch (error) {
    if (!(error instanceof ParseFailure)) throw error;
    return { blocks: [], failure: error.reason, seconds: took() };
  }
}

async function readKept(path: string): Promise<Kept | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return null;
  }
}

function hashOfParsers(): string {
  const hash = createHash('sha256');
  const files = globSync(parserCode, { cwd: root }).sort();
  for (const file of files) {
    if (file.endsWith('.test.ts') || afterParsing.includes(basename(file))) continue;
    hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}
