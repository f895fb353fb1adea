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
import { makeOffice, makeRelations, makeZip, parseBytes } from '../fixtures.ts';
import { parseDocx } from './docx.ts';

const cell = (text: string) => new TableCell({ children: [new Paragraph(text)] });

const types = ['styles', 'numbering', 'endnotes', 'footnotes', 'comments'];

/** A Word file with this body; parts named like their kind are related to it. */
const parse = (body: string, parts: Record<string, string> = {}, relations: [string, string][] = []) => {
  const named = Object.keys(parts).flatMap((name): [string, string][] => {
    const type = types.find((each) => name === `word/${each}.xml`);
    return type ? [[type, `${type}.xml`]] : [];
  });
  return parseBytes(
    parseDocx,
    makeOffice('word/document.xml', {
      'word/document.xml': `<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
      'word/_rels/document.xml.rels': makeRelations(...relations, ...named),
      ...parts,
    }),
  );
};

describe('Word', () => {
  test('a sentence in two paragraphs or several runs is one block; what begins anew is not', async () => {
    const p = (...runs: string[]) =>
      `<w:p>${runs.map((run) => `<w:r><w:t xml:space="preserve">${run}</w:t></w:r>`).join('')}</w:p>`;
    const { blocks } = await parse(
      [
        p('Employees may ', 'not carry over their leave'),
        p('into the next year, unless their manager agrees.'),
        p('Whoever leaves the company gets'),
        p('The rest is paid out'),
        p('in March of every year.'),
        p('Street 5'),
        p('second floor'),
        p('It ends here.'),
        p('and this begins anew after a full stop.'),
      ].join(''),
    );
    expect(blocks.map(({ text }) => text)).toEqual([
      'Employees may not carry over their leave into the next year, unless their manager agrees.',
      'Whoever leaves the company gets',
      'The rest is paid out in March of every year.',
      'Street 5',
      'second floor',
      'It ends here.',
      'and this begins anew after a full stop.',
    ]);
  });

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
      { kind: 'paragraph', text: 'See the annex.' },
      { kind: 'item', text: 'Due on the first' },
      { kind: 'row', text: 'Room | Size', cells: ['Room', 'Size'], header: true },
      { kind: 'row', text: 'Kitchen | 12', cells: ['Kitchen', '12'] },
    ]);
  });

  test('numbers of clauses, as their program shows them', async () => {
    const level = (depth: number, format: string, text: string) =>
      `<w:lvl w:ilvl="${depth}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
    const clause = (depth: number, text: string, style = '') =>
      `<w:p><w:pPr>${style}<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="7"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const { blocks } = await parse(
      clause(0, 'Scope', '<w:pStyle w:val="berschrift1"/>') +
        clause(0, 'Payment', '<w:pStyle w:val="berschrift1"/>') +
        clause(1, 'Within 30 days.') +
        clause(2, 'By transfer.') +
        clause(1, 'In euros.'),
      {
        'word/styles.xml':
          '<w:styles xmlns:w="w"><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style></w:styles>',
        'word/numbering.xml': `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="3">${level(0, 'decimal', '%1.')}${level(1, 'decimal', '%1.%2')}${level(2, 'lowerLetter', '(%3)')}</w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num></w:numbering>`,
      },
    );
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: '1. Scope' },
      { kind: 'heading', level: 1, text: '2. Payment' },
      { kind: 'item', text: '2.1 Within 30 days.' },
      { kind: 'item', text: '(a) By transfer.' },
      { kind: 'item', text: '2.2 In euros.' },
    ]);
  });

  test('text boxes once, comments, endnotes, deleted and hidden instructions, formulas', async () => {
    const box = '<w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent>';
    const { blocks } = await parse(
      `<w:p><w:r><w:t>Before</w:t></w:r><w:r><mc:AlternateContent><mc:Choice><w:drawing>${box}</w:drawing></mc:Choice><mc:Fallback><w:pict>${box}</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>
       <w:p><w:ins><w:r><w:t>New</w:t></w:r></w:ins><w:del><w:r><w:delText>Old</w:delText></w:r></w:del><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:endnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="0"/></w:r></w:p>
       <w:p><m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>n-1</m:t></m:r></m:sup></m:sSup></m:oMath></w:p>`,
      {
        'word/endnotes.xml':
          '<w:endnotes><w:endnote w:id="2"><w:p><w:r><w:t>At the end.</w:t></w:r></w:p></w:endnote></w:endnotes>',
        'word/comments.xml':
          '<w:comments><w:comment w:id="0" w:author="Ada"><w:p><w:r><w:t>Too low.</w:t></w:r></w:p></w:comment></w:comments>',
      },
    );
    expect(blocks.map(({ text }) => text)).toEqual([
      'Before',
      'In a box.',
      'New',
      'At the end.',
      'Comment (Ada): Too low.',
      'x^(n-1)',
    ]);
  });

  test('tables: merged cells, tables inside, layout; charts; heads and feet once, at the end', async () => {
    const p = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const tc = (content: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
    const tr = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`;
    const inner = `<w:tbl>${tr(tc(p('a')), tc(p('1')))}</w:tbl>`;
    const series = (name: string, value: string) =>
      `<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>${name}</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strCache><c:pt idx="0"><c:v>Q1</c:v></c:pt></c:strCache></c:cat><c:val><c:numCache><c:pt idx="0"><c:v>${value}</c:v></c:pt></c:numCache></c:val></c:ser>`;
    const { blocks } = await parse(
      `<w:tbl>${tr(tc(p('North'), '<w:vMerge w:val="restart"/>'), tc(p('Q1')), tc(p('5')))}${tr(tc('<w:p/>', '<w:vMerge/>'), tc(p('all') + inner, '<w:gridSpan w:val="2"/>'))}</w:tbl>
       <w:tbl>${tr(tc(p('Only a frame.')))}</w:tbl>
       ${p('In the body, too.')}
       <w:p><w:r><w:drawing><c:chart r:id="r1"/></w:drawing></w:r></w:p>`,
      {
        'word/charts/chart1.xml': `<c:chartSpace><c:chart><c:title><c:tx><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:tx></c:title><c:plotArea>${series('North', '0.30000000000000004')}${series('South', '2')}</c:plotArea></c:chart></c:chartSpace>`,
        'word/header1.xml': `<w:hdr>${p('Contract 2031-B')}${p('Page 3')}${p('Page of')}${p('Seite 3 von 12')}</w:hdr>`,
        'word/header2.xml': `<w:hdr>${p('Contract 2031-B')}${p('In the body, too.')}</w:hdr>`,
      },
      [
        ['chart', 'charts/chart1.xml'],
        ['header', 'header1.xml'],
        ['header', 'header2.xml'],
      ],
    );
    expect(blocks.map(({ text }) => text)).toEqual([
      'North | Q1 | 5',
      'North | all | ',
      'a | 1',
      'Only a frame.',
      'In the body, too.',
      'Sales',
      ' | North | South',
      'Q1 | 0.3 | 2',
      'Contract 2031-B',
    ]);
  });

  test('endless nesting and entities end in a reason', async () => {
    const deep = '<w:tbl><w:tr><w:tc>'.repeat(3000) + '</w:tc></w:tr></w:tbl>'.repeat(3000);
    await expect(parse(deep)).rejects.toMatchObject({ code: 'too-deep' });
    const bomb = makeOffice('word/document.xml', {
      'word/document.xml':
        '<!DOCTYPE d [<!ENTITY a "aaaaaaaa">]><w:document><w:body><w:p><w:r><w:t>&a;</w:t></w:r></w:p></w:body></w:document>',
    });
    await expect(parseBytes(parseDocx, bomb)).rejects.toMatchObject({ code: 'damaged' });
  });

  test('bytes behind the end of the container are none of it', async () => {
    const whole = makeOffice('word/document.xml', {
      'word/document.xml': '<w:document><w:body><w:p><w:r><w:t>Words</w:t></w:r></w:p></w:body></w:document>',
    });
    for (const behind of ['\n', '\0'.repeat(40_000)]) {
      const found = await parseBytes(parseDocx, Buffer.concat([whole, Buffer.from(behind)]));
      expect(found.blocks).toMatchObject([{ text: 'Words' }]);
    }
    await expect(parseBytes(parseDocx, whole.subarray(0, -1))).rejects.toMatchObject({ code: 'damaged' });
  });

  test('a container without a document in it fails', async () => {
    await expect(parseBytes(parseDocx, makeZip([{ name: 'word/other.xml', content: '<a/>' }]))).rejects.toThrow();
    await expect(parseBytes(parseDocx, 'PK\x03\x04 no zip')).rejects.toMatchObject({ code: 'damaged' });
  });
});
