/**
 * Ways to read the tables of PDFs, on the questions of ../shared/data/realpdf that are about a row: how many of those
 * rows come out whole.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LiteParse } from '@llamaindex/liteparse';
import { linesOf } from '#server/features/ingestion/parsers/pdf-lines.ts';
import { openPdfText } from '#server/features/ingestion/parsers/pdf-text.ts';
import { parsePatiently } from '#server/features/ingestion/sandbox/patiently.ts';
import { createSandbox, type Sandbox } from '#server/features/ingestion/sandbox/sandbox.ts';

const folder = '../shared/data/realpdf';

/** A row as one of them has it, with the name of each column where it knows any. */
interface FoundRow {
  cells: string[];
  columns: string[];
}
/** The rows of each page, 1-based. */
type Reader = (path: string) => Promise<Map<number, FoundRow[]>>;

interface Asked {
  doc: string;
  pages: number[];
  row: string | null;
  answers: string[];
}

export async function compareTables(): Promise<string[]> {
  if (!existsSync(folder)) return ['The files are not here.'];
  const sandbox = await createSandbox({ log: { warn() {} }, ocrLanguages: [] });
  const readers: Record<string, Reader> = {
    ours: (path) => ours(path, sandbox),
    'layout reader (liteparse)': layoutReader,
    'lines of pdf.js, cut at gaps': lines,
  };
  const counts = new Map(Object.keys(readers).map((name) => [name, { whole: 0, named: 0, ms: 0 }]));
  let all = 0;
  let tagged = 0;
  let documents = 0;
  for (const set of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const asked: Asked[] = readFileSync(join(folder, set.name, 'questions.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const ofRows = Map.groupBy(
      asked.filter(({ row }) => row),
      ({ doc }) => doc,
    );
    for (const [doc, questions] of ofRows) {
      const path = join(folder, set.name, 'pdf', doc);
      documents++;
      if (await hasTree(path)) tagged++;
      for (const [name, read] of Object.entries(readers)) {
        const started = performance.now();
        const pages = await read(path).catch(() => new Map<number, FoundRow[]>());
        const sum = counts.get(name);
        if (!sum) continue;
        sum.ms += performance.now() - started;
        for (const question of questions) {
          const found = question.pages.flatMap((page) =>
            (pages.get(page) ?? []).filter((row) => isWhole(row, question)),
          );
          if (found.length > 0) sum.whole++;
          if (found.some((row) => isNamed(row, question))) sum.named++;
        }
      }
      all += questions.length;
    }
  }
  await sandbox.close();
  return [
    `${all} rows in ${documents} documents, of which ${tagged} have a structure tree with tables.`,
    '',
    '| | rows whole | with the name of their column | time |',
    '|---|---|---|---|',
    ...[...counts].map(
      ([name, { whole, named, ms }]) => `| ${name} | ${whole} | ${named} | ${(ms / 1000).toFixed(1)} s |`,
    ),
  ];
}

const plain = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();

/** Label and value in one row, each in a cell with nothing of another row's: no second figure beside it. */
function isWhole({ cells, columns }: FoundRow, { row, answers }: Asked): boolean {
  const label = plain(row ?? '');
  const value = plain(answers[0] ?? '');
  const figures = (cell: string) => cell.split(' ').filter((word) => /^[-($€]*\d[\d.,]*[)%€]*$/.test(word)).length;
  const withValue = cells.findIndex((cell) => plain(cell).includes(value));
  if (withValue === -1) return false;
  if (!plain(cells.join(' ')).includes(label) && !plain(columns[withValue] ?? '').includes(label)) return false;
  const isFigure = /^[-$€(]*\d[\d.,]*[)\s€%]*$/.test(value);
  return cells.length > 1 && (!isFigure || figures(plain(cells[withValue] ?? '')) <= 1);
}

function isNamed({ cells, columns }: FoundRow, { answers }: Asked): boolean {
  const at = cells.findIndex((cell) => plain(cell).includes(plain(answers[0] ?? '')));
  return (columns[at] ?? '').trim() !== '';
}

async function ours(path: string, sandbox: Sandbox): ReturnType<Reader> {
  const { blocks } = await parsePatiently(sandbox, { path, format: 'pdf' });
  const pages = new Map<number, FoundRow[]>();
  let columns: string[] = [];
  for (const [i, block] of blocks.entries()) {
    if (block.kind !== 'row' || blocks[i - 1]?.kind !== 'row' || block.header) columns = block.table?.columns ?? [];
    if (block.table) columns = block.table.columns;
    else if (block.header && columns.length === 0) columns = block.cells ?? [];
    if (block.kind !== 'row' || block.header) continue;
    add(pages, block.page ?? 0, { cells: block.cells ?? [], columns });
  }
  return pages;
}

async function layoutReader(path: string): ReturnType<Reader> {
  const { pages } = await new LiteParse({
    outputFormat: 'markdown',
    ocrEnabled: false,
    imageMode: 'off',
    extractBlocks: true,
    quiet: true,
  }).parse(path);
  const found = new Map<number, FoundRow[]>();
  for (const page of pages) {
    for (const block of page.blocks ?? []) {
      const columns = (block.header ?? []).map(({ text }) => text);
      for (const row of block.rows ?? []) add(found, page.pageNum, { cells: row.map(({ text }) => text), columns });
    }
  }
  return found;
}

/** What the "stream" methods of camelot and pdfplumber begin with: each line a row, each wide gap the end of a cell. */
async function lines(path: string): ReturnType<Reader> {
  const text = await openPdfText(path);
  const found = new Map<number, FoundRow[]>();
  for (let page = 1; page <= text.pages; page++) {
    const { textItems } = await text.layout(page);
    for (const { segments } of linesOf(textItems)) {
      add(found, page, { cells: segments.map((each) => each.text), columns: [] });
    }
  }
  await text.close();
  return found;
}

async function hasTree(path: string): Promise<boolean> {
  const { pages } = await new LiteParse({ ocrEnabled: false, extractStructureTree: true, quiet: true }).parse(path);
  return pages.some(({ structureTree }) => /"type":"T(able|R|D)"/i.test(JSON.stringify(structureTree ?? {})));
}

function add(pages: Map<number, FoundRow[]>, page: number, row: FoundRow): void {
  const rows = pages.get(page);
  if (rows) rows.push(row);
  else pages.set(page, [row]);
}
