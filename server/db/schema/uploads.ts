import {
  bigint,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  sql,
  text,
  uniqueIndex,
  uuid,
} from '../drizzle.ts';
import { collections } from './access.ts';
import { bytes, createdAt, instant } from './columns.ts';
import { companyId } from './companies.ts';
import { versions } from './documents.ts';
import { forUnrestricted, ofCompany } from './policies.ts';

export const uploads = pgTable(
  'uploads',
  {
    companyId: companyId(),
    id: text('id').notNull(),
    userId: uuid('user_id').notNull(),
    name: text('name').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    /** What is to happen where a file of the name is there. */
    ifExists: text('if_exists', { enum: ['replace', 'keep-both'] })
      .notNull()
      .default('replace'),
    /** Where a new document of it comes, and one of its name goes; null: where that is, or the company's own. */
    collectionId: uuid('collection_id'),
    documentId: uuid('document_id'),
    version: integer('version'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('uploads_id').on(t.id),
    foreignKey({
      name: 'uploads_version_fk',
      columns: [t.companyId, t.documentId, t.version],
      foreignColumns: [versions.companyId, versions.documentId, versions.version],
    }).onDelete('cascade'),
    foreignKey({
      name: 'uploads_collection_fk',
      columns: [t.companyId, t.collectionId],
      foreignColumns: [collections.companyId, collections.id],
    }),
    index('uploads_version').on(t.companyId, t.documentId, t.version).where(sql`document_id is not null`),
    ofCompany(),
    forUnrestricted(),
  ],
);

/**
 * Where the bytes of an unfinished upload stand that lie in a store that speaks S3
 * (`server/ports/files/s3/unfinished.ts`). A row comes before that of `uploads` and goes when the bytes are an object
 * as a whole: nothing refers to it.
 */
export const uploadBytes = pgTable(
  'upload_bytes',
  {
    companyId: companyId(),
    uploadId: text('upload_id').notNull(),
    /** What all of it will have. */
    size: bigint('size', { mode: 'number' }).notNull(),
    /** Of this beginning: the object that comes of it carries it, too. */
    mark: uuid('mark').notNull(),
    /** Bytes that are kept. */
    offset: bigint('offset', { mode: 'number' }).notNull().default(0),
    /** The store's id of the upload in parts; null where it has none yet. */
    multipartId: text('multipart_id'),
    /** Entity tags of the parts that are there, in their order. */
    parts: jsonb('parts').$type<string[]>().notNull().default([]),
    /** The object with what is there of the next part. */
    tail: text('tail'),
    /** The first bytes, 4 KiB at most: of parts nothing can be read before they are one. */
    head: bytes('head'),
    touchedAt: instant('touched_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.uploadId] }),
    index('upload_bytes_touched').on(t.touchedAt),
    ofCompany(),
    forUnrestricted(),
  ],
);
