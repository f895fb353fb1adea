/** One mail as it goes out: text and HTML say the same. */
export interface OutgoingMail {
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** With its angle brackets. The same one again is the same mail, also to whoever receives it. */
  messageId: string;
  /** The date that it bears, however long it had to wait: mails are put in this order, not in that of their arrival. */
  writtenAt: Date;
}

/** Hands mails over: to a real server, or to a page where they can be read. */
export interface Mailer {
  /** The implementation's name, for `/readyz`. */
  readonly name: string;
  /**
   * Resolves when the mail has been taken over.
   * Nothing in a mail can add a header, a recipient or a second mail.
   * @throws MailRefused when it will never be taken (no such mailbox); any other error is worth another try.
   */
  send(mail: OutgoingMail): Promise<void>;
  close(): Promise<void>;
}

/** The mail was refused for good. */
export class MailRefused extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'MailRefused';
  }
}

/**
 * @throws MailRefused for anything but one plain address; also for rarities such as a quoted name, which nobody uses.
 */
export function requireOneAddress(to: string): void {
  if (!/^[^\s,;:<>()[\]\\"@]+@[^\s,;:<>()\\"@]+$/.test(to)) throw new MailRefused('not an e-mail address');
}
