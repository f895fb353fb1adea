import type { Config } from '#server/config/config.ts';
import { reachMailServer } from '#server/mailer.ts';
import { type Finding, inWords } from './finding.ts';

/** Whether the mail server takes us; no mail is sent. */
export async function examineMail({ smtp }: Pick<Config, 'smtp'>): Promise<Finding[]> {
  const about = 'Mail';
  if (!smtp) return [{ about, state: 'right', says: 'Mails are not sent, but can be read at /dev/outbox.' }];
  try {
    await reachMailServer({ smtp });
    return [{ about, state: 'right', says: `The mail server takes what we send as ${smtp.from}.` }];
  } catch (error) {
    const todo = 'See SMTP_URL: invitations and password resets wait until it is right.';
    return [{ about, state: 'wrong', says: `The mail server does not take us: ${inWords(error)}.`, todo }];
  }
}
