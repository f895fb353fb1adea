import { describe, expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { maxQuoteLength, type QuotableBlock } from './unit.ts';
import { unitsOf } from './units.ts';

describe('what may be quoted', () => {
  test('sentences end where sentences end, not at abbreviations, initials, dates and clause numbers', () => {
    const text =
      'Ask Dr. Weber, Rev. Adams or Mr. J. Osei. It starts on 3. March, approx. at noon. Das gilt z.B. für Glas bzw. Ton. Is it so? Yes!';
    expect(quotes(paragraph(text))).toEqual([
      'Ask Dr. Weber, Rev. Adams or Mr. J. Osei.',
      'It starts on 3. March, approx. at noon.',
      'Das gilt z.B. für Glas bzw. Ton.',
      'Is it so?',
      'Yes!',
    ]);
  });

  test('a footnote mark stays with the sentence that it stands behind', () => {
    expect(quotes(paragraph('It has 14 characters.[36] It never expires.[37][38] So be it.[citation needed]'))).toEqual(
      ['It has 14 characters.[36]', 'It never expires.[37][38]', 'So be it.[citation needed]'],
    );
  });

  test('sentences of Chinese, Japanese, Arabic and Hindi are found too', () => {
    expect(quotes(paragraph('保修期为两年。从交货之日起计算。'))).toEqual(['保修期为两年。', '从交货之日起计算。']);
    expect(quotes(paragraph('ما هي المدة؟ المدة سنتان.'))).toEqual(['ما هي المدة؟', 'المدة سنتان.']);
    expect(quotes(paragraph('अवधि दो वर्ष है। यह आज से है।'))).toEqual(['अवधि दो वर्ष है।', 'यह आज से है।']);
  });

  test('an item and a row are quoted whole, a line of code alone', () => {
    expect(quotes({ ...paragraph('First do this. Then do that.'), kind: 'item' })).toEqual([
      'First do this. Then do that.',
    ]);
    expect(quotes({ ...paragraph('let a = 1. \nlet b = 2;'), kind: 'code' })).toEqual(['let a = 1.', 'let b = 2;']);
  });

  test('rows of years alone, and of one unit over and over, name the columns and are no answer', () => {
    const row = (...cells: string[]) => ({ ...paragraph(cells.join(' | ')), kind: 'row' as const, cells });
    const units = unitsOf([
      row('', '2008', '2007'),
      row('', 'R', 'R'),
      row('Donations', '80 000', '6 630'),
      row('Founded', '1998', '2001'),
      row('1998', '2001', '2004'),
      row('', 'USD', 'USD'),
      row('Fees', '12', '10'),
    ]);
    expect(units.map(({ text, row: own }) => [text, own?.header])).toEqual([
      ['Donations | 80 000 | 6 630', ['', '2008 R', '2007 R']],
      ['Founded | 1998 | 2001', ['', '2008 R', '2007 R']],
      ['1998 | 2001 | 2004', ['', '2008 R', '2007 R']],
      ['Fees | 12 | 10', ['', 'USD', 'USD']],
    ]);
    const noted = unitsOf([
      row('', '2008 (5)', '2007 (4) (a)'),
      row('Fees', '12', '10'),
      row('', '2008 (500)', '2007'),
    ]);
    expect(noted.map(({ text }) => text)).toEqual(['Fees | 12 | 10', '| 2008 (500) | 2007']);
  });

  test('rows stand below the last row that is a label alone, also a sum without a label', () => {
    const row = (...cells: string[]) => ({ ...paragraph(cells.join(' | ')), kind: 'row' as const, cells });
    const units = unitsOf([
      { ...row('', '2019', '2018'), header: true },
      row('Basic earnings per share', '', ''),
      row('Continuing operations', '114.3', '123.4'),
      row('', '206.2', '132.6'),
      row('Diluted earnings per share', '', ''),
      { ...row('Known', '1', '2'), parents: ['Read with it'] },
      row('', '204.9', '132.3'),
      paragraph('Notes.'),
      row('Other', '1'),
    ]);
    expect(units.map((unit) => unit.row?.parents)).toEqual([
      undefined,
      ['Basic earnings per share'],
      ['Basic earnings per share'],
      ['Basic earnings per share'],
      ['Read with it'],
      ['Diluted earnings per share'],
      undefined,
      undefined,
    ]);
  });

  test('a list in one paragraph or cell is quoted item by item', () => {
    expect(
      quotes(paragraph('Radio: • Do not power it yet • Install it at most 300 m away \uf0b7 Test it. Then go on.')),
    ).toEqual(['Radio:', '• Do not power it yet', '• Install it at most 300 m away', '\uf0b7 Test it.', 'Then go on.']);
    expect(quotes(paragraph('A product a•b has one dot.'))).toEqual(['A product a•b has one dot.']);
  });

  test('a row knows its header, but only within its table; headings and header rows are not quoted', () => {
    const units = unitsOf([
      { ...paragraph('Limits'), kind: 'heading' },
      { ...paragraph('City | Limit'), kind: 'row', cells: ['City', 'Limit'], header: true },
      { ...paragraph('Berlin | 145'), kind: 'row', cells: ['Berlin', '145'] },
      paragraph('In between.'),
      { ...paragraph('Ulm | 95'), kind: 'row', cells: ['Ulm', '95'] },
    ]);
    expect(units.map(({ text, heading, row }) => ({ text, heading, header: row?.header }))).toEqual([
      { text: 'Berlin | 145', heading: 'Limits', header: ['City', 'Limit'] },
      { text: 'In between.', heading: 'Limits', header: undefined },
      { text: 'Ulm | 95', heading: 'Limits', header: null },
    ]);
  });

  test('a header of several lines is one: years and units belong to the names above them', () => {
    const row = (...cells: string[]) => ({ ...paragraph(cells.join(' | ')), kind: 'row' as const, cells });
    const units = unitsOf([
      { ...row('', 'Years ended', ''), header: true },
      row('', '2019', '2018'),
      row('(in thousands)', '', '$'),
      row('Sales', '1,452.4', '1,146.2'),
      row('', '44.1', '56.7'),
      row('', 'net', 'net'),
    ]);
    expect(units.map(({ text }) => text)).toEqual(['Sales | 1,452.4 | 1,146.2', '| 44.1 | 56.7', '| net | net']);
    expect(units[0]?.row?.header).toEqual(['(in thousands)', 'Years ended 2019', '2018 $']);
    const founded = unitsOf([{ ...row('Plant', 'Founded'), header: true }, row('Ulm', '1984')]);
    expect(founded.map(({ text }) => text)).toEqual(['Ulm | 1984']);
  });

  test('what is too long is cut at a clause, and nothing of it is lost', () => {
    const clause = 'the goods are checked on arrival and every damage is written down';
    const text = `${Array.from({ length: 12 }, () => clause).join(', ')}.`;
    const pieces = quotes(paragraph(text));
    expect(pieces.slice(0, -1).every((piece) => piece.endsWith(','))).toBe(true);
    expect(pieces.join(' ')).toBe(text);
  });

  test('each is word for word its place in the text, short enough, in order, and together they are the whole text', () => {
    const piece = fc.oneof(
      fc.constantFrom('. ', '! ', '? ', ', ', '; ', '。', ' ', '\n', 'e.g. ', '.[12] ', ' [', '😀', '\ud83d'),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.string({ minLength: 50, maxLength: 400 }),
    );
    const texts = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    const kinds = fc.constantFrom<QuotableBlock['kind'][]>('paragraph', 'item', 'row', 'code');
    fc.assert(
      fc.property(texts, kinds, fc.nat(1000), (text, kind, start) => {
        const units = unitsOf([{ ...paragraph(text), kind, start }]);
        let end = start;
        for (const unit of units) {
          expect(unit.text).toBe(text.slice(unit.start - start, unit.end - start));
          expect(unit.text.length).toBeGreaterThan(0);
          expect(unit.text.length).toBeLessThanOrEqual(maxQuoteLength);
          expect(unit.start).toBeGreaterThanOrEqual(end);
          end = unit.end;
          expect(splitsCharacter(text, unit.start - start)).toBe(false);
          expect(splitsCharacter(text, unit.end - start)).toBe(false);
        }
        expect(
          units
            .map((unit) => unit.text)
            .join('')
            .replace(/\s/g, ''),
        ).toBe(text.replace(/\s/g, ''));
      }),
    );
  });
});

function quotes(block: QuotableBlock): string[] {
  return unitsOf([block]).map(({ text }) => text);
}

function paragraph(text: string): QuotableBlock {
  return { kind: 'paragraph', text, index: 0, start: 0, page: null, cells: null, header: false };
}

function splitsCharacter(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}
