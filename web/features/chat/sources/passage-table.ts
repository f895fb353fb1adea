/** How much of a table stands for a passage: what it is about can be seen, and the passage is one click away. */
const max = { rows: 3, cells: 5, cell: 40 };

/** The words before the first table in a passage's text, and how that table begins. */
export interface PassageTable {
  before: string;
  rows: string[][];
}

/**
 * Finds a table in the text of a passage, where each row is a line with bars between its cells.
 * @returns null where no two such lines follow each other
 */
export function tableIn(text: string): PassageTable | null {
  const lines = text.split('\n').map(cellsOf);
  const begins = lines.findIndex((cells, at) => cells.length > 1 && cells.length === lines[at + 1]?.length);
  if (begins < 0) return null;
  const end = lines.findIndex((cells, at) => at > begins && cells.length !== lines[begins]?.length);
  const rows = lines.slice(begins, end < 0 ? undefined : end).slice(0, max.rows);
  const before = lines.slice(0, begins).map((cells) => cells.filter((cell) => cell !== '').join(' · '));
  return { before: before.join(' ').trim(), rows: rows.map((cells) => cells.slice(0, max.cells).map(shortened)) };
}

function cellsOf(line: string): string[] {
  // Of an empty cell at the beginning only its bar is left.
  const cells = line.split(/(?:^|\s)\|(?=\s|$)/).map((cell) => cell.trim());
  return cells.length > 1 ? cells : [line];
}

function shortened(cell: string): string {
  return cell.length <= max.cell ? cell : `${cell.slice(0, max.cell).replace(/\s\S*$/, '')} …`;
}
