import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { makeOffice, makeRelations, parseBytes, roomyLimits } from '../fixtures.ts';
import { parseXlsx } from './xlsx.ts';

describe('Excel', () => {
  test('sheets, headers and values', async () => {
    const workbook = await writeXlsx({
      sheets: [
        {
          name: 'Prices',
          rows: [
            ['Price list 2026', null, null],
            ['Item', 'Price', 'From'],
            ['Chair', 0.1 + 0.2, new Date(Date.UTC(2026, 0, 31))],
            [null, null, null],
            ['Desk', true, new Date(Date.UTC(2026, 1, 1, 13, 30))],
          ],
        },
        { name: 'Secret', hidden: true, rows: [['hidden']] },
        { name: 'Empty', rows: [] },
        {
          name: 'Places',
          rows: [
            ['Town', 'Rooms'],
            ['Ulm', 3],
          ],
        },
      ],
    });
    const { blocks, unreadable } = await parseBytes(parseXlsx, workbook);
    expect(unreadable).toEqual([{ why: expect.stringContaining('The hidden sheet "Secret" was not read.') }]);
    expect(blocks).toEqual([
      {
        kind: 'row',
        text: 'Price list 2026',
        cells: ['Price list 2026'],
        part: 'Prices',
        table: { columns: [], sheet: 'Prices' },
      },
      {
        kind: 'row',
        text: 'Item | Price | From',
        cells: ['Item', 'Price', 'From'],
        header: true,
        table: { columns: ['Item', 'Price', 'From'], caption: 'Price list 2026', sheet: 'Prices' },
      },
      { kind: 'row', text: 'Chair | 0.3 | 2026-01-31', cells: ['Chair', '0.3', '2026-01-31'] },
      { kind: 'row', text: 'Desk | TRUE | 2026-02-01', cells: ['Desk', 'TRUE', '2026-02-01'] },
      {
        kind: 'row',
        text: 'Town | Rooms',
        cells: ['Town', 'Rooms'],
        header: true,
        part: 'Places',
        table: { columns: ['Town', 'Rooms'], sheet: 'Places' },
      },
      { kind: 'row', text: 'Ulm | 3', cells: ['Ulm', '3'] },
    ]);
  });

  test.each(['r:id', 'd3p1:id', 'relationships:id'])('a sheet is found by %s, as programs call it', async (id) => {
    const workbook = makeOffice('xl/workbook.xml', {
      'xl/workbook.xml': `<workbook><sheets><sheet name="Data" sheetId="1" ${id}="r1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': makeRelations(['worksheet', 'worksheets/sheet1.xml']),
      'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row><c r="A1"><v>7</v></c></row></sheetData></worksheet>',
    });
    expect((await parseBytes(parseXlsx, workbook)).blocks).toMatchObject([{ text: '7' }]);
  });

  test('rows beyond the limit are reported, not lost in silence', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => [`Row ${index}`, index]);
    const workbook = await writeXlsx({ sheets: [{ name: 'Long', rows }] });
    const { blocks, unreadable } = await parseBytes(parseXlsx, workbook, { ...roomyLimits, rows: 20 });
    expect(blocks).toHaveLength(20);
    expect(unreadable).toEqual([{ why: expect.stringContaining('"Long" was read only to row 20:') }]);
  });
});

/** A workbook of one sheet, `Data`. */
function makeWorkbook(rows: string, { styles = '', strings = '', workbook = '', rest = '' } = {}): Buffer {
  return makeOffice('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook>${workbook}<sheets><sheet name="Data" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': makeRelations(
      ['worksheet', 'worksheets/sheet1.xml'],
      ['styles', 'styles.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ),
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData>${rest}</worksheet>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
  });
}

describe('cells are read as the program shows them', () => {
  const shownAs = async (pattern: string | number, value: string, workbook = '') => {
    const [id, formats] =
      typeof pattern === 'number'
        ? [pattern, '']
        : [164, `<numFmts><numFmt numFmtId="164" formatCode="${pattern.replaceAll('"', '&quot;')}"/></numFmts>`];
    const styles = `${formats}<cellXfs><xf numFmtId="0"/><xf numFmtId="${id}"/></cellXfs>`;
    const { blocks } = await parseBytes(
      parseXlsx,
      makeWorkbook(`<row r="1"><c r="A1" s="1"><v>${value}</v></c></row>`, { styles, workbook }),
    );
    return blocks[0]?.text;
  };

  test.each<[string | number, string, string]>([
    [10, '0.125', '12.50%'],
    ['0.0 %', '0.125', '12.5 %'],
    ['"€" #,##0.00', '1234567.5', '€ 1,234,567.50'],
    ['#,##0.00 [$€-407]', '1234567.5', '1,234,567.50 €'],
    ['_("$"* #,##0.00_);_("$"* (#,##0.00)', '-1234.5', '$(1,234.50)'],
    [3, '1234567', '1,234,567'],
    [0, '0.30000000000000004', '0.3'],
    [0, '123456789012', '123456789012'],
    ['# ?/?', '2.25', '2 1/4'],
    [11, '12345.678', '1.23E+04'],
    [14, '46053', '2026-01-31'],
    [22, '46054.5625', '2026-02-01 13:30'],
    ['dd.mm.yyyy', '46053', '31.01.2026'],
    ['[$-407]d. mmmm yyyy', '46053', '31. Januar 2026'],
    [18, '0.5625', '1:30 PM'],
    ['[h]:mm', '1.5', '36:00'],
    ['000-00-0000', '123456789', '123-45-6789'],
    ['#,##0,"k"', '1234567', '1,235k'],
    ['0 "pcs."', '12', '12 pcs.'],
    ['[Green]+0.0%;[Red]-0.0%', '-0.031', '-3.1%'],
    ['no[[pattern', '5.5', '5.5'],
  ])('%s: %s', async (pattern, value, text) => {
    expect(await shownAs(pattern, value)).toBe(text);
  });

  test('dates of workbooks that count from 1904', async () => {
    expect(await shownAs('yyyy-mm-dd', '44591', '<workbookPr date1904="1"/>')).toBe('2026-01-31');
  });

  test('strings, also shared ones with how they are pronounced; results of formulas, truths, errors', async () => {
    const strings =
      '<si><t>Desk</t></si><si><r><t>東</t></r><r><t>京</t></r><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si>';
    const rows = `<row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c><c t="str"><f>A1&amp;"x"</f><v>a_x000D_b</v></c>
      <c t="b"><v>1</v></c><c t="e"><v>#DIV/0!</v></c><c r="XFD2" t="inlineStr"><is><t>far</t></is></c></row>`;
    const { blocks } = await parseBytes(parseXlsx, makeWorkbook(rows, { strings }));
    expect(blocks[0]?.cells?.filter((cell) => cell !== '')).toEqual(['Desk', '東京', 'a b', 'TRUE', '#DIV/0!', 'far']);
    expect(blocks[0]?.cells?.length).toBeLessThanOrEqual(2000);
  });
});

test('a head of several lines: groups over merged cells, names, units; the title and the unit of all; labels between rows', async () => {
  const row = (number: number, cells: Record<string, string>) =>
    `<row r="${number}">${Object.entries(cells)
      .map(([column, text]) => `<c r="${column}${number}" t="inlineStr"><is><t>${text}</t></is></c>`)
      .join('')}</row>`;
  const rows = [
    row(1, { A: 'Sales by region' }),
    row(2, { A: 'Amounts in thousands of euros' }),
    row(4, { A: 'Region', B: '2023', D: '2024' }),
    row(5, { B: 'Revenue', C: 'Share', D: 'Revenue', E: 'Share' }),
    row(6, { B: '€', C: '%', D: '€', E: '%' }),
    row(7, { A: 'Europe' }),
    row(8, { A: 'North', B: '1,200', C: '12.5', D: '1,300', E: '13' }),
    row(9, { A: 'South', B: '800', C: '8', D: '900', E: '9' }),
  ].join('');
  const rest = '<mergeCells><mergeCell ref="B4:C4"/><mergeCell ref="D4:E4"/><mergeCell ref="A4:A6"/></mergeCells>';
  const { blocks } = await parseBytes(parseXlsx, makeWorkbook(rows, { rest }));
  expect(blocks.map(({ text, header, parents }) => [text, header ?? false, parents])).toEqual([
    ['Sales by region', false, undefined],
    ['Amounts in thousands of euros', false, undefined],
    ['Region | 2023 |  | 2024', true, undefined],
    ['Region | Revenue | Share | Revenue | Share', true, undefined],
    ['Region | € | % | € | %', true, undefined],
    ['Europe', false, undefined],
    ['North | 1,200 | 12.5 | 1,300 | 13', false, ['Europe']],
    ['South | 800 | 8 | 900 | 9', false, ['Europe']],
  ]);
  expect(blocks.flatMap(({ table }) => table ?? [])).toEqual([
    { columns: [], sheet: 'Data' },
    {
      columns: ['Region', '2023 Revenue €', '2023 Share %', '2024 Revenue €', '2024 Share %'],
      caption: 'Sales by region – Amounts in thousands of euros',
      unit: expect.stringContaining('in thousands'),
      sheet: 'Data',
    },
  ]);
});

describe('beside the cells of a workbook', () => {
  const sheet = (rows: string, rest = '') => `<worksheet><sheetData>${rows}</sheetData>${rest}</worksheet>`;
  const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;

  test('merged cells count for each row; comments, text boxes and chart sheets are read', async () => {
    const series = `<c:ser><c:tx><c:v>North</c:v></c:tx><c:cat><c:strCache><c:pt idx="0"><c:v>Q1</c:v></c:pt></c:strCache></c:cat><c:val><c:numCache><c:pt idx="0"><c:v>5</c:v></c:pt></c:numCache></c:val></c:ser>`;
    const workbook = makeOffice('xl/workbook.xml', {
      '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
      'xl/workbook.xml':
        '<workbook><sheets><sheet name="Rates" sheetId="1" r:id="r1"/><sheet name="Picture" sheetId="2" r:id="r2"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': makeRelations(
        ['worksheet', 'worksheets/sheet1.xml'],
        ['chartsheet', 'chartsheets/sheet1.xml'],
      ),
      'xl/worksheets/sheet1.xml': sheet(
        `<row r="1">${cell('A1', 'Zone')}${cell('B1', 'Fee')}</row><row r="2">${cell('A2', 'North')}${cell('B2', 'five')}</row><row r="3">${cell('B3', 'six')}</row>`,
        '<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>',
      ),
      'xl/worksheets/_rels/sheet1.xml.rels': makeRelations(
        ['comments', '../comments1.xml'],
        ['drawing', '../drawings/drawing1.xml'],
      ),
      'xl/comments1.xml':
        '<comments><authors><author>Ada</author></authors><commentList><comment ref="B2" authorId="0"><text><r><t>Too low.</t></r></text></comment></commentList></comments>',
      'xl/drawings/drawing1.xml':
        '<xdr:wsDr><xdr:sp><xdr:txBody><a:p><a:r><a:t>Valid from May</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>',
      'xl/chartsheets/sheet1.xml': '<chartsheet/>',
      'xl/chartsheets/_rels/sheet1.xml.rels': makeRelations(['drawing', '../drawings/drawing2.xml']),
      'xl/drawings/drawing2.xml': '<xdr:wsDr><c:chart r:id="r1"/></xdr:wsDr>',
      'xl/drawings/_rels/drawing2.xml.rels': makeRelations(['chart', '../charts/chart1.xml']),
      'xl/charts/chart1.xml': `<c:chartSpace><c:chart><c:plotArea>${series}</c:plotArea></c:chart></c:chartSpace>`,
    });
    const { blocks } = await parseBytes(parseXlsx, workbook);
    expect(blocks.map(({ part, text }) => [part, text])).toEqual([
      ['Rates', 'Zone | Fee'],
      [undefined, 'North | five'],
      [undefined, 'North | six'],
      [undefined, 'Comment (B2, Ada): Too low.'],
      [undefined, 'Valid from May'],
      ['Picture', ' | North'],
      [undefined, 'Q1 | 5'],
    ]);
  });
});
