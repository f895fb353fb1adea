import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { formOf } from './released-statements.ts';

// Set up with `RECORDED_STATEMENTS=<folder>` (`scripts/release/record-statements.ts`): writes down what is sent to
// PostgreSQL.

const folder = process.env.RECORDED_STATEMENTS ?? '';
const known = new Set<string>();
const query = pg.Client.prototype.query;
pg.Client.prototype.query = function recorded(this: pg.Client, ...args: unknown[]) {
  const [first] = args;
  const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text;
  const form = text === undefined ? null : formOf(text);
  if (text !== undefined && form !== null && !known.has(form)) {
    known.add(form);
    appendFileSync(join(folder, `${process.pid}.ndjson`), `${JSON.stringify(text)}\n`);
  }
  return Reflect.apply(query, this, args);
} as typeof query;
