import type { CallOutput } from '#contract/calls.ts';
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgPolicy,
  pgTable,
  primaryKey,
  sql,
  text,
  uuid,
} from '../drizzle.ts';
import { createdAt, instant } from './columns.ts';
import { companyId } from './companies.ts';
import { appRole, ofCompany, ofVisibleDocument, seesAll } from './policies.ts';

export const queries = pgTable(
  'queries',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    question: text('question').notNull(),
    answer: text('answer').notNull(),
    answered: boolean('answered').notNull(),
    /** Claims that no source supports: offsets into the answer. */
    unsupported: jsonb('unsupported').$type<{ start: number; end: number }[]>(),
    /** Claims that words could not decide on: the same. */
    unchecked: jsonb('unchecked').$type<{ start: number; end: number }[]>(),
    /** What the reader was told of how the answer was made. */
    notice: text('notice'),
    /** The model that wrote it; null for quotes. */
    model: text('model'),
    /** The documents of which the model was given passages: their words may stand anywhere in its answer. */
    readDocuments: uuid('read_documents').array(),
    /** What the model was sent and gave, also where it failed and quotes stand in the answer. */
    inputTokens: integer('input_tokens'),
    outputTokens: integer('output_tokens'),
    rating: text('rating', { enum: ['up', 'down'] }),
    ratingReason: text('rating_reason'),
    ratedAt: instant('rated_at'),
    /** Milliseconds from call to result. */
    durationMs: integer('duration_ms').notNull(),
    createdAt: createdAt(),
    /** The question before it, where it goes on from that one and says too little by itself. */
    saidBefore: text('said_before'),
    /** Tried by an admin, or a greeting: nothing that analytics count. */
    isTrial: boolean('is_trial').notNull().default(false),
    /** As which of `asked_questions` it counts; null until it is counted. */
    askedQuestionId: uuid('asked_question_id'),
    /** Whether the aggregates have it as it is. */
    counted: boolean('counted').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    index('queries_time').on(t.companyId, t.createdAt),
    index('queries_person').on(t.companyId, t.userId, t.createdAt),
    index('queries_asked_question')
      .on(t.companyId, t.askedQuestionId, t.createdAt)
      .where(sql`asked_question_id is not null`),
    // Who got no answer to a question, told from the index alone.
    index('queries_unanswered')
      .on(t.companyId, t.askedQuestionId, t.createdAt, t.userId)
      .where(sql`asked_question_id is not null and not answered and not is_trial`),
    index('queries_rated').on(t.companyId, t.createdAt).where(sql`rating is not null`),
    index('queries_uncounted').on(t.companyId, t.createdAt).where(sql`not counted and not is_trial`),
    index('queries_read_documents').using('gin', t.readDocuments).where(sql`read_documents is not null`),
    ofCompany(),
    // An answer is as hidden as what it was made of.
    pgPolicy('of_answer', {
      as: 'restrictive',
      for: 'all',
      to: appRole,
      using: sql`${seesAll} or answer_is_visible(id, read_documents)`,
      withCheck: sql`${seesAll} or answer_is_visible(id, read_documents)`,
    }),
  ],
);

/**
 * The replies to questions that were sent with an `Idempotency-Key`, for a day: the row of a reply and that of its
 * answer are written by one statement, so that whoever sends the question again is told the reply, and nothing is
 * stored twice.
 */
export const keptReplies = pgTable(
  'kept_replies',
  {
    companyId: companyId(),
    /** Made of the person and the key. */
    id: uuid('id').notNull(),
    queryId: uuid('query_id').notNull(),
    /** SHA-256 of what was asked, in hexadecimal digits. */
    asked: text('asked').notNull(),
    /** Null once a document that it tells of is deleted. */
    reply: jsonb('reply').$type<CallOutput<'query'>>(),
    /** Every document of which words stand in it. */
    documentIds: uuid('document_ids').array().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      name: 'kept_replies_query_fk',
      columns: [t.companyId, t.queryId],
      foreignColumns: [queries.companyId, queries.id],
    }).onDelete('cascade'),
    index('kept_replies_query').on(t.companyId, t.queryId),
    index('kept_replies_documents').using('gin', t.documentIds),
    index('kept_replies_age').on(t.createdAt),
    ofCompany(),
    pgPolicy('of_answer', {
      as: 'restrictive',
      for: 'all',
      to: appRole,
      using: sql`${seesAll} or answer_is_visible(query_id, document_ids)`,
      withCheck: sql`${seesAll} or answer_is_visible(query_id, document_ids)`,
    }),
  ],
);

export const citations = pgTable(
  'citations',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    queryId: uuid('query_id').notNull(),
    n: integer('n').notNull(),
    documentId: uuid('document_id').notNull(),
    version: integer('version').notNull(),
    /** Word for word; null once the document is deleted. */
    quote: text('quote'),
    page: integer('page'),
    /** Offsets into the version's text, end exclusive. */
    start: integer('start').notNull(),
    end: integer('end').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.queryId], foreignColumns: [queries.companyId, queries.id] }).onDelete(
      'cascade',
    ),
    index('citations_query').on(t.companyId, t.queryId, t.n),
    index('citations_document').on(t.companyId, t.documentId),
    ofCompany(),
    ofVisibleDocument('citations'),
  ],
);
