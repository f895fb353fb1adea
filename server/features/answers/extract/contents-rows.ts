import { bareYear } from '#server/lib/periods.ts';
import type { Unit } from './unit.ts';

/** A table of contents has so many entries at least; fewer rows with rising figures may be anything. */
const minEntries = 4;
/** The number of a page; a year is none. */
const pageNumber = /^\d{1,4}$/;

/**
 * The rows of a table of contents: each has a label and the number of a page, and the numbers rise from row to row.
 * They name what comes, and say nothing of it.
 */
export function contentsRows(units: readonly Unit[]): ReadonlySet<Unit> {
  const found = new Set<Unit>();
  let run: Unit[] = [];
  let last = 0;
  const close = () => {
    if (run.length >= minEntries) for (const unit of run) found.add(unit);
    run = [];
    last = 0;
  };
  for (const unit of units) {
    const page = pageOf(unit);
    if (page === null) {
      // A label without a number is a chapter's.
      if (!isLabelAlone(unit)) close();
      continue;
    }
    if (page < last) close();
    run.push(unit);
    last = page;
  }
  close();
  return found;
}

/** The number behind a label, of one or two cells, where the row has nothing else. */
function pageOf({ row }: Unit): number | null {
  const filled = row?.cells.filter((cell) => cell.trim() !== '') ?? [];
  const [label, number = ''] = [filled.slice(0, -1), filled.at(-1)];
  const isEntry = label.length <= 2 && label.some((cell) => /\p{L}/u.test(cell));
  return isEntry && pageNumber.test(number) && !bareYear.test(number) ? Number(number) : null;
}

function isLabelAlone({ row }: Unit): boolean {
  return row !== undefined && !/\d/.test(row.cells.slice(1).join(''));
}
