import type { Config } from '#server/config/config.ts';
import { nameInMail } from '#server/features/identity/company-name.ts';
import type { Mail } from '#server/features/mail/render.ts';

/** @param invitedBy absent: the invited person has asked for the link again */
export function invitationMail(
  { publicUrl, branding: { name } }: Pick<Config, 'publicUrl' | 'branding'>,
  {
    email,
    code,
    invitedBy,
    companyName,
  }: {
    email: string;
    code: string;
    invitedBy?: string | undefined;
    companyName: string;
  },
): Mail {
  const of = nameInMail(companyName);
  return {
    to: email,
    // Without the company's name: anyone can give a company a name that looks like news from us.
    subject: `You are invited to ${name}`,
    heading: 'You are invited',
    paragraphs: [
      invitedBy === undefined
        ? `You are invited to join ${of ? `the company “${of}”` : 'a company'} on ${name}.`
        : `${invitedBy} invites you to join ${of ? `the company “${of}”` : 'their company'} on ${name}.`,
      'Choose a password to begin. You can then ask questions, and get answers from the documents of the company.',
    ],
    action: { label: 'Accept the invitation', url: `${publicUrl}/login?oobCode=${encodeURIComponent(code)}` },
    note:
      invitedBy === undefined
        ? 'The link works once, until the 7 days of your invitation are over; the one that you had before does not work any more.'
        : 'The link works once and for 7 days. If you did not expect this, ignore it: nothing happens.',
  };
}
