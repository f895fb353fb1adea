import { expect, test } from 'vitest';
import { analyze } from './analyze.ts';
import { foldPeriods, yearsIn } from './periods.ts';

test('years, quarters and halves are the same terms however they are written', () => {
  const same = [
    [
      'revenue 2018',
      'revenue FY2018',
      'revenue FY18',
      "revenue FY '18",
      'revenue CY2018',
      'revenue 2018FY',
      'revenue FY2018A',
    ],
    ['fiscal 2022', 'fiscal 22'],
    ['q2 2023', '2023Q2', 'Q2 2023', '2Q23', 'Q2 of FY2023', "Q2'23", 'FY23 Q2'],
    ['h1 2021', '1H21', 'H1 2021', '2021H1'],
    ['the last quarter of 2021', 'the fourth quarter of 2021', 'the 4th quarter of FY21'],
    ['Quartal q2 2020', 'zweites Quartal 2020', '2. Quartal 2020'],
    ['half of h2 2021', 'second half of 2021'],
    ['2016 2017', '2016/17', 'FY2016-17'],
  ];
  for (const [plain = '', ...others] of same)
    for (const other of others) expect([...analyze(other)].sort(), other).toEqual([...analyze(plain)].sort());
});

test('the months from the first to the last of a quarter are that quarter, too', () => {
  const texts = {
    'Jan - Mar, 2021': 'q1',
    'April to June 2022': 'q2',
    'juillet à septembre 2020': 'q3',
    'Oktober bis Dezember 2019': 'q4',
    'octubre – diciembre 2019': 'q4',
  };
  for (const [text, quarter] of Object.entries(texts)) {
    const [plain, folded] = [analyze(text.replace(/\d{4}/, '')), analyze(text)];
    expect(folded, text).toEqual(expect.arrayContaining([quarter, ...plain]));
  }
  for (const text of ['Jan - Dec 2021', 'Feb - Apr 2021', 'January 2021']) expect(foldPeriods(text)).toBe(text);
});

test('what is no period stays as it is', () => {
  const texts = [
    'half of it',
    '2016-12-22',
    'Q3 results',
    'page 12Q',
    'FYI',
    'a quarter of the staff',
    'ISO 9001:2015',
  ];
  for (const text of texts) expect(foldPeriods(text).replace(/\s+/g, ' ').trim(), text).toBe(text);
});

test('years are known in any form', () => {
  expect([...yearsIn('from FY22 to 2Q23, not 2024.5 or 12020')].sort()).toEqual(['2022', '2023']);
  expect([...yearsIn('In 06/2021, see https://example.org/blog/2019/02/plans or www.example.org/2018')]).toEqual([
    '2021',
  ]);
});
