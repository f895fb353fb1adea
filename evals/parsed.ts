import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { detectFile } from '#server/features/ingestion/detect.ts';
import type { Block } from '#server/features/ingestion/document.ts';
import { ParseFailure } from '#server/features/ingestion/reasons.ts';
import { parsePatiently } from '#server/features/ingestion/sandbox/patiently.ts';
import { createSandbox, type Sandbox } from '#server/features/ingestion/sandbox/sandbox.ts';
import type { Source } from '#server/testing/corpus.ts';

const root = join(import.meta.dirname, '..');
const ingestion = 'server/features/ingestion';
const sandboxed = [`${ingestion}/document.ts`, `${ingestion}/sandbox/*.ts`];
/**
 * What the blocks of a file depend on beside its bytes. PDF takes longest to read, and few of the parsers have a part
 * in it.
 */
const parserCode = {
  pdf: [...sandboxed, `${ingestion}/parsers/{pdf*,ocr*,image,exif,clean,parser,table*}.ts`],
  other: [...sandboxed, `${ingestion}/*.ts`, `${ingestion}/parsers/*.ts`],
};
const parserPackages = /^(@llamaindex\/liteparse|pdfjs-dist|tesseract|@tesseract|numfmt|parse5|csv-parse)/;
/** Cutting blocks into chunks happens after parsing. */
const afterParsing = ['about.ts', 'chunk.ts', 'place.ts', 'split.ts'];

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
 * Files as the product reads them, in the sandbox that the server uses. Reading a thousand pages takes a minute, so
 * what the parser made is kept in `.cache/evals/parsed`, by the bytes of the file and the code of the parsers.
 */
export async function parseFiles(paths: string[]): Promise<ParsedFile[]> {
  const codes = { pdf: hashOf(parserCode.pdf), other: hashOf(parserCode.other) };
  const folder = join(root, '.cache', 'evals', 'parsed');
  await mkdir(folder, { recursive: true });
  let sandbox: Sandbox | undefined;
  try {
    const parsed: ParsedFile[] = [];
    for (const path of paths) {
      const name = basename(path).normalize('NFC');
      const code = name.toLowerCase().endsWith('.pdf') ? codes.pdf : codes.other;
      const key = createHash('sha256').update(code).update(name).update(readFileSync(path)).digest('hex');
      const cached = join(folder, `${key}.json`);
      let kept = await readKept(cached);
      if (!kept) {
        sandbox ??= await createSandbox({ log: { warn() {} }, concurrency: 1 });
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

function hashOf(patterns: string[]): string {
  const hash = createHash('sha256');
  for (const file of globSync(patterns, { cwd: root }).sort()) {
    if (file.endsWith('.test.ts') || afterParsing.includes(basename(file))) continue;
    hash.update(file).update(readFileSync(join(root, file)));
  }
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const [name, version] of Object.entries(dependencies))
    if (parserPackages.test(name)) hash.update(`${name} ${version}`);
  return hash.digest('hex');
}
