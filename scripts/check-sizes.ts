/** A source file that outgrows a screen or four should be split by noun: this says which ones have. */
import { globSync, readFileSync, statSync } from 'node:fs';

const maxLines = 300;
const maxBytes = 10 * 1024;

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
  'server/config/*.ts',
  // Every error with its text, in one list.
  'contract/errors.ts',
  // Suites and what they read: tests by other names.
  'server/ports/*/contract.ts',
  'server/features/retrieval/fixtures.ts',
  'samples/pdf.ts',
  // Words in lists.
  'contract/errors.ts',
  'server/features/ingestion/planted/patterns.ts',
  // Each one chain of rules, or the life of one child process, whose parts nobody reads alone.
  'server/features/answers/extract/unit-signals.ts',
  'server/features/answers/generate/{citation-reader,second-reading}.ts',
  'server/features/answers/generate/claim-check/{relation,facts/quantities}.ts',
  'server/features/ingestion/{detect,letters}.ts',
  'server/features/ingestion/parsers/{ocr,pdf-table-rows}.ts',
  'server/features/ingestion/sandbox/{confinement,sandbox}.ts',
  'server/features/retrieval/question/question.ts',
  'server/lib/analyze.ts',
];

const sources = globSync(
  '{client,contract,server,web,scripts,e2e,evals,bench,crash,samples,simulators}/**/*.{ts,tsx,mjs}',
).filter((file) => !file.includes('.test.') && !file.includes('.spec.'));
const mayBeLonger = globSync(longer);
const mayBeLarger = globSync(larger);

for (const file of sources) {
  const lines = readFileSync(file, 'utf8').split('\n').length - 1;
  const bytes = statSync(file).size;
  if (lines > maxLines && !mayBeLonger.includes(file)) fail(`${file}: ${lines} lines (at most ${maxLines})`);
  if (bytes > maxBytes && !mayBeLarger.includes(file)) fail(`${file}: ${bytes} bytes (at most ${maxBytes})`);
}

function fail(words: string): void {
  console.error(words);
  process.exitCode = 1;
}
