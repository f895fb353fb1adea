import type { TextItem } from '@llamaindex/liteparse';
import { describe, expect, test } from 'vitest';
import { hasThousandsApart, isDate, isFigure, linesOf } from './pdf-lines.ts';
import { TablesOverPages } from './pdf-table-pages.ts';
import { findTables, rowsWithFigures } from './pdf-tables.ts';

/** Text at a place; a figure ends there. */
type Put = [x: number, text: string];

const width = (text: string) => text.length * 5;

/** A page of lines, 16 points apart or at the given heights. */
function page(lines: (Put[] | [top: number, ...Put[]])[]): TextItem[] {
  return lines.flatMap((line, i) => {
    const [first, ...rest] = line;
    const top = typeof first === 'number' ? first : 50 + i * 16;
    const puts = (typeof first === 'number' ? rest : line) as Put[];
    return puts.map(([x, text]) => ({
      text,
      x: isFigure(text) ? x - width(text) : x,
      y: top,
      width: width(text),
      height: 11,
      words: [],
    }));
  });
}

const tablesOf = (...lines: Parameters<typeof page>[0]) => findTables(linesOf(page(lines)));
const rowsOf = (...lines: Parameters<typeof page>[0]) =>
  tablesOf(...lines).flatMap(({ rows }) => rows.filter(({ header }) => !header).map(({ cells }) => cells));

describe('tables of a page', () => {
  test('rows with their figures, brackets and fillers, under heads of two lines; the caption and the unit', () => {
    const [table] = tablesOf(
      [[50, 'Consolidated balance sheets']],
      [[50, '(in thousands)']],
      [[282, 'Years ended June 30']],
      [
        [280, '2024'],
        [360, '2023'],
      ],
      [
        [50, 'Cash'],
        [300, '1,204'],
        [380, '980'],
      ],
      [
        [50, 'Loss from sales'],
        [300, '(44)'],
        [380, '—'],
      ],
    );
    expect(table).toMatchObject({
      caption: 'Consolidated balance sheets – (in thousands)',
      unit: 'in thousands',
      columns: ['', 'Years ended June 30 2024', 'Years ended June 30 2023'],
    });
    expect(table?.rows.filter(({ header }) => !header).map(({ cells }) => cells)).toEqual([
      ['Cash', '1,204', '980'],
      ['Loss from sales', '(44)', '—'],
    ]);
  });

  test('items that stand further right are below the label above them, until the next one', () => {
    const [table] = tablesOf(
      [[275, '2024']],
      [[50, 'Income']],
      [
        [65, 'Fees'],
        [300, '10'],
      ],
      [
        [65, 'Total income'],
        [300, '10'],
      ],
      [[50, 'Expenses']],
      [
        [65, 'Fees'],
        [300, '7'],
      ],
    );
    const rows = table?.rows.filter(({ header }) => !header).map(({ cells, parents }) => [...parents, cells[0]]);
    expect(rows).toEqual([
      ['Income'],
      ['Income', 'Fees'],
      ['Income', 'Total income'],
      ['Expenses'],
      ['Expenses', 'Fees'],
    ]);
  });

  test('a label over two lines is one, and two labels are never one row', () => {
    expect(
      rowsOf(
        [50, [50, 'Income from other investments and'], [400, '12']],
        [62, [50, 'other interest']],
        [90, [50, 'Salaries of the staff'], [400, '80']],
        [106, [50, 'Rent'], [400, '9']],
      ),
    ).toEqual([
      ['Income from other investments and other interest', '12'],
      ['Salaries of the staff', '80'],
      ['Rent', '9'],
    ]);
  });

  test('figures in the middle of a label of two lines are its', () => {
    expect(
      rowsOf(
        [50, [50, 'Example Petroleum']],
        [56, [300, '384'], [400, '382']],
        [61, [50, 'Corporation']],
        [80, [50, 'Other'], [300, '1'], [400, '2']],
        [96, [50, 'More'], [300, '3'], [400, '4']],
      )[0],
    ).toEqual(['Example Petroleum Corporation', '384', '382']);
  });

  test('two tables beside each other are two', () => {
    const left = ['Fees', 'Grants', 'Sales', 'Other'];
    const right = ['Staff', 'Rent', 'Travel', 'Tax'];
    const tables = tablesOf(
      ...left.flatMap((label, i): [number, ...Put[]][] => [
        [50 + i * 20, [50, label], [200, `${i + 1}0`]],
        [58 + i * 20, [300, right[i] ?? ''], [450, `${i + 5}0`]],
      ]),
    );
    expect(tables.map(({ rows }) => rows.map(({ cells }) => cells.join(' ')))).toEqual([
      ['Fees 10', 'Grants 20', 'Sales 30', 'Other 40'],
      ['Staff 50', 'Rent 60', 'Travel 70', 'Tax 80'],
    ]);
  });

  test('two tables beside each other repeat no rows of the two above them', () => {
    const pair = (top: number, left: string[], right: string[]) =>
      left.flatMap((label, i): [number, ...Put[]][] => [
        [top + i * 20, [50, label], [200, `${i + 1}0`]],
        [top + 8 + i * 20, [300, right[i] ?? ''], [450, `${i + 5}0`]],
      ]);
    const tables = tablesOf(
      ...pair(50, ['Fees', 'Grants', 'Sales'], ['Staff', 'Rent', 'Travel']),
      ...pair(260, ['Land', 'Halls', 'Cars'], ['Loans', 'Bills', 'Leave']),
    );
    expect(tables.map(({ rows }) => rows.map(({ cells }) => cells[0]))).toEqual([
      ['Fees', 'Grants', 'Sales'],
      ['Staff', 'Rent', 'Travel'],
      ['Land', 'Halls', 'Cars'],
      ['Loans', 'Bills', 'Leave'],
    ]);
  });

  test('prose beside figures is no table, and neither are figures without labels', () => {
    expect(
      tablesOf(
        [
          [50, 'our members gave more than in the year'],
          [400, '2022'],
        ],
        [
          [50, 'before, which was a good one for all who'],
          [400, '46%'],
        ],
        [
          [50, 'work here and for those who want to join'],
          [400, '36%'],
        ],
        [
          [50, 'us in the next years of our work and life'],
          [400, '70%'],
        ],
      ),
    ).toEqual([]);
    expect(
      tablesOf(
        [
          [100, '10'],
          [200, '20'],
        ],
        [
          [100, '11'],
          [200, '21'],
        ],
        [
          [100, '12'],
          [200, '22'],
        ],
      ),
    ).toEqual([]);
  });

  test('a currency sign belongs to its figure however far it stands from it', () => {
    const cash: Put[] = [
      [50, 'Cash'],
      [200, '$'],
      [300, '1,204'],
    ];
    expect(
      rowsOf(cash, [
        [50, 'Debt'],
        [300, '980'],
      ])[0],
    ).toEqual(['Cash', '$ 1,204']);
  });

  test('one that stands apart behind a figure, and in one piece with it, is that of the next column', () => {
    const items = page([
      [
        [50, 'Cash'],
        [300, '1,204'],
        [380, '980'],
      ],
      [
        [50, 'Net assets'],
        [252, '$'],
        [300, '(973)'],
        [380, '747'],
      ],
    ]);
    const words = [
      { text: '(973)', x: 275, y: 66, width: 25, height: 11 },
      { text: '$', x: 308, y: 66, width: 5, height: 11 },
    ];
    const read = items.map((item) =>
      item.text === '(973)' ? { ...item, text: '(973) $', x: 275, width: 38, words } : item,
    );
    const [table] = findTables(linesOf(read));
    expect(table?.rows.map(({ cells }) => cells)).toEqual([
      ['Cash', '1,204', '980'],
      ['Net assets', '$ (973)', '$ 747'],
    ]);
  });
});

describe('figures whose thousands a blank parts', () => {
  /** A figure in pieces, three points between them; the last one ends at the place. */
  const apart = (right: number, text: string): Put[] => {
    const pieces = text.split(' ');
    return pieces.map((piece, i) => [
      right - pieces.slice(i + 1).reduce((sum, next) => sum + width(next) + 3, 0),
      piece,
    ]);
  };

  test('are one each, and what stands further apart is two', () => {
    expect(
      rowsOf(
        [
          [295, '2011'],
          [375, '2010'],
        ],
        [[50, 'Project expenses'], ...apart(300, '(1 996 959)'), ...apart(380, '(689 026)')],
        [[50, 'Bank balance and cash'], ...apart(300, '3 022 148'), ...apart(380, '731 408')],
        [
          [50, 'Investments'],
          [290, '12'],
          [380, '204'],
        ],
      ),
    ).toEqual([
      ['Project expenses', '(1 996 959)', '(689 026)'],
      ['Bank balance and cash', '3 022 148', '731 408'],
      ['Investments', '12', '204'],
    ]);
  });

  test('are no two figures in one cell', () => {
    expect(rowsWithFigures([['Fixed assets', '20 413', '(24 396)']])).toBe(1);
    expect(rowsWithFigures([['Fixed assets', '20,413 24,396']])).toBe(0);
  });

  test.each([
    ['3 022 148', true],
    ['(10 349)', true],
    ['23 657', true],
    ['1,204 980', false],
    ['2011 2010', false],
    ['980', false],
  ])('a single one: %s, %s', (text, isOne) => expect(hasThousandsApart(text)).toBe(isOne));
});

test.each(['1,234.50', '(12)', '$ 8,949', '2.339.176 €', '-5,406.05', '12 %', '0', '1 234', '$(3.1)', '5*'])(
  'a figure: %s',
  (text) => expect(isFigure(text)).toBe(true),
);
test.each(['2024', '31.12.2017', 'FY2019', 'Note 3', '31 of 45', 'A.6.1.2', '3.1.4 Separate', '—', ''])(
  'no figure: %s',
  (text) => expect(isFigure(text)).toBe(false),
);
test.each(['2024', '31.12.2017', 'FY2019', 'FY19', 'Q4 2021', '2019/20', '2019–2020'])('a date: %s', (text) =>
  expect(isDate(text)).toBe(true),
);

describe('a table that goes on upon the next page', () => {
  const heads: Put[] = [
    [275, '2024'],
    [355, '2023'],
  ];
  const rows: Put[][] = ['Salaries', 'Travel', 'Rent', 'Licences', 'Fees', 'Taxes'].map((label, i) => [
    [50, label],
    [300, `1,20${i}`],
    [380, `98${i}`],
  ]);
  const size = { width: 420, height: 250 };
  const over = (first: (typeof rows)[], second: (typeof rows)[]) => {
    const pages = new TablesOverPages();
    const [before, after] = [first, second].map((lines) => tablesOf(...lines.flat()));
    pages.goOn(before ?? [], { pageNum: 3, ...size });
    pages.goOn(after ?? [], { pageNum: 4, ...size });
    return after?.[0];
  };

  test('has the caption of its beginning, also where it repeats the heads', () => {
    const begins = [[[[50, 'Workshops (in thousands)']] as Put[], heads], rows] as (typeof rows)[];
    const expected = { caption: 'Workshops (in thousands)', unit: 'in thousands', columns: ['', '2024', '2023'] };
    expect(over(begins, [[heads], rows])).toMatchObject(expected);
    expect(over(begins, [rows])).toMatchObject(expected);
  });

  test('goes on right below on its own page, too', () => {
    const [first, ...others] = tablesOf(heads, ...rows);
    const [below] = tablesOf(...rows);
    if (!first || !below || others.length > 0) throw new Error('no tables');
    const moved = (by: number) => ({ ...below, columns: [], top: first.bottom + by, bottom: first.bottom + by + 90 });
    const [near, far] = [moved(10), moved(60)];
    new TablesOverPages().goOn([near, first], { pageNum: 1, ...size });
    new TablesOverPages().goOn([first, far], { pageNum: 1, ...size });
    expect([near.columns, far.columns]).toEqual([first.columns, []]);
  });

  test('a table with a caption or heads of its own is another one, and so is one after the end of the first', () => {
    const begins = [[[[50, 'Workshops']] as Put[], heads], rows] as (typeof rows)[];
    expect(over(begins, [[[[50, 'Fundraising']], heads], rows])?.caption).toBe('Fundraising');
    const other: Put[] = [
      [275, '2022'],
      [355, '2021'],
    ];
    expect(over(begins, [[other], rows])?.caption).toBeUndefined();
    const pages = new TablesOverPages();
    const [before, after] = [begins, [[heads], rows]].map((lines) => tablesOf(...lines.flat()));
    pages.goOn(before ?? [], { pageNum: 3, width: 420, height: 800 });
    pages.goOn(after ?? [], { pageNum: 4, width: 420, height: 800 });
    expect(after?.[0]?.caption).toBeUndefined();
  });
});
