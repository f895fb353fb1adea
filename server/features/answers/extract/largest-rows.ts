import type { Unit } from './unit.ts';

/** A figure without its sign, currency and unit; a percentage is none, nor is a date. */
const figure = /\d[\d.,'’ \u00a0]*/u;
/** But for a currency or unit of a few letters, no words. */
const isFigure = /^[^\p{L}\d]*(?:\p{L}{1,4}[^\p{L}\d]*)?\d[^\p{L}]*(?:\p{L}{1,10}\W*)?$/u;
const percentage = /%/;
const date = /(?<!\d)(?:\d{1,2}[./-]\d{1,2}[./-](?:\d{2}|\d{4})|\d{4}-\d\d-\d\d)(?!\d)/;

/**
 * Of rows with the same label on several pages of a document, those with the largest amount: a report has the same rows
 * for each of its parts, and who names no part means the whole.
 */
export function largestRows(rated: readonly { passage: { documentId: string }; unit: Unit }[]): Set<Unit> {
  const groups = new Map<string, Row[]>();
  for (const { passage, unit } of rated) {
    // Rows of a sheet with the same label are records, and none of them is the whole.
    if (!unit.row || unit.page === null) continue;
    const [label = '', ...cells] = unit.row.cells.filter((cell) => cell.trim() !== '');
    const amounts = cells.map(amountOf).filter((amount) => amount !== null);
    if (amounts.length === 0) continue;
    const key = `${passage.documentId} ${plain(label)}`;
    const parent = unit.row.parents?.at(-1);
    const row = { unit, amount: Math.max(...amounts), ...(parent !== undefined && { parent: plain(parent) }) };
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const largest = new Set<Unit>();
  for (const group of groups.values()) {
    for (const parent of new Set(group.map((row) => row.parent))) {
      const same = group.filter((row) => isBelow(row, parent));
      const most = Math.max(...same.map(({ amount }) => amount));
      const isAmongPages = new Set(same.map(({ unit }) => unit.page)).size > 1;
      if (!isAmongPages || same.every(({ amount }) => amount === most)) continue;
      for (const row of same) if (row.parent === parent && row.amount === most) largest.add(row.unit);
    }
  }
  return largest;
}

/** A row with an amount, and the label right above it that it stands below. */
interface Row {
  unit: Unit;
  amount: number;
  parent?: string;
}

/**
 * Whether a row may be of the same kind as those below a label: "Total" below "Assets" is not the one below
 * "Liabilities". On a table's further pages the label above is lost.
 */
function isBelow({ parent }: Row, label: string | undefined): boolean {
  return parent === undefined || label === undefined || parent === label;
}

function plain(label: string): string {
  return label.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Null: it is no amount; words with a number in them are none. */
function amountOf(cell: string): number | null {
  if (percentage.test(cell) || date.test(cell) || !isFigure.test(cell)) return null;
  const written = figure.exec(cell)?.[0].trim() ?? '';
  // One or two digits behind the last point or comma are cents; all others part thousands.
  const [, whole = written, cents = '0'] = /^(.*)[.,](\d{1,2})$/u.exec(written) ?? [];
  return Number(`${whole.replace(/\D/gu, '')}.${cents}`) || 0;
}
