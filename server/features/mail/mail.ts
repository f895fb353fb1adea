import { createHash, randomUUID } from 'node:crypto';
import type { Branding } from '#contract/calls/identity.ts';
import type { MailLanguage } from '#contract/settings.ts';
import type { Config } from '#server/config/config.ts';
import { asOwner, type Database, type Tx } from '#server/db/db.ts';
import { and, eq, lt, ne } from '#server/db/drizzle.ts';
import { mails, users } from '#server/db/schema.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobData, JobRun } from '#server/jobs/registry.ts';
import { type Mailer, MailRefused } from '#server/ports/mail/port.ts';
import { type Mail, renderMail } from './render.ts';
import { mailTexts } from './texts/texts.ts';
import type { MailTexts, Words } from './texts/words.ts';

/** A mail to somebody of a company, in its language and under the name that it is shown. */
export interface CompanyMail {
  to: string;
  companyId: string;
  words: (texts: MailTexts, name: string) => Words;
}

/** Puts a mail on its way with the transaction: it is sent if and only if that commits. */
export type SendMail = (tx: Tx, mail: CompanyMail) => Promise<void>;

/** In what and under which name, logo and address a company's people are mailed. */
export interface Voice {
  language: MailLanguage;
  brand: Pick<Branding, 'name' | 'logoUrl'>;
  /** Where its links lead: the public address, or the company's own host name. */
  origin: string;
}

/** How long it is kept that a mail was sent: its time, its subject and a hash of the address. */
const keepMs = 30 * 86_400_000;
/** After this long no attempt is running any more, whatever happened to it. */
const givenUpMs = 86_400_000;

export function createMail(deps: {
  db: Database;
  jobs: Jobs;
  mailer: Mailer;
  config: Pick<Config, 'publicUrl'>;
  /** Of the settings, which stand above this feature. */
  voiceOf: (tx: Tx, companyId: string) => Promise<Voice>;
  clock?: () => Date;
}) {
  const { db, jobs, mailer, config, voiceOf, clock = () => new Date() } = deps;

  const sendMail: SendMail = async (tx, { to, companyId, words }) => {
    const id = randomUUID();
    const { language, brand, origin } = await voiceOf(tx, companyId);
    const texts = mailTexts[language];
    const said = words(texts, brand.name);
    const mail: Mail = { to, ...said, ...(said.action && { action: below(said.action, config.publicUrl, origin) }) };
    const row = {
      id,
      companyId,
      toHash: hashOfAddress(to),
      toAddress: to,
      ...renderMail(mail, brand, { language, orOpen: texts.orOpen }),
    };
    // Bodies carry links that are as good as a password: no company's role can read them.
    await asOwner(tx, () => tx.insert(mails).values({ ...row, state: 'waiting', createdAt: clock() }));
    await jobs.enqueue(tx, 'send-mail', { mailId: id });
  };

  return {
    sendMail,

    /**
     * The job `send-mail`: hands one mail over; one that has gone is left alone. What fails for a while is tried again,
     * hours long; what is refused for good, or fails to the end, is kept as failed with its reason.
     */
    async deliver({ mailId }: JobData<'send-mail'>, { isLastAttempt }: Pick<JobRun, 'isLastAttempt'>): Promise<void> {
      // Under the row's lock, so that a job which is given to a second worker does not send twice.
      await db.asSystem(async (tx) => {
        const isWaiting = and(eq(mails.id, mailId), eq(mails.state, 'waiting'));
        const [mail] = await tx.select().from(mails).where(isWaiting).for('update', { skipLocked: true });
        if (!mail) return;
        const { toAddress: to, subject, text, html, createdAt: writtenAt } = mail;
        if (to === null || text === null || html === null) return;
        try {
          await mailer.send({
            to,
            subject,
            text,
            html,
            messageId: `<${mailId}@${new URL(config.publicUrl).hostname}>`,
            writtenAt,
          });
        } catch (error) {
          // Servers say whose mail they refuse, and what is thrown here is logged.
          const reason = (error instanceof Error ? error.message : String(error)).replaceAll(to, '…').slice(0, 500);
          if (!(error instanceof MailRefused) && !isLastAttempt) throw new Error(reason);
          return end(tx, mailId, { state: 'failed', reason });
        }
        await end(tx, mailId, { state: 'sent', reason: null });
      });
    },

    /** The job `clear-mails`: forgets mails after 30 days, and the words of those whose job was lost. */
    async clear(): Promise<void> {
      const now = clock().getTime();
      await db.asSystem(async (tx) => {
        await tx.delete(mails).where(and(ne(mails.state, 'waiting'), lt(mails.createdAt, new Date(now - keepMs))));
        const lost = and(eq(mails.state, 'waiting'), lt(mails.createdAt, new Date(now - givenUpMs)));
        await tx
          .update(mails)
          .set(erased({ state: 'failed', reason: 'not sent within a day' }))
          .where(lost);
      });
    },
  };

  async function end(tx: Tx, id: string, how: Ending): Promise<void> {
    await tx.update(mails).set(erased(how)).where(eq(mails.id, id));
  }

  /** Once it is decided nobody needs the words any more, and their link may still work. */
  function erased(how: Ending) {
    return { ...how, toAddress: null, text: null, html: null, endedAt: clock() };
  }
}

/** Every link is made with the public address; that of a company with a host name leads there. */
function below({ label, url }: NonNullable<Mail['action']>, publicUrl: string, origin: string) {
  return { label, url: url.startsWith(`${publicUrl}/`) ? origin + url.slice(publicUrl.length) : url };
}

interface Ending {
  state: 'sent' | 'failed';
  reason: string | null;
}

/** The same mail to each admin of the company, whatever else the transaction may see. */
export async function mailAdmins(
  tx: Tx,
  sendMail: SendMail,
  companyId: string,
  words: CompanyMail['words'],
): Promise<void> {
  const isAdmin = and(eq(users.companyId, companyId), eq(users.role, 'admin'), eq(users.state, 'active'));
  const admins = await tx.select({ email: users.email }).from(users).where(isAdmin);
  for (const { email: to } of admins) await sendMail(tx, { to, companyId, words });
}

/** By which a mail that has gone is found, once its address is forgotten. */
export function hashOfAddress(address: string): string {
  return createHash('sha256').update(address).digest('hex');
}
