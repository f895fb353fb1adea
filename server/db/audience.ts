import { createHash } from 'node:crypto';
import type { Database, Reader } from './db.ts';
import { sql } from './drizzle.ts';
import { keptStatement } from './kept-statement.ts';

/** Everybody who sees the same collections of a company: what is made for one of them may be kept for all. */
export interface Audience {
  companyId: string;
  userId?: undefined;
  /** Their ids; null: everything. What is in no collection everybody sees. */
  collections: readonly string[] | null;
  /** Names company and collections: short, and of another audience another one. */
  key: string;
}

/** Those who see everything. */
export function wholeCompany(companyId: string): Audience {
  return { companyId, collections: null, key: companyId };
}

/** To whom a reader belongs now. */
export async function audienceOf(db: Database, reader: Reader): Promise<Audience> {
  const { companyId } = reader;
  const collections = reader.userId === undefined ? reader.collections : await seenBy(db, reader);
  if (collections === null) return wholeCompany(companyId);
  const hash = createHash('sha256')
    .update([...collections].sort().join())
    .digest('hex');
  return { companyId, collections, key: `${companyId} ${hash}` };
}

const visible = keptStatement<{ companyId: string; userId: string }>(
  'visible-collections',
  sql`select visible_collections(${sql.placeholder('companyId')}::uuid, ${sql.placeholder('userId')}::uuid) as seen`,
);

async function seenBy(db: Database, { companyId, userId }: { companyId: string; userId: string }) {
  const [row] = await db.statement<{ seen: string[] | null }>(visible.bind({ companyId, userId }));
  if (!row) throw new Error('the database does not say what is seen');
  return row.seen;
}
