import { expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { partsOf } from './months.ts';

const dayMs = 86_400_000;
const dayOf = (nth: number) => new Date(Date.UTC(2024, 0, 1) + nth * dayMs).toISOString().slice(0, 10);
const daysFrom = (first: string, last: string) =>
  Array.from({ length: (Date.parse(last) - Date.parse(first)) / dayMs + 1 }, (_, i) =>
    new Date(Date.parse(first) + i * dayMs).toISOString().slice(0, 10),
  );

test('months that are summed up and runs of days have each day of a range once', () => {
  const open = fc.uniqueArray(fc.integer({ min: 0, max: 11 }).map((nth) => dayOf(nth * 31).slice(0, 7)));
  fc.assert(
    fc.property(fc.nat(365), fc.nat(365), open, (one, other, openMonths) => {
      const from = dayOf(Math.min(one, other));
      const to = dayOf(Math.max(one, other));
      const { months, runs } = partsOf({ from, to }, new Set(openMonths.map((month) => `${month}-01`)));
      const ofMonths = months.flatMap((month) =>
        daysFrom(dayOf(0), dayOf(400)).filter((day) => day.startsWith(month.slice(0, 7))),
      );
      const all = [...ofMonths, ...runs.flatMap(([first, last]) => daysFrom(first, last))];
      expect(all.toSorted()).toEqual(daysFrom(from, to));
      expect(months.filter((month) => openMonths.includes(month.slice(0, 7)))).toEqual([]);
    }),
  );
});

test('a year has its months, and the days before and after them in one run each', () => {
  const { months, runs } = partsOf({ from: '2025-01-31', to: '2026-01-30' }, new Set());
  expect([months.length, months[0], months.at(-1)]).toEqual([11, '2025-02-01', '2025-12-01']);
  expect(runs).toEqual([
    ['2025-01-31', '2025-01-31'],
    ['2026-01-01', '2026-01-30'],
  ]);
});
