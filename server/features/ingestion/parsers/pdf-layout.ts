import { LiteParse, type ParsedPage, type TextItem } from '@llamaindex/liteparse';
import { hasFalseTable } from './pdf-false-tables.ts';
import { withTables } from './pdf-kept-tables.ts';
import { blocksOfParts, partedColumns } from './pdf-merged-columns.ts';
import { TallFonts } from './pdf-tall.ts';
import type { PdfText } from './pdf-text.ts';
import { joinedLines } from './pdf-torn-lines.ts';
import { hasTornWords, isMended } from './pdf-torn-words.ts';

/** How the layout reader reads a document. */
export const config = {
  outputFormat: 'markdown',
  ocrEnabled: false,
  imageMode: 'off',
  extractLinks: false,
  extractBlocks: true,
  // Of a few pages at a time it can't know what repeats itself.
  keepHeadersFooters: true,
  extractAnnotations: true,
  extractContentBounds: true,
  continueOnPageError: true,
  quiet: true,
  numWorkers: 1,
  // Without a number it leaves out, silently, what comes after the thousandth page; how many may be read is checked.
  maxPages: 1_000_000,
} as const;

/** Has the layout reader lay out pages anew that it has read in the wrong order. */
export class PageLayout {
  readonly #tallFonts = new TallFonts();
  readonly #reader = new LiteParse(config);
  readonly #plainText: () => Promise<PdfText>;

  /** @param plainText the document's text as pdf.js reads it, which is opened when it is asked for */
  constructor(plainText: () => Promise<PdfText>) {
    this.#plainText = plainText;
  }

  /** The page as it was read, or laid out anew. To be asked in the order of the pages. */
  async of(page: ParsedPage): Promise<ParsedPage> {
    if (this.#tallFonts.areOn(page)) return this.#laidOutAnew(page);
    if (hasTornWords(page)) {
      const anew = await this.#laidOutAnew(page);
      if (isMended(page, anew)) return anew;
    }
    return (
      this.#withColumnsParted(page) ??
      this.#withLinesJoined(page) ??
      (hasFalseTable(page) ? this.#withoutRules(page) : page)
    );
  }

  /** As it is laid out where each of its columns stands by itself; null where none are merged. */
  #withColumnsParted(page: ParsedPage): ParsedPage | null {
    const parted = partedColumns(page);
    if (!parted) return null;
    const blocks = blocksOfParts(parted.parts.map((part) => this.#blocksOf(page, part) ?? []));
    return { ...page, blocks: withTables(blocks, parted.tables) };
  }

  /** As it is laid out where its lines are whole; null where none is torn. */
  #withLinesJoined(page: ParsedPage): ParsedPage | null {
    const joined = joinedLines(page);
    if (!joined) return null;
    const blocks = this.#blocksOf(page, joined.textItems);
    return blocks ? { ...page, blocks: withTables(blocks, joined.tables) } : null;
  }

  /** As the layout reader lays it out where it knows nothing but the places of the words. */
  #withoutRules(page: ParsedPage): ParsedPage {
    const blocks = this.#blocksOf(page, page.textItems);
    return blocks ? { ...page, blocks } : page;
  }

  #blocksOf({ pageNum: pageNumber, width: pageWidth, height: pageHeight }: ParsedPage, textItems: TextItem[]) {
    return this.#reader.parsePages([{ pageNumber, pageWidth, pageHeight, textItems }]).pages[0]?.blocks;
  }

  /** The same where these places come from pdf.js. */
  async #laidOutAnew(page: ParsedPage): Promise<ParsedPage> {
    const input = await this.#plainText()
      .then((text) => text.layout(page.pageNum))
      .catch(() => null);
    const [anew] = input ? this.#reader.parsePages([input]).pages : [];
    return input && anew?.blocks ? { ...page, textItems: input.textItems, blocks: anew.blocks } : page;
  }
}
