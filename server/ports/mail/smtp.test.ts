import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SmtpInbox, startSmtpServer } from '#server/testing/smtp.ts';
import { mailerContract, newMail } from './contract.ts';
import type { Mailer } from './port.ts';
import { smtpMailer } from './smtp.ts';

const from = 'Footnote <no-reply@footnote.test>';

mailerContract('SMTP', async () => {
  const inbox = await startSmtpServer();
  const mailer = smtpMailer({ url: inbox.url, from });
  return {
    mailer,
    received: async () => inbox.mails,
    async close() {
      await mailer.close();
      await inbox.close();
    },
  };
});

describe('mails by SMTP', () => {
  let inbox: SmtpInbox;
  let mailer: Mailer;
  beforeEach(async () => {
    inbox = await startSmtpServer();
    mailer = smtpMailer({ url: inbox.url, from });
  });
  afterEach(async () => {
    await mailer.close();
    await inbox.close();
  });

  test('have the lines, letters and headers that every server takes', async () => {
    const text = `Die Größe: ${'x'.repeat(5000)}\n`;
    const mail = newMail({ text, html: `<p>${'Größe '.repeat(1000)}</p>`, subject: 'Größe '.repeat(50) });
    await mailer.send(mail);
    const { raw, from: sender, headers } = inbox.mails[0] ?? { raw: '', from: '', headers: [] };
    expect(raw.split('\r\n').every((line) => line.length <= 998)).toBe(true);
    expect(raw).toMatch(/^[\r\n\t\x20-\x7e]+$/);
    expect(raw.replaceAll('\r\n', ''), 'line ends of both signs only').not.toMatch(/[\r\n]/);
    expect(raw).toContain(`Message-ID: ${mail.messageId}`);
    expect(sender).toBe(from);
    expect(headers).toContain('auto-submitted');
  });

  test.each([421, 450, 451, 452, 503])('are worth another try after %i, which then succeeds', async (code) => {
    inbox.refuse(code);
    const mail = newMail();
    await expect(mailer.send(mail)).rejects.not.toMatchObject({ name: 'MailRefused' });
    await mailer.send(mail);
    expect(inbox.mails).toHaveLength(1);
  });

  test.each([550, 551, 552, 553, 554])('are refused for good after %i, with the reason', async (code) => {
    inbox.refuse(code);
    await expect(mailer.send(newMail())).rejects.toMatchObject({
      name: 'MailRefused',
      message: expect.stringContaining(String(code)),
    });
    expect(inbox.mails).toEqual([]);
  });

  test('wait for a server that is not there', async () => {
    await inbox.close();
    await expect(mailer.send(newMail())).rejects.not.toMatchObject({ name: 'MailRefused' });
  });

  test('wait where our own password is wrong, and go when it is right', async () => {
    const guarded = await startSmtpServer({ user: { name: 'us@footnote.test', password: 'p@ss:word/1' } });
    const wrong = smtpMailer({ url: guarded.url.replace('p%40ss', 'other'), from });
    await expect(wrong.send(newMail())).rejects.not.toMatchObject({ name: 'MailRefused' });
    const right = smtpMailer({ url: guarded.url, from });
    await right.send(newMail());
    expect(guarded.mails).toHaveLength(1);
    await Promise.all([wrong.close(), right.close()]);
    await guarded.close();
  });

  test('go nowhere without encryption where it is insisted on', async () => {
    const strict = smtpMailer({ url: `${inbox.url}/?requireTLS=true`, from });
    await expect(strict.send(newMail())).rejects.toThrow();
    expect(inbox.mails).toEqual([]);
    await strict.close();
  });

  test('read no file and fetch no address, whatever they say', async () => {
    const subject = 'file:///etc/passwd';
    await mailer.send(
      newMail({ subject, text: '/etc/passwd', html: '<img src="cid:x"><a href="file:///etc/passwd">x</a>' }),
    );
    expect(inbox.mails[0]).toMatchObject({ subject, text: expect.stringMatching(/^\/etc\/passwd\s*$/) });
  });
});
