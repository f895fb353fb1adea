import { LiteParse, type ParsedPage } from '@llamaindex/liteparse';
import type { Block } from '../document.ts';
import { gaps, ParseFailure } from '../reasons.ts';
import { lieOf, turnedBack } from './angle.ts';
import { isBlankPage } from './blank.ts';
import { Ocr } from './ocr.ts';
import type { OcrSettings, Parser, Sink, Unreadable } from './parser.ts';
import { joinOverPages } from './pdf-flow.ts';
import { config, PageLayout } from './pdf-layout.ts';
import { hasReadableText, isRightToLeft } from './pdf-letters.ts';
import { PageReader } from './pdf-page.ts';
import { remarkBlocks } from './pdf-remarks.ts';
import type { PdfText } from './pdf-text.ts';
import { isGibberish } from './wording.ts';

/** Letters and digits of a page that may be the number or stamp on a scan. */
const fewLetters = 120;
/** Share of a page that its largest picture covers. */
const mostOfPage = 0.4;
/** Pages that are held in memory at once: one of a table with thousands of cells takes 8 MB. */
const batchSize = 6;

/**
 * PDF: layout (headings, lists, tables, columns) by pdfium; by pdf.js where that fails, finds nothing, or mixes the
 * order of words, as it does in scripts written from right to left.
 */
export const parsePdf: Parser = async ({ path, limits }, sink) => {
  const reader = new PdfReader(path, { sink, ocr: limits.ocr });
  try {
    let total = 0;
    for await (const batch of new LiteParse(config).parseBatches(path, { batchSize })) {
      total = batch.totalPages;
      if (total > limits.pages) throw ParseFailure.of('too-many-pages');
      const failed = new Set(batch.result.pageErrors.map(({ pageNum }) => pageNum));
      const read = new Map(batch.result.pages.map((page) => [page.pageNum, page]));
      for (const number of [...failed, ...read.keys()].sort((a, b) => a - b)) {
        const page = read.get(number);
        if (page && !failed.has(number)) await reader.read(page);
        else await reader.readUndrawn(number);
      }
      sink.progress(batch.endPage, total);
    }
    sink.pages(total);
  } catch (error) {
    if (error instanceof ParseFailure) throw error;
    if (/password/i.test(String(error))) throw ParseFailure.of('password');
    if (reader.foundText) throw error;
    await readAllPlainly(reader, limits.pages, sink);
  } finally {
    reader.flush();
    await reader.close();
  }
  reportTextless(reader, sink);
};

async function readAllPlainly(reader: PdfReader, maxPages: number, sink: Sink): Promise<void> {
  const { pages } = await reader.plainText();
  if (pages > maxPages) throw ParseFailure.of('too-many-pages');
  for (let page = 1; page <= pages; page++) {
    await reader.readUndrawn(page);
    sink.progress(page, pages);
  }
  sink.pages(pages);
}

/** A page without text is blank, or a picture that could not be read: the owner should know which pages are. */
function reportTextless({ pictures, foundText }: PdfReader, sink: Sink): void {
  if (!foundText && pictures.length === 0) throw ParseFailure.of('nothing-inside');
  if (!foundText) throw ParseFailure.of(pictures.every(({ why }) => why === gaps.page) ? 'damaged' : 'no-text');
  for (const picture of pictures) sink.unreadable(picture);
}

class PdfReader {
  /** Pages that show something of which nothing could be read. */
  readonly pictures: Unreadable[] = [];
  foundText = false;
  readonly #path: string;
  readonly #sink: Sink;
  readonly #ocr: Ocr | undefined;
  readonly #pages = new PageReader();
  readonly #layout = new PageLayout(() => this.plainText());
  /** Of the page before: a sentence may run on. */
  #held: Block[] = [];
  #text: Promise<PdfText> | undefined;

  constructor(path: string, { sink, ocr }: { sink: Sink; ocr: OcrSettings | undefined }) {
    this.#path = path;
    this.#sink = sink;
    this.#ocr = ocr && new Ocr(path, ocr);
  }

  async read(page: ParsedPage): Promise<void> {
    const text = page.textItems.map((item) => item.text).join(' ');
    const isBlank = page.contentBounds === undefined;
    if (page.textItems.length === 0 && !isBlank && this.#ocr) return this.#readPicture(page);
    if (!hasReadableText(text) || isRightToLeft(text)) return this.#readPlainly(page, { isBlank });
    const stamped = letterCount(text) < fewLetters ? 'stamp' : isGibberish(text) ? 'gibberish' : undefined;
    if (stamped && (await this.#isScan(page.pageNum))) return this.#readPicture(page, stamped);
    this.#write(await this.#upright(page));
  }

  /** Of a page whose text lies on a side or upside down, the lines are in order only when it is turned. */
  async #upright(page: ParsedPage): Promise<Block[]> {
    const angle = lieOf(page);
    if (angle === 0) return this.#pages.blocks(await this.#layout.of(page));
    const { pages } = await new LiteParse({
      ...config,
      targetPages: String(page.pageNum),
      pageOrientationCorrections: [{ page: page.pageNum, angle }],
    }).parse(this.#path);
    return turnedBack(this.#pages.blocks(pages[0] ?? page), pages[0] ? angle : 0);
  }

  /** A page that the layout reader can't open. */
  async readUndrawn(page: number): Promise<void> {
    const blocks = await this.#plainBlocks(page);
    if (blocks.length > 0) this.#write(blocks);
    else this.pictures.push({ page, why: gaps.page });
  }

  /** @param isBlank nothing is drawn on it, so that there is nothing to be recognised */
  async #readPlainly(page: ParsedPage, { isBlank }: { isBlank: boolean }): Promise<void> {
    const blocks = await this.#plainBlocks(page.pageNum);
    if (blocks.length === 0 && !isBlank) return this.#readPicture(page);
    this.#write([...blocks, ...remarkBlocks(page, blocks)]);
  }

  async #plainBlocks(page: number): Promise<Block[]> {
    const paragraphs = await this.plainText()
      .then((text) => text.paragraphs(page))
      .catch((error: unknown) => {
        if (error instanceof ParseFailure) throw error;
        return [];
      });
    if (!hasReadableText(paragraphs.join(' '))) return [];
    return paragraphs.map((text) => ({ kind: 'paragraph', text, page }));
  }

  plainText(): Promise<PdfText> {
    // pdf.js takes 50 MB: most documents do without it.
    this.#text ??= import('./pdf-text.ts').then(({ openPdfText }) => openPdfText(this.#path));
    return this.#text;
  }

  async close(): Promise<void> {
    await this.#text?.then((text) => text.close()).catch(() => {});
  }

  /**
   * @param text what stands on the picture as text: a stamp is read with it, words that are none are not; either is all
   * there is when the picture can't be read
   */
  async #readPicture(drawn: ParsedPage, text?: 'stamp' | 'gibberish'): Promise<void> {
    const page = drawn.pageNum;
    if (!text && (await isBlankPage(this.#path, drawn))) return this.#write(remarkBlocks(drawn, []));
    if (!this.#ocr) {
      this.pictures.push({ page, why: gaps.scan });
      return this.#write(remarkBlocks(drawn, []));
    }
    // Words that are none lie on a scan: only as it is drawn they are not read again.
    const wordless = text === 'gibberish' ? null : await this.#ocr.wordless(page);
    if (!wordless) await this.#sink.slow();
    const { blocks, why, pages } = wordless ?? (await this.#ocr.read(page, { asDrawn: text === 'gibberish' }));
    if (blocks.length === 0 && text) this.#write(await this.#upright(drawn));
    else this.#write([...blocks, ...remarkBlocks(drawn, blocks)]);
    if (why) this.pictures.push({ page, why });
    this.#sink.progress(page, Math.max(pages, page));
  }

  /** A page of which a picture covers most: its little text is what a scanner or an office stamped on it. */
  async #isScan(page: number): Promise<boolean> {
    if (!this.#ocr) return false;
    const { pages } = await new LiteParse({
      ...config,
      extractBlocks: false,
      includeComplexity: true,
      targetPages: String(page),
    }).parse(this.#path);
    const { fullPageImage, largestImageCoverage } = pages[0]?.complexity ?? {};
    return fullPageImage === true || (largestImageCoverage ?? 0) > mostOfPage;
  }

  #write(blocks: readonly Block[]): void {
    if (blocks.length === 0) return;
    this.foundText = true;
    const page = [...blocks];
    joinOverPages(this.#held, page);
    this.flush();
    this.#held = page;
  }

  /** Hands on what was held back of the last page. */
  flush(): void {
    for (const block of this.#held) this.#sink.block(block);
    this.#held = [];
  }
}

function letterCount(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
