import type { BlockContent, DefinitionContent, List, RootContent, Table } from 'mdast';
import { PDFDocument, type PDFPage, rgb, StandardFonts } from 'pdf-lib';
import { parseMarkdown, type Run, runsOf } from './markdown.ts';
import { type Breaks, breakLines, type Fonts, type Line } from './pdf-text.ts';

export interface PdfOptions {
  header: string;
  serif?: boolean;
  /** Each chapter (##) starts a page, after a cover and a table of contents. */
  book?: boolean;
  breaks: Breaks;
}

const width = 595;
const height = 842;
const margin = { left: 68, right: 68, top: 92, bottom: 78 };
const column = width - margin.left - margin.right;
const ink = rgb(0.1, 0.13, 0.16);
const accent = rgb(0.11, 0.23, 0.29);
const grey = rgb(0.45, 0.48, 0.5);
const tint = rgb(0.92, 0.95, 0.96);
const created = new Date('2026-01-01T08:00:00Z');

/**
 * An A4 document as an office would print it: running header, page numbers, lists, boxes, tables that repeat their
 * head.
 */
export async function buildPdf(source: string, options: PdfOptions): Promise<Uint8Array> {
  // The page numbers of the contents are known only once everything has been laid out.
  const draft = await Layout.of(source, options, new Map());
  const final = await Layout.of(source, options, draft.chapters);
  return final.document.save();
}

class Layout {
  readonly document: PDFDocument;
  /** On which page each chapter starts. */
  readonly chapters = new Map<string, number>();
  readonly #fonts: Fonts;
  readonly #options: PdfOptions;
  #page: PDFPage;
  /** Height of the last baseline. */
  #y = height - margin.top;

  private constructor(document: PDFDocument, fonts: Fonts, options: PdfOptions) {
    this.document = document;
    this.#fonts = fonts;
    this.#options = options;
    this.#page = document.addPage([width, height]);
  }

  static async of(source: string, options: PdfOptions, contents: ReadonlyMap<string, number>): Promise<Layout> {
    const document = await PDFDocument.create({ updateMetadata: false });
    document.setTitle(options.header);
    document.setAuthor('Nordwind Logistics');
    document.setLanguage('en');
    document.setCreationDate(created);
    document.setModificationDate(created);
    const names = options.serif
      ? [StandardFonts.TimesRoman, StandardFonts.TimesRomanBold, StandardFonts.TimesRomanItalic]
      : [StandardFonts.Helvetica, StandardFonts.HelveticaBold, StandardFonts.HelveticaOblique];
    const [regular, bold, italic] = await Promise.all(names.map((name) => document.embedFont(name)));
    if (!regular || !bold || !italic) throw new Error('a font is missing');
    const layout = new Layout(document, { regular, bold, italic }, options);
    const nodes = parseMarkdown(source).children;
    const start = options.book ? nodes.findIndex((node) => node.type === 'heading' && node.depth === 2) : 0;
    if (options.book) layout.#front(nodes.slice(0, start), nodes.slice(start), contents);
    for (const node of nodes.slice(start)) layout.#block(node);
    layout.#heads();
    return layout;
  }

  #front(cover: readonly RootContent[], body: readonly RootContent[], contents: ReadonlyMap<string, number>): void {
    this.#page.drawRectangle({ x: 0, y: height - 300, width, height: 300, color: tint });
    this.#y = height - 190;
    for (const node of cover) {
      this.#block(node);
      if (node.type === 'heading') this.#y = height - 320;
    }
    this.#newPage();
    this.#text([plain('Contents', true)], { size: 20, after: 14, color: accent });
    for (const node of body) {
      if (node.type !== 'heading' || node.depth !== 2) continue;
      const title = textOf(runsOf(node.children));
      const number = String(contents.get(title) ?? '');
      this.#space(20);
      const y = this.#y - 12;
      this.#draw([{ text: title, font: this.#fonts.regular }], margin.left, y, 10.5);
      const right = width - margin.right - this.#fonts.regular.widthOfTextAtSize(number, 10.5);
      this.#draw([{ text: number, font: this.#fonts.regular }], right, y, 10.5);
      this.#y -= 20;
    }
  }

  #block(node: RootContent | BlockContent | DefinitionContent, indent = 0): void {
    switch (node.type) {
      case 'heading':
        this.#heading(node.depth, runsOf(node.children, { bold: true, italic: false }));
        break;
      case 'paragraph':
        this.#text(runsOf(node.children), { indent });
        break;
      case 'list':
        this.#list(node, indent);
        break;
      case 'blockquote':
        this.#box(node.children.flatMap((each) => (each.type === 'paragraph' ? [runsOf(each.children)] : [])));
        break;
      case 'table':
        this.#table(node);
        break;
      default:
        throw new Error(`samples do not use "${node.type}" in a PDF`);
    }
  }

  #heading(depth: number, runs: Run[]): void {
    if (depth === 2 && this.#options.book) this.#newPage();
    const size = [24, 16, 12][depth - 1] ?? 11;
    if (this.#y < height - margin.top) this.#y -= size * 0.9;
    // A heading alone at the foot of a page belongs to the next one.
    this.#space(size + 60);
    if (depth === 2) this.chapters.set(textOf(runs), this.document.getPageCount());
    this.#text(runs, { size, after: size * 0.55, color: accent });
  }

  #text(
    runs: readonly Run[],
    { size = 10.5, indent = 0, after = 8, color = ink, marker = '' }: Partial<TextStyle> = {},
  ): void {
    const leading = size * 1.42;
    const lines = breakLines(runs, this.#fonts, size, column - indent, this.#options.breaks);
    for (const [index, line] of lines.entries()) {
      this.#space(leading);
      this.#y -= leading;
      if (index === 0 && marker !== '') {
        this.#draw([{ text: marker, font: this.#fonts.regular }], margin.left + indent - 16, this.#y, size, color);
      }
      this.#draw(line, margin.left + indent, this.#y, size, color);
    }
    this.#y -= after;
  }

  #list(list: List, indent: number): void {
    for (const [index, item] of list.children.entries()) {
      for (const [part, child] of item.children.entries()) {
        if (child.type !== 'paragraph') this.#block(child, indent + 20);
        else {
          const marker = part > 0 ? '' : list.ordered ? `${(list.start ?? 1) + index}.` : '•';
          this.#text(runsOf(child.children), { indent: indent + 20, after: 4, marker });
        }
      }
    }
    this.#y -= 9;
  }

  #box(paragraphs: readonly Run[][]): void {
    const size = 10;
    const leading = size * 1.42;
    const lines = paragraphs.flatMap((runs) => breakLines(runs, this.#fonts, size, column - 28, this.#options.breaks));
    const tall = lines.length * leading + 16;
    this.#space(tall + 4);
    this.#y -= 2;
    this.#page.drawRectangle({ x: margin.left, y: this.#y - tall, width: column, height: tall, color: tint });
    this.#page.drawRectangle({ x: margin.left, y: this.#y - tall, width: 3, height: tall, color: accent });
    for (const [index, line] of lines.entries()) {
      this.#draw(line, margin.left + 16, this.#y - 6 - leading * (index + 1) + 3, size);
    }
    this.#y -= tall + 12;
  }

  #table({ children }: Table): void {
    const size = 9;
    const leading = 12.5;
    const cells = children.map((row, index) =>
      row.children.map((cell) => runsOf(cell.children, { bold: index === 0, italic: false })),
    );
    const widths = columnWidths(cells);
    const rows = cells.map((row) =>
      row.map((runs, index) => breakLines(runs, this.#fonts, size, (widths[index] ?? 0) - 10, this.#options.breaks)),
    );
    const tall = (row: readonly Line[][]) => Math.max(...row.map((cell) => cell.length)) * leading + 8;
    const draw = (row: readonly Line[][], head: boolean) => {
      const rowHeight = tall(row);
      if (head)
        this.#page.drawRectangle({
          x: margin.left,
          y: this.#y - rowHeight,
          width: column,
          height: rowHeight,
          color: tint,
        });
      let x = margin.left;
      for (const [index, cell] of row.entries()) {
        for (const [number, line] of cell.entries())
          this.#draw(line, x + 5, this.#y - 1 - leading * (number + 1), size);
        x += widths[index] ?? 0;
      }
      this.#y -= rowHeight;
      this.#grid(widths, rowHeight, head);
    };
    const [head, ...body] = rows;
    if (!head) return;
    this.#y -= 6;
    this.#space(tall(head) + 40);
    draw(head, true);
    for (const row of body) {
      if (this.#y - tall(row) < margin.bottom) {
        this.#newPage();
        draw(head, true);
      }
      draw(row, false);
    }
    this.#y -= 16;
  }

  /** Lines around the cells of the row above. */
  #grid(widths: readonly number[], rowHeight: number, head: boolean): void {
    const line = (fromX: number, fromY: number, toX: number, toY: number) =>
      this.#page.drawLine({ start: { x: fromX, y: fromY }, end: { x: toX, y: toY }, thickness: 0.4, color: grey });
    const [top, right] = [this.#y + rowHeight, width - margin.right];
    if (head) line(margin.left, top, right, top);
    line(margin.left, this.#y, right, this.#y);
    let x = margin.left;
    for (const each of [0, ...widths]) {
      x += each;
      line(x, this.#y, x, top);
    }
  }

  /** Goes to the next page when less than this is left. */
  #space(needed: number): void {
    if (this.#y - needed < margin.bottom) this.#newPage();
  }

  #newPage(): void {
    this.#page = this.document.addPage([width, height]);
    this.#y = height - margin.top;
  }

  #draw(line: Line, x: number, y: number, size: number, color = ink): void {
    let at = x;
    for (const { text, font } of line) {
      this.#page.drawText(text, { x: at, y, size, font, color });
      at += font.widthOfTextAtSize(text, size);
    }
  }

  #heads(): void {
    const pages = this.document.getPages();
    const { regular } = this.#fonts;
    for (const [index, page] of pages.entries()) {
      if (index === 0 && this.#options.book) continue;
      this.#page = page;
      const number = `Page ${index + 1} of ${pages.length}`;
      this.#draw([{ text: this.#options.header, font: regular }], margin.left, height - 52, 8.5, grey);
      const right = width - margin.right - regular.widthOfTextAtSize(number, 8.5);
      this.#draw([{ text: number, font: regular }], right, 42, 8.5, grey);
      const y = height - 60;
      page.drawLine({ start: { x: margin.left, y }, end: { x: width - margin.right, y }, thickness: 0.4, color: grey });
    }
  }
}

interface TextStyle {
  size: number;
  indent: number;
  after: number;
  color: ReturnType<typeof rgb>;
  marker: string;
}

/** Columns share the width by their longest cells, so that short codes stay narrow and no prose is squeezed. */
function columnWidths(rows: readonly Run[][][]): number[] {
  const weights = (rows[0] ?? []).map((_, index) => {
    const longest = Math.max(...rows.map((row) => textOf(row[index] ?? []).length));
    return Math.min(Math.max(longest, 7), 46) + 2;
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (weight / sum) * column);
}

function plain(text: string, bold = false): Run {
  return { text, bold, italic: false };
}

function textOf(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join('');
}
