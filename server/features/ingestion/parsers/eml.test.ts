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

  test('endless nesting fails, and a mail beyond the limit is not read', async () => {
    const nested = `${Array.from({ length: 400 }, (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n`).join('')}\r\nx`;
    await expect(parseBytes(parseEml, nested)).rejects.toThrow();
    await expect(parseBytes(parseEml, 'Subject: x', { ...roomyLimits, mailBytes: 5 })).rejects.toMatchObject({
      code: 'too-much-memory',
    });
  });
});
