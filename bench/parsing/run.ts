/** `node bench/parsing/run.ts [start] [readers] [tables]`: compares where a choice was open; prints tables. */
import { compareReaders } from './readers.ts';
import { measureStart } from './start.ts';
import { compareTables } from './tables.ts';

const parts: Record<string, () => Promise<string[]> | string[]> = {
  readers: compareReaders,
  start: measureStart,
  tables: compareTables,
};
const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(
    `usage: node bench/parsing/run.ts ${Object.keys(parts)
      .map((name) => `[${name}]`)
      .join(' ')}`,
  );
  process.exit(2);
}
for (const [name, compare] of Object.entries(parts)) {
  if (names.length === 0 || names.includes(name)) console.log(`## ${name}\n\n${(await compare()).join('\n')}\n`);
}
