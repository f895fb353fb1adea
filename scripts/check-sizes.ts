/**
 * A source file that outgrows a screen or four should be split by noun: this says which ones have, and which comments
 * are wider than code may be, which the formatter leaves alone.
 */
import { globSync, readFileSync, statSync } from 'node:fs';

const maxLines = 300;
const maxBytes = 10 * 1024;
const maxWidth = 120;

/** Longer for a reason. */
const longer = [
  // One file to download, without anything beside it.
  'scripts/footnote.mjs',
];

/** More than the bytes. */
const larger = [
  ...longer,
  // All parts made and connected; all settings with what is said of them.
  'server/app.ts',
  'server/config/{config,environment,models}.ts',
  // Every error with its text, in one list.
  'contract/errors.ts',
  // Suites and what they read: tests by other names.
  'server/ports/{identity,search}/contract.ts',
  'server/features/retrieval/fixtures.ts',
  'samples/pdf.ts',
  // Words in lists.
  'server/features/ingestion/planted/patterns.ts',
  // Each one chain of rules, or the life of one child process, whose parts nobody reads alone.
  'server/features/answers/extract/unit-signals.ts',
  'server/features/answers/generate/{citation-reader,second-reading}.ts',
  'server/features/answers/generate/claim-check/relation.ts',
  'server/features/ingestion/{detect,letters}.ts',
  'server/features/ingestion/parsers/{ocr,pdf-table-rows}.ts',
  'server/features/ingestion/sandbox/{confinement,sandbox}.ts',
  'server/features/retrieval/question/question.ts',
  'server/lib/analyze.ts',
];

const everywhere = '{client,contract,server,web,scripts,e2e,evals,bench,crash,samples,simulators}/**/*';
const sources = globSync(`${everywhere}.{ts,tsx,mjs}`).filter(
  (file) => !file.includes('.test.') && !file.includes('.spec.'),
);
const mayBeLonger = globSync(longer);
const mayBeLarger = globSync(larger);

for (const file of sources) {
  const lines = linesOf(file).length - 1;
  const bytes = statSync(file).size;
  if (lines > maxLines && !mayBeLonger.includes(file)) fail(`${file}: ${lines} lines (at most ${maxLines})`);
  if (bytes > maxBytes && !mayBeLarger.includes(file)) fail(`${file}: ${bytes} bytes (at most ${maxBytes})`);
}

for (const file of mayBeLarger) {
  if (statSync(file).size <= maxBytes && linesOf(file).length - 1 <= maxLines)
    fail(`${file}: take it off the list of those that may be larger`);
}

for (const file of globSync(`${everywhere}.{ts,tsx,mjs}`)) {
  for (const [i, line] of linesOf(file).entries())
    if (line.length > maxWidth && isComment(line)) fail(`${file}:${i + 1}: a comment of ${line.length} columns`);
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n');
}

/** What the linter is told stands in one line. */
function isComment(line: string): boolean {
  return /^\s*(?:\*|\/\/|\/\*)/.test(line) && !line.includes('biome-ignore');
}

function fail(words: string): void {
  console.error(words);
  process.exitCode = 1;
}
