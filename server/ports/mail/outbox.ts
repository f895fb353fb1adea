import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '#server/db/db.ts';
import { desc, eq, lte, sql } from '#server/db/drizzle.ts';
import { outboxMails } from '#server/db/schema.ts';
import { type Mailer, requireOneAddress } from './port.ts';

/** A mail that was not sent, but can be read. */
export interface OutboxMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The date that it bears. */
  sentAt: Date;
}

export interface Outbox extends Mailer {
  /** Newest first, by the dates that they bear. */
  list(): Promise<OutboxMail[]>;
  find(id: string): Promise<OutboxMail | null>;
}

/** As many as anyone will look through. */
const keep = 500;

/**
 * For development: keeps mails to be read, and sends none.
 * @param options.page where they can be read, for the log.
 */
export function openOutbox({ db, log, page }: { db: Database; log: Logger; page: string }): Outbox {
  const columns = {
    id: outboxMails.id,
    to: outboxMails.toAddress,
    subject: outboxMails.subject,
    text: outboxMails.text,
    html: outboxMails.html,
    sentAt: outboxMails.sentAt,
  };

  return {
    name: 'outbox page',

    async send({ to, subject, text, html, messageId, writtenAt }) {
      requireOneAddress(to);
      const words = { subject: storable(subject), text: storable(text), html: storable(html) };
      const row = { messageId, id: randomUUID(), toAddress: to, ...words, sentAt: writtenAt };
      await db.asSystem(async (tx) => {
        await tx.insert(outboxMails).values(row).onConflictDoNothing();
        const newest = sql`(select max(${outboxMails.number}) from ${outboxMails})`;
        await tx.delete(outboxMails).where(lte(outboxMails.number, sql`${newest} - ${keep}`));
      });
      log.info({ subject }, `a mail can be read at ${page}`);
    },

    list: () =>
      db.asSystem((tx) =>
        tx.select(columns).from(outboxMails).orderBy(desc(outboxMails.sentAt), desc(outboxMails.number)),
      ),

    async find(id) {
      const [mail] = await db.asSystem((tx) => tx.select(columns).from(outboxMails).where(eq(outboxMails.id, id)));
      return mail ?? null;
    },

    async close() {},
  };
}

/** PostgreSQL has no NUL. */
function storable(words: string): string {
  return words.replaceAll('\0', ' ');
}
