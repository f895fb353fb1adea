import type { PlantedPassage } from '#contract/calls/documents.ts';
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  sql,
  text,
  uniqueIndex,
  uuid,
} from '../drizzle.ts';
import { collections } from './access.ts';
import { createdAt, instant } from './columns.ts';
import { companyId } from './companies.ts';
import { inVisibleCollection, ofCompany, ofVisibleDocument } from './policies.ts';

export const documents = pgTable(
  'documents',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    /** Exactly as uploaded. */
    name: text('name').notNull(),
    /** The name after NFC: what "the same name" compares. */
    nameKey: text('name_key').notNull(),
    /** The version that answers; null until one is ready. */
    currentVersion: integer('current_version'),
    newestVersion: integer('newest_version').notNull(),
    /** The mail that it is attached to. */
    parentId: uuid('parent_id'),
    /** Null: in the company's own collection. That of an attachment is its mail's. */
    collectionId: uuid('collection_id'),
    /** As the admin wrote them. */
    tags: text('tags').array().notNull().default([]),
    /** The same tags as they are compared. */
    tagKeys: text('tag_keys').array().notNull().default([]),
    createdAt: createdAt(),
    /** Set: gone for every reader; the rows and bytes are erased by a job. */
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      name: 'documents_collection_fk',
      columns: [t.companyId, t.collectionId],
      foreignColumns: [collections.companyId, collections.id],
    }),
    index('documents_collection').on(t.companyId, t.collectionId),
    index('documents_parent').on(t.companyId, t.parentId).where(sql`parent_id is not null`),
    index('documents_tags').using('gin', t.tagKeys),
    uniqueIndex('documents_name').on(t.companyId, t.nameKey).where(sql`deleted_at is null`),
    // The sweep asks every few minutes, and must not read every company's every document.
    index('documents_deleted').on(t.deletedAt).where(sql`deleted_at is not null`),
    ofCompany(),
    inVisibleCollection('collection_id', true),
  ],
);

export const versions = pgTable(
  'versions',
  {
    companyId: companyId(),
    documentId: uuid('document_id').notNull(),
    version: integer('version').notNull(),
    state: text('state', { enum: ['queued', 'processing', 'ready', 'partial', 'failed'] }).notNull(),
    /** Plain words for the admin. */
    reason: text('reason'),
    progressDone: integer('progress_done'),
    progressTotal: integer('progress_total'),
    pages: integer('pages'),
    /** What gives orders to a language model in it; null where it was not looked for, as in versions of before. */
    planted: jsonb('planted').$type<PlantedPassage[]>(),
    /** Found by content, not by name. */
    mediaType: text('media_type').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    sha256: text('sha256').notNull(),
    /** Where the bytes lie in the object store. */
    objectKey: text('object_key').notNull(),
    /** The tus upload that brought it: finishing twice makes one version. */
    uploadId: text('upload_id').notNull(),
    uploadedBy: uuid('uploaded_by').notNull(),
    uploadedAt: instant('uploaded_at').notNull().defaultNow(),
    /** Counted up by every retry: a job of an earlier attempt must not write. */
    attempt: integer('attempt').notNull().default(1),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.documentId, t.version] }),
    foreignKey({
      columns: [t.companyId, t.documentId],
      foreignColumns: [documents.companyId, documents.id],
    }).onDelete('cascade'),
    uniqueIndex('versions_upload').on(t.companyId, t.uploadId),
    index('versions_unfinished').on(t.uploadedAt).where(sql`state in ('queued', 'processing')`),
    ofCompany(),
    ofVisibleDocument('versions'),
  ],
);

/** The extracted text as blocks in reading order. A version's text is its blocks joined by one line feed. */
export const blocks = pgTable(
  'blocks',
  {
    companyId: companyId(),
    documentId: uuid('document_id').notNull(),
    version: integer('version').notNull(),
    index: integer('index').notNull(),
    kind: text('kind', { enum: ['heading', 'paragraph', 'item', 'row', 'code'] }).notNull(),
    level: integer('level'),
    text: text('text').notNull(),
    /** Offsets (UTF-16 code units) into the version's text, end exclusive. */
    start: integer('start').notNull(),
    end: integer('end').notNull(),
    page: integer('page'),
    cells: jsonb('cells').$type<string[]>(),
    header: boolean('header').notNull().default(false),
    /**
     * Of a row: the labels that it stands below; index of the first row of its table, which may have what is known of
     * it.
     */
    parents: jsonb('parents').$type<string[]>(),
    tableStart: integer('table_start'),
    table: jsonb('table_head').$type<{
      columns: string[];
      caption?: string;
      unit?: string;
      sheet?: string;
      isMailHead?: boolean;
    }>(),
    /** The head or foot of a page: read, not searched. */
    running: boolean('running').notNull().default(false),
    part: text('part'),
    /** Left, top, right, bottom on its page, as fractions of the page's width and height. */
    box: real('box').array(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.documentId, t.version, t.index] }),
    foreignKey({
      columns: [t.companyId, t.documentId, t.version],
      foreignColumns: [versions.companyId, versions.documentId, versions.version],
    }).onDelete('cascade'),
    ofCompany(),
    ofVisibleDocument('blocks'),
  ],
);

/** What is searched: a run of blocks, with offsets into the version's text. */
export const chunks = pgTable(
  'chunks',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    documentId: uuid('document_id').notNull(),
    version: integer('version').notNull(),
    index: integer('index').notNull(),
    /** The headings above it, outermost first. */
    headingPath: text('heading_path').array().notNull(),
    page: integer('page'),
    /** The page on which it ends, where that is another one. */
    lastPage: integer('last_page'),
    start: integer('start').notNull(),
    end: integer('end').notNull(),
    firstBlock: integer('first_block').notNull(),
    lastBlock: integer('last_block').notNull(),
    text: text('text').notNull(),
    /** What it is written in (ISO 639-1), where that is known. */
    language: text('language'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      columns: [t.companyId, t.documentId, t.version],
      foreignColumns: [versions.companyId, versions.documentId, versions.version],
    }).onDelete('cascade'),
    uniqueIndex('chunks_position').on(t.companyId, t.documentId, t.version, t.index),
    ofCompany(),
    ofVisibleDocument('chunks'),
  ],
);

/**
 * An upload under way: whose it is and what it will be called. Its bytes lie with tus until it is finished. One that
 * brought what was there already stays for a while, with the version that it is answered with.
 */
/**
 * Pages of a version whose pictures were recognised: what a process that ends has done of them. Gone when the version
 * is read.
 */
export const recognisedPages = pgTable(
  'recognised_pages',
  {
    companyId: companyId(),
    documentId: uuid('document_id').notNull(),
    version: integer('version').notNull(),
    attempt: integer('attempt').notNull(),
    page: integer('page').notNull(),
    /** As the parser told it. */
    content: jsonb('content').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.documentId, t.version, t.attempt, t.page] }),
    foreignKey({
      name: 'recognised_pages_version_fk',
      columns: [t.companyId, t.documentId, t.version],
      foreignColumns: [versions.companyId, versions.documentId, versions.version],
    }).onDelete('cascade'),
    ofCompany(),
    ofVisibleDocument('recognised_pages'),
  ],
);
