import { expect, test } from 'vitest';
import { linesOfRows } from './pdf-wrapped-rows.ts';

const laws = [
  ['Law', 'What it does', 'Lands'],
  ['Mineral Materials', 'Regulates the sale and permitting of the', 'Federal onshore'],
  ['Act of 1947', 'most common hardrock minerals in place of', ''],
  ['(30 USC 601)', 'the General Mining Law of 1872.', ''],
  ['Submerged Lands', "Recognizes states' rights to the submerged", 'State offshore'],
  ['Act of 1953', 'lands within their boundaries.', ''],
];

test('lines of a sentence in one column are lines of one row', () => {
  expect(linesOfRows(laws)).toEqual([[0], [1, 2, 3], [4, 5]]);
});

test('after a word that leaves a sentence open it goes on with whatever comes', () => {
  expect(
    linesOfRows([
      ['Geothermal Steam', 'Allows the leasing of federal lands under'],
      ['Act of 1970', "BLM's administration for geothermal"],
      ['(30 USC 1001)', 'resource development.'],
    ]),
  ).toEqual([[0, 1, 2]]);
});

test.each([
  [
    'remarks with the same label',
    [
      ['5 - very useful', 'active community, awesome resources and many useful projects'],
      ['5 - very useful', 'more training for those who begin with the subject'],
    ],
  ],
  [
    'remarks in one column',
    [['active community, awesome resources and many useful projects'], ['more training for those who begin']],
  ],
  [
    'cells that end short of their column',
    [
      ['Good', 'Active community, awesome resources and many useful projects for all who begin'],
      ['Bad', 'Too few meetings here'],
      ['Odd', 'more training for all those who begin with the subject this year would be good'],
    ],
  ],
  [
    'rows of figures',
    [
      ['Sales of goods and of services', '1,204', '980'],
      ['of which abroad', '44', '12'],
    ],
  ],
  [
    'addresses and codes',
    [
      ['Stretch', 'deb https://linux.example stretch base 2.8-rtpreempt'],
      ['Wheezy', 'deb https://linux.example wheezy base 2.8-rt'],
    ],
  ],
  [
    'sentences that are whole',
    [
      ['Lost', 'Tell the office at once, and the police.'],
      ['Found', 'bring it to the office on the ground floor.'],
    ],
  ],
])('%s stay rows of their own', (_, rows) => {
  expect(linesOfRows(rows)).toEqual(rows.map((_row, i) => [i]));
});
