import { bigserial, index, pgTable, sql, text, uniqueIndex, uuid } from '../drizzle.ts';
import { createdAt, instant } from './columns.ts';

// Mail: never granted to the app role, since the words of a mail carry links that are as good as a password.

/** A mail on its way; once it has gone, that it was sent. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    /** Of whose company: it is gone with it. No reference, since what was sent is no part of a company. */
    companyId: uuid('of_company'),
    /** sha-256 of the address, hex. */
    toHash: text('to_hash').notNull(),
    subject: text('subject').notNull(),
    /** These three are null once it is sent or given up. */
    toAddress: text('to_address'),
    text: text('text'),
    html: text('html'),
    state: text('state', { enum: ['waiting', 'sent', 'failed'] }).notNull(),
    /** Why it failed. */
    reason: text('reason'),
    createdAt: createdAt(),
    endedAt: instant('ended_at'),
  },
  (t) => [
    index('mails_time').on(t.createdAt),
    index('mails_company').on(t.companyId).where(sql`of_company is not null`),
  ],
);

/** Where mails end in development, to be read at `/dev/outbox`. */
export const outboxMails = pgTable(
  'outbox_mails',
  {
    messageId: text('message_id').primaryKey(),
    /** Random: the address of its page. */
    id: uuid('id').notNull(),
    toAddress: text('to_address').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    /** The date that it bears. */
    sentAt: instant('sent_at').notNull(),
    /** Order of arrival, for mails of one millisecond. */
    number: bigserial('number', { mode: 'number' }).notNull(),
  },
  (t) => [uniqueIndex('outbox_mails_id').on(t.id), index('outbox_mails_number').on(t.number)],
);
