import type { Config } from '#server/config/config.ts';
import { reachMailServer, showsMails } from '#server/mailer.ts';
import { type Finding, inWords } from './finding.ts';

/** Whether the mail server takes us; no mail is sent. */
export async function examineMail(
  config: Pick<Config, 'smtp' | 'production' | 'host' | 'publicUrl'>,
): Promise<Finding[]> {
  const about = 'Mail';
  const { smtp } = config;
  if (!smtp) {
    if (showsMails(config))
      return [{ about, state: 'right', says: 'Mails are not sent, but can be read at /dev/outbox.' }];
    const todo = 'Set SMTP_URL and MAIL_FROM: invitations and password resets reach nobody.';
    return [{ about, state: 'wrong', says: 'Mails are neither sent nor shown.', todo }];
  }
  try {
    await reachMailServer({ smtp });
    return [{ about, state: 'right', says: `The mail server takes what we send as ${smtp.from}.` }];
  } catch (error) {
    const todo = 'See SMTP_URL: invitations and password resets wait until it is right.';
    return [{ about, state: 'wrong', says: `The mail server does not take us: ${inWords(error)}.`, todo }];
  }
}
