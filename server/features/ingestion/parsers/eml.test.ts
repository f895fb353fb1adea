import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { parseBytes, roomyLimits } from '../fixtures.ts';
import { parseEml } from './eml.ts';

const part = (type: string, body: string, headers = '') => `--b\r\nContent-Type: ${type}\r\n${headers}\r\n${body}\r\n`;
const mail = (...parts: string[]) =>
  `From: =?utf-8?q?J=C3=B6rg?= <joerg@a.example>\r\nTo: "Ada" <ada@b.example>, c@d.example\r\nSubject: =?utf-8?b?R2Viw7xocg==?=\r\nDate: Tue, 3 Mar 2026 10:20:30 +0200\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('')}--b--\r\n`;

describe('mail', () => {
  test('who wrote what to whom, and what is attached', async () => {
    const { blocks, attachments } = await parseBytes(
      parseEml,
      mail(
        part('text/plain; charset=utf-8', 'The fee is 5 €.'),
        part('text/csv; name="fees.csv"', 'a,b', 'Content-Disposition: attachment; filename="../fees.csv"\r\n'),
        part('message/rfc822', 'From: x@y.example\r\nSubject: Inner\r\n\r\nInner text'),
      ),
    );
    expect(blocks.map(({ text }) => text)).toEqual([
      'Gebühr',
      'From | Jörg <joerg@a.example>',
      'To | Ada <ada@b.example>, c@d.example',
      'Date | 2026-03-03 08:20 UTC',
      'Subject | Gebühr',
      'The fee is 5 €.',
    ]);
    expect(blocks.map(({ part }) => part)).toEqual(['E-mail sent by Jörg', ...Array(5).fill(undefined)]);
    expect(blocks.map(({ kind, cells }) => [kind, cells?.length])).toEqual([
      ['heading', undefined],
      ...Array(4).fill(['row', 2]),
      ['paragraph', undefined],
    ]);
    expect(attachments.map(({ name, bytes }) => [name, Buffer.from(bytes).toString().trim()])).toEqual([
      ['../fees.csv', 'a,b'],
      ['attachment 2.eml', expect.stringContaining('Inner text')],
    ]);
  });

  test('the HTML text where it has a table, or is all there is', async () => {
    const table = '<p>Fees</p><table><tr><td>Zone</td><td>Fee</td></tr><tr><td>A</td><td>12</td></tr></table>';
    const both = `Content-Type: multipart/alternative; boundary=b\r\nSubject: S\r\n\r\n${part('text/plain', 'Fees Zone Fee A 12')}${part('text/html', table)}--b--`;
    expect((await parseBytes(parseEml, both)).blocks.map(({ text }) => text)).toEqual([
      'S',
      'Subject | S',
      'Fees',
      'Zone | Fee',
      'A | 12',
    ]);
    const only = 'Subject: S\r\nContent-Type: text/html\r\n\r\n<p>Hello <b>you</b></p>';
    expect((await parseBytes(parseEml, only)).blocks.map(({ text }) => text)).toEqual([
      'S',
      'Subject | S',
      'Hello you',
    ]);
  });

  describe('letters, however a mail says they are written', () => {
    const french = 'Envoyé par la société, à bientôt: la facture est réglée.';
    const russian = 'Пожалуйста, оплатите счет до пятницы, спасибо большое за работу.';
    const letter = (type: string, body: Buffer, subject: string | Buffer = 'S') =>
      Buffer.concat([
        Buffer.from('From: a@b.example\r\nSubject: '),
        Buffer.from(subject),
        Buffer.from(`\r\nContent-Type: ${type}\r\n\r\n`),
        body,
      ]);
    const html = (encoding: string, text: string) =>
      iconv.encode(`<html><head><meta charset="${encoding}"></head><body><p>${text}</p></body></html>`, encoding);

    test.each<[string, Buffer, string]>([
      ['nothing, and it is UTF-8', letter('text/plain', Buffer.from(french)), french],
      ['nothing, and it is not', letter('text/plain', Buffer.from(french, 'latin1')), french],
      ['ASCII, and it is UTF-8', letter('text/plain; charset=us-ascii', Buffer.from(french)), french],
      ['UTF-8, and it is not', letter('text/plain; charset=utf-8', Buffer.from(french, 'latin1')), french],
      ['an unknown name', letter('text/plain; charset=X-UNKNOWN', Buffer.from(french)), french],
      ['an unknown name', letter('text/plain; charset=unknown-8bit', iconv.encode(russian, 'koi8-r')), russian],
      ['only within the HTML', letter('text/html', html('windows-1251', russian)), russian],
      ['as it is', letter('text/plain; charset=windows-1251', iconv.encode(russian, 'win1251')), russian],
      ['as it is, in another name', letter('text/plain; charset=cp-850', iconv.encode(french, 'cp850')), french],
    ])('%s', async (_, bytes, text) => {
      expect((await parseBytes(parseEml, bytes)).blocks.at(-1)?.text).toBe(text);
    });

    test('a subject that is not encoded', async () => {
      const [subject] = (
        await parseBytes(parseEml, letter('text/plain', Buffer.from('x'), Buffer.from(french, 'latin1')))
      ).blocks;
      expect(subject?.text).toBe(french);
    });

    test('a mail as UTF-16', async () => {
      const wide = Buffer.from(`\ufeffFrom: a@b.example\r\nSubject: S\r\n\r\n${french}`, 'utf16le');
      expect((await parseBytes(parseEml, wide)).blocks.at(-1)?.text).toBe(french);
    });
  });

  test('what stands before its head is none of it', async () => {
    for (const before of [
      'From a@b.example Mon May  2 16:07:05 2005\n',
      '>From x Mon May 2 16:07:05 2005\r\n',
      '\r\n',
    ]) {
      const { blocks } = await parseBytes(parseEml, `${before}Subject: S\r\n\r\nFrom here on 2005\r\n`);
      expect(blocks.map(({ text }) => text)).toEqual(['S', 'Subject | S', 'From here on 2005']);
    }
  });

  test('endless nesting fails, and a mail beyond the limit is not read', async () => {
    const nested = `${Array.from({ length: 400 }, (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n`).join('')}\r\nx`;
    await expect(parseBytes(parseEml, nested)).rejects.toThrow();
    await expect(parseBytes(parseEml, 'Subject: x', { ...roomyLimits, mailBytes: 5 })).rejects.toMatchObject({
      code: 'too-much-memory',
    });
  });
});
