import { bigint, pgTable, primaryKey, text, uuid } from '../drizzle.ts';
import { forUnrestricted, ofCompany } from './policies.ts';

/**
 * Which search tables lie in a store that speaks S3, and how often each was changed (`server/ports/search/s3/rows.ts`).
 * No row refers to its company: it is removed with the table, after the company.
 */
export const searchTables = pgTable(
  'search_tables',
  {
    companyId: uuid('company_id').notNull(),
    /** The place of the tables of one kind: bucket, prefix and folder. */
    place: text('place').notNull(),
    /** Of the table there: another one each time it is made anew. */
    name: text('name').notNull(),
    version: bigint('version', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.place] }), ofCompany(), forUnrestricted()],
);
