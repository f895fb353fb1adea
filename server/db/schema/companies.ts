import type { AgentSettings } from '#contract/agent.ts';
import { mailLanguages } from '#contract/settings.ts';
import { boolean, date, index, integer, jsonb, pgTable, primaryKey, sql, text, uuid } from '../drizzle.ts';
import { bytes, createdAt, instant } from './columns.ts';
import { ofCompany } from './policies.ts';

/** Whose a row is; it goes with its company. */
export const companyId = () =>
  uuid('company_id')
    .notNull()
    .references(() => companies.id, { onDelete: 'cascade' });

export const companies = pgTable(
  'companies',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    ownerId: uuid('owner_id').notNull(),
    createdAt: createdAt(),
    /** What the company's people are mailed in. */
    mailLanguage: text('mail_language', { enum: mailLanguages }).notNull().default('en'),
    /** After so many days one has to sign in again, however much the session was used; null: as long as it is used. */
    sessionDays: integer('session_days'),
    /** After so many minutes without use one has to sign in again; null: when the refresh token has ended. */
    sessionIdleMinutes: integer('session_idle_minutes'),
    /** Everybody has to have a second factor; who has none can only set one up. */
    secondFactorRequired: boolean('second_factor_required').notNull().default(false),
    /** Where its people may come from, in what `parseRange` has written; null: from anywhere. */
    allowedAddresses: jsonb('allowed_addresses').$type<{ range: string; note: string }[]>(),
    /** Of the IANA database: where days begin for the company. */
    timeZone: text('time_zone').notNull().default('UTC'),
    /** False: analytics tell of nobody by name. */
    showNames: boolean('show_names').notNull().default(true),
    /** Questions and answers that are older are erased. */
    questionRetentionDays: integer('question_retention_days').notNull().default(400),
    /** Its admins are mailed what was asked in the month before. */
    monthlyReport: boolean('monthly_report').notNull().default(false),
    /** The first day of the month that was mailed last. */
    reportedMonth: date('reported_month', { mode: 'string' }),
    /** An admin has asked for its end: until then one of them can take it back, and nobody else gets in. */
    endsAt: instant('ends_at'),
    /** Its erasing has begun, and can't be taken back any more. */
    erasingSince: instant('erasing_since'),
    /** The subscription was canceled for that: it goes on where the end is taken back. */
    chargingStopped: boolean('charging_stopped').notNull().default(false),
  },
  (t) => [index('companies_end').on(t.endsAt).where(sql`ends_at is not null`), ofCompany('id')],
);

/** How the company wants to be shown; absent: like the product. */
export const companyBrands = pgTable(
  'company_brands',
  {
    companyId: companyId().primaryKey(),
    name: text('name'),
    /** As `#rrggbb`. */
    accent: text('accent'),
    /** A PNG that was written here, and the first letters of its sha-256: they are in its address. */
    logo: bytes('logo'),
    logoHash: text('logo_hash'),
  },
  () => [ofCompany()],
);

/** How the assistant answers, as it was saved each time; the highest version counts, and without one the usual. */
export const agentVersions = pgTable(
  'agent_versions',
  {
    companyId: companyId(),
    version: integer('version').notNull(),
    settings: jsonb('settings').notNull().$type<AgentSettings>(),
    /** No reference: people go, what they saved stays. */
    savedBy: uuid('saved_by').notNull(),
    savedByEmail: text('saved_by_email').notNull(),
    savedAt: instant('saved_at').notNull().defaultNow(),
    /** The version that it was made from by going back. */
    restoredFrom: integer('restored_from'),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.version] }), ofCompany()],
);
