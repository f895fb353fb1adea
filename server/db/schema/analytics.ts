import { date, foreignKey, index, integer, pgTable, primaryKey, sql, text, uuid } from '../drizzle.ts';
import { createdAt, instant } from './columns.ts';
import { companyId } from './companies.ts';
import { ofCompany, ofVisibleDocument } from './policies.ts';

// Analytics: what `queries` and `citations` amount to, by day of the company. Made from them anew at any time.

/** A question however it is worded: what everyone who asked it is counted under. */
export const askedQuestions = pgTable(
  'asked_questions',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    /** As it was asked first. */
    text: text('text').notNull(),
    /** Its telling words by their stems, against which another wording is held. */
    terms: text('terms').array().notNull(),
    createdAt: createdAt(),
    /** When an admin saw to it; unanswered again after that, it is open again. */
    solvedAt: instant('solved_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    // Few are; the others need not be looked at.
    index('asked_questions_solved').on(t.companyId, t.id).where(sql`solved_at is not null`),
    ofCompany(),
  ],
);

/**
 * Which questions have a telling word. A table, since below row-level security no index on an array is used: its
 * operators are none that PostgreSQL would let see another company's rows.
 */
export const questionTerms = pgTable(
  'question_terms',
  {
    companyId: companyId(),
    term: text('term').notNull(),
    askedQuestionId: uuid('asked_question_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.term, t.askedQuestionId] }),
    foreignKey({
      name: 'question_terms_question_fk',
      columns: [t.companyId, t.askedQuestionId],
      foreignColumns: [askedQuestions.companyId, askedQuestions.id],
    }).onDelete('cascade'),
    index('question_terms_question').on(t.companyId, t.askedQuestionId),
    ofCompany(),
  ],
);

/** Wordings whose question is known, so that asking in the same words again takes one look. */
export const questionWordings = pgTable(
  'question_wordings',
  {
    companyId: companyId(),
    /** sha-256 of its terms, hex. */
    hash: text('hash').notNull(),
    askedQuestionId: uuid('asked_question_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.hash] }),
    foreignKey({
      name: 'question_wordings_question_fk',
      columns: [t.companyId, t.askedQuestionId],
      foreignColumns: [askedQuestions.companyId, askedQuestions.id],
    }).onDelete('cascade'),
    index('question_wordings_question').on(t.companyId, t.askedQuestionId),
    ofCompany(),
  ],
);

/** In which time zone the days of a company's aggregates begin; another than the company's: they are made anew. */
export const analyticsStates = pgTable(
  'analytics_states',
  { companyId: companyId().primaryKey(), timeZone: text('time_zone').notNull() },
  () => [ofCompany()],
);

const day = () => date('day', { mode: 'string' }).notNull();
export const times = (name: string) => integer(name).notNull();

export const analyticsDays = pgTable(
  'analytics_days',
  {
    companyId: companyId(),
    day: day(),
    asked: times('asked'),
    unanswered: times('unanswered'),
    helpful: times('helpful'),
    notHelpful: times('not_helpful'),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.day] }), ofCompany()],
);

export const analyticsHours = pgTable(
  'analytics_hours',
  {
    companyId: companyId(),
    day: day(),
    /** 0 to 23, on the company's clock: where it is put back, one hour has the questions of two. */
    hour: times('hour'),
    asked: times('asked'),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.day, t.hour] }), ofCompany()],
);

/** How many answers took how long: medians cannot be added up over days, and counts can. */
export const analyticsSpeeds = pgTable(
  'analytics_speeds',
  {
    companyId: companyId(),
    day: day(),
    /** Of the durations from `1.1 ^ step` to `1.1 ^ (step + 1)` milliseconds. */
    step: times('step'),
    asked: times('asked'),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.day, t.step] }), ofCompany()],
);

export const analyticsPeople = pgTable(
  'analytics_people',
  {
    companyId: companyId(),
    day: day(),
    /** No reference: people go, what was asked stays. */
    userId: uuid('user_id').notNull(),
    asked: times('asked'),
    unanswered: times('unanswered'),
    rated: times('rated'),
    lastAskedAt: instant('last_asked_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.day, t.userId] }), ofCompany()],
);

export const analyticsQuestions = pgTable(
  'analytics_questions',
  {
    companyId: companyId(),
    day: day(),
    askedQuestionId: uuid('asked_question_id').notNull(),
    asked: times('asked'),
    unanswered: times('unanswered'),
    lastAskedAt: instant('last_asked_at').notNull(),
    lastUnansweredAt: instant('last_unanswered_at'),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.day, t.askedQuestionId] }), ofCompany()],
);

export const analyticsDocuments = pgTable(
  'analytics_documents',
  {
    companyId: companyId(),
    day: day(),
    /** No reference: a document that is deleted is left out when the aggregates are read. */
    documentId: uuid('document_id').notNull(),
    citations: times('citations'),
    lastCitedAt: instant('last_cited_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.day, t.documentId] }),
    index('analytics_documents_document').on(t.companyId, t.documentId, t.lastCitedAt),
    ofCompany(),
    ofVisibleDocument('analytics_documents'),
  ],
);
