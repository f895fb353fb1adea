import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { parseBytes } from '../fixtures.ts';
import { parseText } from './text.ts';

const textsOf = async (bytes: Uint8Array | string) =>
  (await parseBytes(parseText, bytes)).blocks.map(({ text }) => text);

describe('plain text', () => {
  test('paragraphs end at blank lines; wrapped lines are joined, lists are not', async () => {
    const text = [
      'Employees may work from home for up to two days\r\nin every week, if their manager agrees to it in\r\nwriting before.',
      'Opening hours:\n- Monday 9 to 5\n- Tuesday 9 to 6',
      'Street 5\n12345 Town',
    ].join('\r\n \r\n');
    expect(await textsOf(text)).toEqual([
      'Employees may work from home for up to two days in every week, if their manager agrees to it in writing before.',
      'Opening hours:',
      '- Monday 9 to 5',
      '- Tuesday 9 to 6',
      'Street 5',
      '12345 Town',
    ]);
  });

  test.each(['utf-8', 'utf-16le', 'utf-16be', 'utf-32le'])('%s with its mark', async (encoding) => {
    expect(await textsOf(iconv.encode('Gebühr: 5 €', encoding, { addBOM: true }))).toEqual(['Gebühr: 5 €']);
  });

  test.each([
    ['windows-1252', 'Die Gebühr beträgt für Möbel fünf Euro, und größere Stücke kosten mehr.'],
    ['shift_jis', 'この文書は、出張の際の手続きについて説明しています。宿泊費は一泊一万円までです。'],
    ['gb18030', '本文件说明出差的手续。住宿费每晚不超过一千元。员工应当提前申请。'],
    ['windows-1251', 'Настоящий документ описывает порядок командировок сотрудников компании.'],
    ['euc-kr', '이 문서는 출장 절차를 설명합니다. 숙박비는 하루 십만 원까지입니다.'],
  ])('%s without any mark', async (encoding, text) => {
    expect(await textsOf(iconv.encode(text, encoding))).toEqual([text]);
  });

  test('a line without end is cut, at sentences where there are some, and nothing of it is lost', async () => {
    const endless = await textsOf('x'.repeat(100_000));
    expect(endless.join('')).toBe('x'.repeat(100_000));
    expect(Math.max(...endless.map((piece) => piece.length))).toBeLessThanOrEqual(2000);
    const sentences = await textsOf('This is a sentence of some length. '.repeat(500));
    for (const piece of sentences) expect(piece.endsWith('length.')).toBe(true);
  });

  test('what a database refuses or a reader cannot see is taken out', async () => {
    expect(await textsOf('Vaca\u00adtion \u0001days:\t\t30\u200b  a  year, cafe\u0301')).toEqual([
      'Vacation days: 30 a year, café',
    ]);
  });

  test('zeros are no text', async () => {
    await expect(parseBytes(parseText, Uint8Array.of(65, 0, 0, 0, 66, 66, 66))).rejects.toMatchObject({
      code: 'damaged',
    });
  });
});
