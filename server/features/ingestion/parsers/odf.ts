import { type Archive, withArchive } from '../archive.ts';
import type { Block } from '../document.ts';
import { gaps, ParseFailure } from '../reasons.ts';
import { type OpenDocument, storyBlocks } from './odf-body.ts';
import type { Parser, ParserLimits, Sink } from './parser.ts';
import { joinSentences } from './sentences.ts';
import { writeSheet } from './sheet.ts';
import type { SheetRow } from './sheet-row.ts';
import { tableBlocks } from './table.ts';
import { attribute, descend, elementsOf, findAll, parseXml, textIn, type XmlElement } from './xml.ts';

/** OpenDocument: texts with their headings, lists, tables, notes and comments; slides; the visible sheets. */
export const parseOdf: Parser = async ({ path, limits }, sink) => {
  await withArchive(path, limits, async (archive) => {
    const manifest = await archive.read('META-INF/manifest.xml');
    if (manifest?.includes('encryption-data')) throw ParseFailure.of('password');
    const bytes = await archive.read('content.xml');
    if (!bytes) throw ParseFailure.of('damaged');
    const root = parseXml(bytes);
    const document: OpenDocument = { objects: await objectsOf(archive, root) };
    const body = descend(root, 'body');
    const [content] = elementsOf(body);
    if (content?.name === 'spreadsheet') await writeSheets(root, content, { limits, sink });
    else if (content?.name === 'presentation') writeSlides(content, document, { limits, sink });
    else for (const block of joinSentences(storyBlocks(content, document))) sink.block(block);
  });
};

/** Embedded charts keep their numbers as a table of their own. */
async function objectsOf(archive: Archive, root: XmlElement): Promise<Map<string, Block[]>> {
  const objects = new Map<string, Block[]>();
  for (const object of findAll(root, 'object')) {
    const href = attribute(object, 'href') ?? '';
    const bytes = await archive.read(`${href.replace(/^\.\//, '')}/content.xml`);
    const chart = bytes ? parseXml(bytes) : undefined;
    if (!chart) continue;
    const title = findAll(findAll(chart, 'title')[0], 'p').map(textIn).join(' ');
    const rows = findAll(chart, 'table-row').map((row) =>
      elementsOf(row, 'table-cell').map((cell) => findAll(cell, 'p').map(textIn).join(' ')),
    );
    objects.set(href, [
      ...(title ? [{ kind: 'paragraph' as const, text: title }] : []),
      ...tableBlocks(rows, { header: rows.length > 1 || undefined }),
    ]);
  }
  return objects;
}

function writeSlides(
  presentation: XmlElement,
  document: OpenDocument,
  { limits, sink }: { limits: ParserLimits; sink: Sink },
): void {
  const slides = elementsOf(presentation, 'page');
  if (slides.length > limits.pages) throw ParseFailure.of('too-many-pages');
  for (const [index, slide] of slides.entries()) {
    const page = index + 1;
    const blocks = storyBlocks(slide, document).filter(({ text }) => text.trim() !== '');
    const notes = storyBlocks(descend(slide, 'notes'), document).filter(({ text }) => text.trim() !== '');
    if (notes.length > 0) blocks.push({ kind: 'heading', level: 6, text: 'Notes' }, ...notes);
    for (const [place, block] of blocks.entries())
      sink.block({ ...block, page, ...(place === 0 && { part: `Slide ${page}` }) });
    sink.progress(page, slides.length);
  }
  sink.pages(slides.length);
}

async function writeSheets(
  root: XmlElement,
  spreadsheet: XmlElement,
  { limits, sink }: { limits: ParserLimits; sink: Sink },
): Promise<void> {
  const hidden = new Set(
    elementsOf(descend(root, 'automatic-styles'), 'style')
      .filter((style) => attribute(descend(style, 'table-properties'), 'display') === 'false')
      .map((style) => attribute(style, 'name')),
  );
  const isHidden = (sheet: XmlElement) => hidden.has(attribute(sheet, 'style-name') ?? '');
  const all = elementsOf(spreadsheet, 'table');
  const sheets = all.filter((sheet) => !isHidden(sheet));
  let left = limits.rows;
  for (const [done, sheet] of sheets.entries()) {
    left -= await writeSheet(sheetRows(sheet), { name: attribute(sheet, 'name') ?? '', maxRows: left }, sink);
    sink.progress(done + 1, sheets.length);
  }
  for (const sheet of all.filter(isHidden))
    if (!sheetRows(sheet).next().done) sink.unreadable({ why: gaps['hidden-sheet'](attribute(sheet, 'name') ?? '') });
}

/** No sheet of a person has more columns with text in them; a file may claim millions. */
const maxColumns = 2000;
const maxRepeated = 1000;

function* sheetRows(sheet: XmlElement): Generator<SheetRow> {
  let index = 0;
  for (const row of rowsIn(sheet)) {
    const repeated = Math.max(Number(attribute(row, 'number-rows-repeated') ?? 1), 1);
    const cells: string[] = [];
    const spans = new Map<number, number>();
    for (const cell of elementsOf(row)) {
      if (cell.name !== 'table-cell' && cell.name !== 'covered-table-cell') continue;
      const text = cellText(cell);
      const span = Number(attribute(cell, 'number-columns-spanned') ?? 1);
      if (span > 1) spans.set(cells.length, cells.length + Math.min(span, maxColumns) - 1);
      const times = Math.max(Number(attribute(cell, 'number-columns-repeated') ?? 1), 1);
      for (let time = 0; time < times && cells.length < maxColumns; time++) cells.push(text);
    }
    if (cells.some((cell) => cell !== ''))
      for (let time = 0; time < Math.min(repeated, maxRepeated); time++)
        yield { index: index + time, cells, ...(spans.size > 0 && { spans }) };
    index += repeated;
  }
}

function rowsIn(element: XmlElement): XmlElement[] {
  return elementsOf(element).flatMap((child) => {
    if (child.name === 'table-row') return [child];
    return /^table-(header-rows|rows|row-group)$/.test(child.name) ? rowsIn(child) : [];
  });
}

function cellText(cell: XmlElement): string {
  const text = storyBlocks(cell, { objects: new Map() })
    .map((block) => block.text)
    .join(' ')
    .trim();
  return text || (attribute(cell, 'office:value') ?? '');
}
