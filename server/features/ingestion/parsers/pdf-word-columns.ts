import type { Line, Segment } from './pdf-lines.ts';

/** Lines in which something begins where a column does. */
const minBegun = 3;
/** Points by which what begins in one column may stand apart. */
export const sameStart = 3;
/** Of the height of a line: what is free before a column. */
const gutter = 0.7;
/** Of the height of a line: a gap that is so much wider than the usual one parts two rows; */
export const wider = 0.3;
/** a still wider one ends the table. */
const widestGap = 6;

/** Lines of a page in which the same columns begin. */
export interface Region {
  /** Where its columns begin, the labels' first. */
  starts: number[];
  lines: Line[];
}

/** The longest run of lines that one column of words parts. */
export function regionOf(lines: readonly Line[]): Region | null {
  const begun = lines.flatMap(({ segments }) => segments.slice(1).map(({ left }) => left)).sort((a, b) => a - b);
  const starts: number[] = [];
  for (const [i, left] of begun.entries()) {
    if (left - (starts.at(-1) ?? Number.NEGATIVE_INFINITY) <= sameStart) continue;
    if ((begun[i + minBegun - 1] ?? Number.POSITIVE_INFINITY) - left <= sameStart) starts.push(left);
  }
  let best: Line[] = [];
  for (const start of starts) {
    for (const run of runsParted(lines, start)) {
      if (run.length > best.length) best = run;
    }
  }
  return best.length === 0 ? null : { starts: startsIn(best), lines: best };
}

/** Runs of lines of which nothing reaches over the beginning of a column; in some of each something begins there. */
function runsParted(lines: readonly Line[], start: number): Line[][] {
  const runs: Line[][] = [];
  let run: Line[] = [];
  const close = () => {
    // It begins and ends with a line that has something behind the labels.
    const isOnlyLabel = (line: Line | undefined) => line?.segments.every(({ left }) => left < start - 1);
    while (run.length > 0 && isOnlyLabel(run.at(-1)) && !isTight(run.at(-2), run.at(-1))) run.pop();
    while (run.length > 0 && isOnlyLabel(run[0])) run.shift();
    const both = run.filter(
      ({ segments }) => segments.some(({ right }) => right < start) && segments.some((each) => isAt(each, start)),
    );
    if (both.length >= minBegun) runs.push(run);
    run = [];
  };
  for (const line of lines) {
    const height = line.bottom - line.top;
    const isParted = line.segments.every(({ left, right }) => left >= start - 1 || right < start - height * gutter);
    const last = run.at(-1);
    if (!isParted || (last && line.top - last.bottom > height * widestGap)) close();
    if (isParted) run.push(line);
  }
  close();
  return runs;
}

/** The second line of a label is no line of its own. */
function isTight(above: Line | undefined, line: Line | undefined): boolean {
  return above !== undefined && line !== undefined && line.top - above.bottom < (line.bottom - line.top) * wider;
}

function isAt({ left }: Segment, start: number): boolean {
  return Math.abs(left - start) <= sameStart;
}

/** Where the columns of lines begin: at places where several do, and that nothing reaches over. */
function startsIn(lines: readonly Line[]): number[] {
  const all = lines.flatMap(({ segments }) => segments);
  const lefts = all.map(({ left }) => left).sort((a, b) => a - b);
  const starts = [lefts[0] ?? 0];
  for (const [i, left] of lefts.entries()) {
    const isUsual = (lefts[i + minBegun - 1] ?? Number.POSITIVE_INFINITY) - left <= sameStart;
    if (!isUsual || left - (starts.at(-1) ?? 0) <= sameStart) continue;
    if (all.every((each) => each.left >= left - 1 || each.right < left - (each.bottom - each.top) * gutter * 0.5))
      starts.push(left);
  }
  return starts;
}
