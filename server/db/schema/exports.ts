import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  sql,
  text,
  unique,
  uuid,
} from '../drizzle.ts';
import { createdAt, instant } from './columns.ts';
import { companyId } from './companies.ts';
import { ofCompany } from './policies.ts';

// Export: a zip file that is nowhere as a whole. Its bytes are put together from these rows when it is sent.

/** Of a company's data, or of one person's: of each one at a time. */
export const exports = pgTable(
  'exports',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    /** Whose own data it holds; null: the company's. */
    personId: uuid('person_id'),
    /** No reference: people go, and are told of in the audit log. */
    startedBy: uuid('started_by').notNull(),
    state: text('state', { enum: ['running', 'ready', 'failed'] }).notNull(),
    /** Plain words, where it has failed. */
    reason: text('reason'),
    /** Counted up by every deletion of a document: what was made before holds too much. */
    generation: integer('generation').notNull().default(1),
    isPlanned: boolean('is_planned').notNull().default(false),
    /** Originals, every version of a document being one, and their bytes; and how many of each have been read. */
    documents: integer('documents').notNull().default(0),
    documentsDone: integer('documents_done').notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    bytesDone: bigint('bytes_done', { mode: 'number' }).notNull().default(0),
    /** Where the zip's directory begins, which is all that stands behind its entries, and where it ends. */
    directoryOffset: bigint('directory_offset', { mode: 'number' }),
    size: bigint('size', { mode: 'number' }),
    createdAt: createdAt(),
    readyAt: instant('ready_at'),
    expiresAt: instant('expires_at'),
    /** Whoever started it was told that it is ready. */
    isMailed: boolean('is_mailed').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    unique('exports_one_each').on(t.companyId, t.personId).nullsNotDistinct(),
    ofCompany(),
  ],
);

export const exportEntries = pgTable(
  'export_entries',
  {
    companyId: companyId(),
    exportId: uuid('export_id').notNull(),
    /** Its place in the zip. The lists, which are made last, stand first: their numbers are negative. */
    index: integer('index').notNull(),
    /** In the zip: `documents/Contracts/Lease.pdf`. */
    path: text('path').notNull(),
    /** Of an original; null for a list. */
    documentId: uuid('document_id'),
    version: integer('version'),
    /** Of an original in the object store, of a list in that of exports. */
    objectKey: text('object_key').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    /** Bytes as they stand in the zip: fewer than `size` where it is deflated. */
    storedSize: bigint('stored_size', { mode: 'number' }).notNull(),
    isDeflated: boolean('is_deflated').notNull().default(false),
    modifiedAt: instant('modified_at').notNull(),
    /** Null until it has been read. */
    crc32: bigint('crc32', { mode: 'number' }),
    /** Where its header begins; null until all have been read. */
    offset: bigint('offset', { mode: 'number' }),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.exportId, t.index] }),
    foreignKey({
      name: 'export_entries_export_fk',
      columns: [t.companyId, t.exportId],
      foreignColumns: [exports.companyId, exports.id],
    }).onDelete('cascade'),
    index('export_entries_offset').on(t.companyId, t.exportId, t.offset),
    index('export_entries_document').on(t.companyId, t.documentId).where(sql`document_id is not null`),
    ofCompany(),
  ],
);
