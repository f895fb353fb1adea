/** A source file that outgrows a screen or four should be split by noun: this says which ones have. */
import { globSync, readFileSync } from 'node:fs';

const maxLines = 300;
/** Longer for a reason. */
const exceptions = [
  // Every table in one list.
  'server/db/schema.ts',
];

const tooLong = globSync(
  '{client,contract,server,web,scripts,e2e,evals,bench,crash,samples,simulators}/**/*.{ts,tsx,mjs}',
)
  .filter((file) => !file.includes('.test.') && !file.includes('.spec.') && !exceptions.includes(file))
  .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
  .filter(({ lines }) => lines > maxLines);

for (const { file, lines } of tooLong) console.error(`${file}: ${lines} lines (at most ${maxLines})`);
process.exitCode = tooLong.length === 0 ? 0 : 1;
