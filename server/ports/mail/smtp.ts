import { createTransport } from 'nodemailer';
import { type Mailer, MailRefused, type OutgoingMail, requireOneAddress } from './port.ts';

const connectMs = 10_000;
const patience = {
  connectionTimeout: connectMs,
  greetingTimeout: connectMs,
  dnsTimeout: connectMs,
  socketTimeout: 30_000,
};

/**
 * Hands mails to an SMTP server.
 * @param options.url `smtp://` (STARTTLS where it is offered; `?requireTLS=true` insists) or `smtps://`, with user and
 * password.
 * @param options.from the sender, with or without a name.
 */
export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport(
    {
      url,
      pool: true,
      maxConnections: 2,
      ...patience,
      // What a mail says must never be taken for the name of a file or an address to fetch.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    // Asks mail programs not to answer with "out of office".
    { from, headers: { 'Auto-Submitted': 'auto-generated' } },
  );

  return {
    name: 'SMTP',

    async send({ to, subject, text, html, messageId, writtenAt }: OutgoingMail) {
      requireOneAddress(to);
      try {
        // As an object: a string would be read as a list, and an address with a comma in it would become two.
        const recipient = { name: '', address: to };
        await transport.sendMail({ to: recipient, subject, text, html, messageId, date: writtenAt });
      } catch (error) {
        throw refusedForGood(error) ? new MailRefused(error.message, { cause: error }) : error;
      }
    },

    async close() {
      transport.close();
    },
  };
}

/**
 * Signs in at the server, and sends nothing.
 * @throws Error saying what it has refused, or that it can't be reached
 */
export async function reachSmtp(url: string): Promise<void> {
  const transport = createTransport({ url, ...patience });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** A wrong password of ours is refused with the same numbers, but can be put right while the mail waits. */
function refusedForGood(error: unknown): error is Error {
  if (!(error instanceof Error) || !('permanent' in error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return error.permanent === true && (code === 'EENVELOPE' || code === 'EMESSAGE');
}
