import {
  Document,
  FootnoteReferenceRun,
  HeadingLevel,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from 'docx';
import { describe, expect, test } from 'vitest';
import { makeZip, parseBytes } from '../fixtures.ts';
import { parseDocx } from './docx.ts';

const cell = (text: string) => new TableCell({ children: [new Paragraph(text)] });

describe('Word', () => {
  test('headings, items, tables and footnotes', async () => {
    const document = new Document({
      footnotes: { 1: { children: [new Paragraph('See the annex.')] } },
      sections: [
        {
          children: [
            new Paragraph({ text: 'Lease', heading: HeadingLevel.TITLE }),
            new Paragraph({ text: 'Rent', heading: HeadingLevel.HEADING_2 }),
            new Paragraph({
              children: [
                new TextRun('The rent is 900 '),
                new TextRun({ text: 'euros', bold: true }),
                new FootnoteReferenceRun(1),
                new TextRun('.'),
              ],
            }),
            new Paragraph({ text: 'Due on the first', bullet: { level: 0 } }),
            new Table({
              rows: [
                new TableRow({ children: [cell('Room'), cell('Size')] }),
                new TableRow({ children: [cell('Kitchen'), cell('12')] }),
              ],
            }),
          ],
        },
      ],
    });
    const { blocks } = await parseBytes(parseDocx, await Packer.toBuffer(document));
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: 'Lease' },
      { kind: 'heading', level: 2, text: 'Rent' },
      { kind: 'paragraph', text: 'The rent is 900 euros.' },
      { kind: 'item', text: 'Due on the first' },
      { kind: 'row', text: 'Room | Size', cells: ['Room', 'Size'], header: true },
      { kind: 'row', text: 'Kitchen | 12', cells: ['Kitchen', '12'] },
      { kind: 'item', text: 'See the annex.' },
    ]);
  });

  test('a container without a document in it fails', async () => {
    await expect(parseBytes(parseDocx, makeZip([{ name: 'word/other.xml', content: '<a/>' }]))).rejects.toThrow();
    await expect(parseBytes(parseDocx, 'PK\x03\x04 no zip')).rejects.toMatchObject({ code: 'damaged' });
  });
});
