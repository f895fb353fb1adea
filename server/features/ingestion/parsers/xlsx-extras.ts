import type { Block } from '../document.ts';
import { graphicBlocks, type OfficePackage, paragraphTexts, type Relation } from './opc.ts';
import type { SheetRow } from './sheet-row.ts';
import { attribute, descend, elementsOf, findAll, textIn } from './xml.ts';

/** What a workbook says beside its cells. */
export interface SheetExtras {
  name: string;
  /** Name of the part with its cells. */
  part: string | undefined;
  /** A sheet that is only a chart has no rows. */
  isChart: boolean;
  isHidden: boolean;
  merges: Merge[];
  /** Comments, text boxes, and the chart of a sheet that is only one. */
  blocks: Block[];
}

/** A cell that stands for several rows or columns. Rows and columns are 0-based, ends are included. */
export interface Merge {
  column: number;
  lastColumn: number;
  firstRow: number;
  lastRow: number;
}

/** A longer sheet is searched for merged cells neither fast nor within the memory. */
const maxSheetBytes = 32 * 1024 * 1024;

export async function readExtras(office: OfficePackage): Promise<SheetExtras[]> {
  const { name: workbook, root } = await office.main();
  const relations = await office.relations(workbook);
  const people = await peopleOf(office, relations);
  const sheets: SheetExtras[] = [];
  for (const sheet of elementsOf(descend(root, 'sheets'), 'sheet')) {
    const relation = relations.find(({ id }) => id === attribute(sheet, 'r:id'));
    const isChart = relation?.type === 'chartsheet';
    sheets.push({
      name: attribute(sheet, 'name') ?? '',
      part: relation?.target,
      isChart,
      isHidden: /hidden/i.test(attribute(sheet, 'state') ?? ''),
      merges: relation && !isChart ? await mergesOf(office, relation.target) : [],
      blocks: relation ? await blocksBeside(office, { sheet: relation.target, isChart, people }) : [],
    });
  }
  return sheets;
}

/** Rows with the text of a merged cell in each row that it stands for. */
export function* fillMerges(rows: Iterable<SheetRow>, merges: readonly Merge[]): Generator<SheetRow> {
  const coming = merges.toSorted((a, b) => b.firstRow - a.firstRow);
  let open: (Merge & { text: string })[] = [];
  for (const row of rows) {
    const cells = [...row.cells];
    const spans = new Map<number, number>();
    open = open.filter(({ lastRow }) => lastRow >= row.index);
    for (const { column, text } of open) {
      while (cells.length < column) cells.push('');
      if (!cells[column]) cells[column] = text;
    }
    for (let next = coming.at(-1); next && next.firstRow <= row.index; next = coming.at(-1)) {
      coming.pop();
      if (next.firstRow === row.index && next.lastColumn > next.column) spans.set(next.column, next.lastColumn);
      if (next.lastRow === next.firstRow) continue;
      const text = next.firstRow === row.index ? (cells[next.column] ?? '') : '';
      if (text !== '') open.push({ ...next, text });
    }
    yield { index: row.index, cells, ...(spans.size > 0 && { spans }) };
  }
}

/** Found as text: a tree of a sheet takes many times its memory. */
async function mergesOf(office: OfficePackage, sheet: string): Promise<Merge[]> {
  const bytes = await office.bytes(sheet);
  if (!bytes || bytes.length > maxSheetBytes) return [];
  const start = bytes.lastIndexOf('mergeCells>') === -1 ? -1 : bytes.indexOf('<mergeCell ');
  if (start === -1) return [];
  const merges: Merge[] = [];
  const text = bytes.subarray(start, start + 512 * 1024).toString('latin1');
  for (const [, column = '', first, lastColumn = '', last] of text.matchAll(
    /<mergeCell ref="([A-Z]{1,3})(\d+):([A-Z]{1,3})(\d+)"/g,
  )) {
    merges.push({
      column: columnIndex(column),
      lastColumn: columnIndex(lastColumn),
      firstRow: Number(first) - 1,
      lastRow: Number(last) - 1,
    });
  }
  return merges;
}

async function blocksBeside(
  office: OfficePackage,
  { sheet, isChart, people }: { sheet: string; isChart: boolean; people: ReadonlyMap<string, string> },
): Promise<Block[]> {
  const relations = await office.relations(sheet);
  // Newer comments are kept a second time in the older form, with a notice for older programs.
  const threaded = relations.filter(({ type }) => type === 'threadedComment');
  const comments = threaded.length > 0 ? threaded : relations.filter(({ type }) => type === 'comments');
  const blocks: Block[] = [];
  for (const { target } of comments) {
    const root = await office.part(target);
    const authors = findAll(root ?? undefined, 'author').map(textIn);
    for (const comment of [
      ...findAll(root ?? undefined, 'comment'),
      ...findAll(root ?? undefined, 'threadedComment'),
    ]) {
      const author =
        people.get(attribute(comment, 'personId') ?? '') ?? authors[Number(attribute(comment, 'authorId') ?? -1)];
      const text = findAll(comment, 't').map(textIn).join('') || textIn(descend(comment, 'text'));
      const where = [attribute(comment, 'ref'), author].filter(Boolean).join(', ');
      if (text.trim() !== '') blocks.push({ kind: 'paragraph', text: `Comment (${where}): ${text}` });
    }
  }
  for (const { target } of relations.filter(({ type }) => type === 'drawing')) {
    const root = await office.part(target);
    if (!root) continue;
    for (const body of findAll(root, 'txBody'))
      for (const text of paragraphTexts(body)) blocks.push({ kind: 'paragraph', text });
    // A chart beside its numbers would only repeat them.
    if (isChart) blocks.push(...(await graphicBlocks(office, root, await office.relations(target))));
  }
  return blocks.filter(({ text }) => text.trim() !== '');
}

async function peopleOf(office: OfficePackage, relations: readonly Relation[]): Promise<Map<string, string>> {
  const target = relations.find(({ type }) => type === 'person')?.target;
  const root = target === undefined ? null : await office.part(target);
  return new Map(
    findAll(root ?? undefined, 'person').map((person) => [
      attribute(person, 'id') ?? '',
      attribute(person, 'displayName') ?? '',
    ]),
  );
}

function columnIndex(letters: string): number {
  return [...letters].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
