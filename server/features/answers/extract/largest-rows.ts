import type { Unit } from './unit.ts';

/** A figure without its sign, currency and unit; a percentage is none, nor is a date. */
const figure = /\d[\d.,'’ \u00a0]*/u;
const percentage = /%/;
const date = /(?<!\d)(?:\d{1,2}[./-]\d{1,2}[./-](?:\d{2}|\d{4})|\d{4}-\d\d-\d\d)(?!\d)/;

/**
 * Of rows with the same label on several pages of a document, those with the largest amount: a report has the same rows
 * for each of its parts, and who names no part means the whole.
 */
export function largestRows(rated: readonly { passage: { documentId: string }; unit: Unit }[]): Set<Unit> {
  const groups = new Map<string, { unit: Unit; amount: number }[]>();
  for (const { passage, unit } of rated) {
    // Rows of a sheet with the same label are records, and none of them is the whole.
    if (!unit.row || unit.page === null) continue;
    const [label = '', ...cells] = unit.row.cells.filter((cell) => cell.trim() !== '');
    const key = `${passage.documentId} ${label.toLowerCase().replace(/\s+/g, ' ').trim()}`;
    const amount = Math.max(0, ...cells.map(amountOf));
    groups.set(key, [...(groups.get(key) ?? []), { unit, amount }]);
  }
  const largest = new Set<Unit>();
  for (const group of groups.values()) {
    const most = Math.max(...group.map(({ amount }) => amount));
    const isAmongPages = new Set(group.map(({ unit }) => unit.page)).size > 1;
    if (!isAmongPages || group.every(({ amount }) => amount === most)) continue;
    for (const { unit, amount } of group) if (amount === most) largest.add(unit);
  }
  return largest;
}

function amountOf(cell: string): number {
  if (percentage.test(cell) || date.test(cell)) return 0;
  const written = figure.exec(cell)?.[0].trim() ?? '';
  // One or two digits behind the last point or comma are cents; all others part thousands.
  const [, whole = written, cents = '0'] = /^(.*)[.,](\d{1,2})$/u.exec(written) ?? [];
  return Number(`${whole.replace(/\D/gu, '')}.${cents}`) || 0;
}
