/**
 * Keeps what this version sends to the database, which the next one's tables must still take, since both run at once
 * during an update: `node scripts/release/record-statements.ts`, when a version is released. Takes as long as the tests
 * of the features do.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formOf, releasedStatementsPath } from '#server/testing/released-statements.ts';

const folder = mkdtempSync(join(tmpdir(), 'footnote-statements-'));
// Every call is in the access matrix; jobs and what is done by hand are in the features' own.
const suites = ['server/testing/access-matrix.test.ts', 'server/features', 'server/jobs', 'server/http'];
const { status } = spawnSync('npx', ['vitest', 'run', ...suites], {
  stdio: 'inherit',
  env: { ...process.env, RECORDED_STATEMENTS: folder },
});
const shortest = new Map<string, string>();
for (const name of readdirSync(folder))
  for (const line of readFileSync(join(folder, name), 'utf8').trim().split('\n')) {
    const text: string = JSON.parse(line);
    const form = formOf(text) ?? '';
    const before = shortest.get(form);
    if (before === undefined || text.length < before.length) shortest.set(form, text);
  }
rmSync(folder, { recursive: true });
if (status !== 0) process.exit(1);
// Tests make a few tables of their own.
const schema = join(import.meta.dirname, '..', '..', 'server', 'db', 'schema');
const tables = readdirSync(schema).flatMap((file) =>
  [...readFileSync(join(schema, file), 'utf8').matchAll(/pgTable\(\s*'(\w+)'/g)].map(([, name]) => name),
);
const isOurs = new RegExp(`\\b(?:${tables.join('|')})\\b`);
const statements = [...shortest.values()].filter((text) => isOurs.test(text)).sort();
writeFileSync(releasedStatementsPath, `${JSON.stringify(statements, null, 2)}\n`);
console.log(`${statements.length} statements`);
