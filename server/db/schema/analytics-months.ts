import { date, pgTable, primaryKey, uuid } from '../drizzle.ts';
import { times } from './analytics.ts';
import { instant } from './columns.ts';
import { companyId } from './companies.ts';
import { ofCompany, ofVisibleDocument } from './policies.ts';

const month = () => date('month', { mode: 'string' }).notNull();

/**
 * Months, by their first day, whose days have changed since they were summed up: their sums are not to be read. The
 * month that is under way is always one.
 */
export const analyticsOpenMonths = pgTable('analytics_open_months', { companyId: companyId(), month: month() }, (t) => [
  primaryKey({ columns: [t.companyId, t.month] }),
  ofCompany(),
]);

/** The days of a month that is over, summed up: what has many rows a day is read by the month. */
export const analyticsMonthPeople = pgTable(
  'analytics_month_people',
  {
    companyId: companyId(),
    month: month(),
    userId: uuid('user_id').notNull(),
    asked: times('asked'),
    unanswered: times('unanswered'),
    rated: times('rated'),
    lastAskedAt: instant('last_asked_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.month, t.userId] }), ofCompany()],
);

export const analyticsMonthQuestions = pgTable(
  'analytics_month_questions',
  {
    companyId: companyId(),
    month: month(),
    askedQuestionId: uuid('asked_question_id').notNull(),
    asked: times('asked'),
    unanswered: times('unanswered'),
    lastAskedAt: instant('last_asked_at').notNull(),
    lastUnansweredAt: instant('last_unanswered_at'),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.month, t.askedQuestionId] }), ofCompany()],
);

export const analyticsMonthDocuments = pgTable(
  'analytics_month_documents',
  {
    companyId: companyId(),
    month: month(),
    documentId: uuid('document_id').notNull(),
    citations: times('citations'),
    lastCitedAt: instant('last_cited_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.month, t.documentId] }),
    ofCompany(),
    ofVisibleDocument('analytics_month_documents'),
  ],
);
