import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { Database } from './db/db.ts';
import { servesThisMachineAlone } from './lib/this-machine.ts';
import { type Outbox, openOutbox } from './ports/mail/outbox.ts';
import type { Mailer } from './ports/mail/port.ts';

/** Loaded where mail is sent by it. */
const smtpPort = () => import('./ports/mail/smtp.ts');

/** The mailer of the configuration; `shown`: the outbox, where it may be read as a page. */
export async function openMailer(
  config: Config,
  db: Database,
  log: Logger,
): Promise<{ mailer: Mailer; shown: Outbox | null }> {
  if (config.smtp) {
    const { smtpMailer } = await smtpPort();
    return { mailer: smtpMailer(config.smtp), shown: null };
  }
  const outbox = openOutbox({ db, log, page: `${config.publicUrl}/dev/outbox` });
  const isShown = showsMails(config);
  if (!isShown)
    log.warn('mails are neither sent nor shown: set SMTP_URL and MAIL_FROM, or HOST=localhost to read them here');
  return { mailer: outbox, shown: isShown ? outbox : null };
}

/** Whether mails that are not sent can be read as a page: a mail's link lets its reader be anyone. */
export function showsMails(config: Pick<Config, 'production' | 'host' | 'publicUrl'>): boolean {
  return !config.production && servesThisMachineAlone(config);
}

/** @throws Error where the configured mail server does not take us; sends nothing. */
export async function reachMailServer({ smtp }: Pick<Config, 'smtp'>): Promise<void> {
  if (!smtp) return;
  const { reachSmtp } = await smtpPort();
  await reachSmtp(smtp.url);
}
