import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Mailer, OutgoingMail } from './port.ts';

/** What arrived, as whoever received it reads it. */
export interface ReceivedMail {
  /** All recipients, those named in the mail and those it was handed over for. */
  to: string[];
  subject: string;
  text: string;
  html: string;
  /** The names of its headers, in small letters; null where a mail is not made of headers. */
  headers: string[] | null;
  /** A mail's header knows no parts of a second. */
  date: Date;
}

export interface MailerUnderTest {
  mailer: Mailer;
  /** In order of arrival. */
  received(): Promise<ReceivedMail[]>;
  close(): Promise<void>;
}

export function newMail(mail: Partial<OutgoingMail> = {}): OutgoingMail {
  return {
    to: 'ann@example.com',
    subject: 'Hello',
    text: 'Hello Ann.\n',
    html: '<p>Hello Ann.</p>\n',
    messageId: `<${randomUUID()}@footnote.test>`,
    writtenAt: new Date(),
    ...mail,
  };
}

/** What every implementation of the port must do. */
export function mailerContract(name: string, open: () => Promise<MailerUnderTest>): void {
  describe(`${name} as a mailer`, () => {
    let under: MailerUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.close());

    async function sent(mail: OutgoingMail): Promise<ReceivedMail> {
      await under.mailer.send(mail);
      const received = await under.received();
      const [only] = received;
      if (!only || received.length > 1) throw new Error(`${received.length} mails arrived`);
      return only;
    }

    test('brings subject, text and HTML to the one recipient', async () => {
      const { to, subject, text, html } = await sent(newMail());
      expect({ to: new Set(to), subject, text: text.trim(), html: html.trim() }).toEqual({
        to: new Set(['ann@example.com']),
        subject: 'Hello',
        text: 'Hello Ann.',
        html: '<p>Hello Ann.</p>',
      });
    });

    test('bears the date at which it was written', async () => {
      const writtenAt = new Date('2026-03-01T12:34:56Z');
      expect((await sent(newMail({ writtenAt }))).date).toEqual(writtenAt);
    });

    test.each([
      ['letters of many scripts', 'Größe – 知らせ – Привет – مرحبا – 👩‍🚀'],
      ['a long line of them', 'Überprüfung '.repeat(40).trim()],
      ['a long line', 'A very long subject that goes on '.repeat(20).trim()],
      ['what looks encoded', '=?utf-8?B?SGVsbG8=?= "quoted" \\ <tag>'],
    ])('keeps a subject with %s', async (_, subject) => {
      expect((await sent(newMail({ subject }))).subject).toBe(subject);
    });

    test('keeps lines longer than mail has, dots that begin a line, and every letter', async () => {
      const link = `https://footnote.test/login?oobCode=${'x'.repeat(1500)}`;
      const text = `.\n..\n.hidden\nFrom here on\nDie Größe ändert sich. 知らせ 👩‍🚀\n${link}\nTrailing =3D =\n`;
      const html = `<p>.</p>\n<p>Größe &amp; 知らせ 👩‍🚀</p>${'<b>long</b>'.repeat(300)}<a href="${link}">x</a>\n`;
      const received = await sent(newMail({ text, html }));
      expect(received.text.trim()).toBe(text.trim());
      expect(received.html.trim()).toBe(html.trim());
    });

    test.each(['\r\n', '\n', '\r', '\r\n\r\n', '\u2028', '\0', '\u0085'])(
      'lets nothing in the subject become a header, a recipient or a body: %j',
      async (ending) => {
        const plain = await sent(newMail());
        await under.close();
        under = await open();
        const subject = `Hello${ending}Bcc: eve@example.org${ending}X-Extra: 1${ending}Content-Type: text/html`;
        const { to, headers, text } = await sent(newMail({ subject }));
        expect(new Set(to)).toEqual(new Set(['ann@example.com']));
        expect(headers).toEqual(plain.headers);
        expect(text.trim()).toBe('Hello Ann.');
      },
    );

    test.each([
      'ann@example.com\r\nBcc: eve@example.org',
      'ann@example.com\nRCPT TO:<eve@example.org>',
      'ann@example.com, eve@example.org',
      'ann@example.com;eve@example.org',
      'group: ann@example.com, eve@example.org;',
      'Eve <eve@example.org>, ann@example.com',
      '"eve@example.org," ann@example.com',
      'ann@example.com> NOTIFY=SUCCESS ORCPT=rfc822;eve@example.org',
      'ann',
      '',
    ])('refuses for good what is not one address: %j', async (to) => {
      await expect(under.mailer.send(newMail({ to }))).rejects.toMatchObject({ name: 'MailRefused' });
      expect(await under.received()).toEqual([]);
    });

    test('sends many at once, each to its own', async () => {
      const people = Array.from({ length: 20 }, (_, i) => `person-${i}@example.com`);
      await Promise.all(people.map((to) => under.mailer.send(newMail({ to, text: `For ${to}` }))));
      const received = await under.received();
      expect(received.map(({ text }) => text.trim()).sort()).toEqual(people.map((to) => `For ${to}`).sort());
      for (const { to, text } of received) expect(`For ${to[0]}`).toBe(text.trim());
    });
  });
}
