import { LiteParse, type ParsedPage } from '@llamaindex/liteparse';
import type { Block } from '../document.ts';
import { gaps, ParseFailure } from '../reasons.ts';
import { Ocr } from './ocr.ts';
import type { OcrSettings, Parser, Sink, Unreadable } from './parser.ts';
import { hasReadableText, isRightToLeft, pageBlocks, RunningLines } from './pdf-page.ts';
import type { PdfText } from './pdf-text.ts';

/** Letters and digits of a page that may be the number or stamp on a scan. */
const fewLetters = 120;
/** Share of a page that its largest picture covers. */
const mostOfPage = 0.4;
/** Pages that are held in memory at once. */
const batchSize = 50;

const config = {
  outputFormat: 'markdown',
  ocrEnabled: false,
  imageMode: 'off',
  extractLinks: false,
  extractBlocks: true,
  extractAnnotations: true,
  extractContentBounds: true,
  continueOnPageError: true,
  quiet: true,
  numWorkers: 1,
  // Without a number it leaves out, silently, what comes after the thousandth page; how many may be read is checked.
  maxPages: 1_000_000,
} as const;

/**
 * PDF: layout (headings, lists, tables, columns) by pdfium; by pdf.js where that fails, finds nothing, or mixes the order
 * of words, as it does in scripts written from right to left.
 */
export const parsePdf: Parser = async ({ path, limits }, sink) => {
  const reader = new PdfReader(path, { sink, ocr: limits.ocr });
  try {
    let total = 0;
    for await (const batch of new LiteParse(config).parseBatches(path, { batchSize })) {
      total = batch.totalPages;
      if (total > limits.pages) throw ParseFailure.of('too-many-pages');
      for (const page of batch.result.pages) await reader.read(page);
      for (const { pageNum } of batch.result.pageErrors) await reader.readPlainly(pageNum, { canBeDrawn: false });
      sink.progress(batch.endPage, total);
    }
    sink.pages(total);
  } catch (error) {
    if (error instanceof ParseFailure) throw error;
    if (/password/i.test(String(error))) throw ParseFailure.of('password');
    if (reader.foundText) throw error;
    await readAllPlainly(reader, limits.pages, sink);
  } finally {
    await reader.close();
  }
  reportTextless(reader, sink);
};

async function readAllPlainly(reader: PdfReader, maxPages: number, sink: Sink): Promise<void> {
  const { pages } = await reader.plainText();
  if (pages > maxPages) throw ParseFailure.of('too-many-pages');
  for (let page = 1; page <= pages; page++) {
    await reader.readPlainly(page, { canBeDrawn: false });
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
  readonly #running = new RunningLines();
  #text: Promise<PdfText> | undefined;

  constructor(path: string, { sink, ocr }: { sink: Sink; ocr: OcrSettings | undefined }) {
    this.#path = path;
    this.#sink = sink;
    this.#ocr = ocr && new Ocr(path, ocr);
  }

  async read(page: ParsedPage): Promise<void> {
    const text = page.textItems.map((item) => item.text).join(' ');
    const isBlank = page.contentBounds === undefined;
    if (page.textItems.length === 0 && !isBlank && this.#ocr) return this.#readPicture(page.pageNum);
    if (!hasReadableText(text) || isRightToLeft(text)) return this.readPlainly(page.pageNum, { isBlank });
    if (letterCount(text) < fewLetters && (await this.#isScan(page.pageNum)))
      return this.#readPicture(page.pageNum, page);
    this.#write(pageBlocks(page, this.#running));
  }

  /** @param canBeDrawn false: the layout reader can't open the page, so that trying it as a picture would be in vain */
  async readPlainly(page: number, { isBlank = false, canBeDrawn = true } = {}): Promise<void> {
    const paragraphs = await this.plainText()
      .then((text) => text.paragraphs(page))
      .catch((error: unknown) => {
        if (error instanceof ParseFailure) throw error;
        return [];
      });
    if (hasReadableText(paragraphs.join(' ')))
      this.#write(paragraphs.map((text) => ({ kind: 'paragraph', text, page })));
    else if (!canBeDrawn) this.pictures.push({ page, why: gaps.page });
    else if (!isBlank) await this.#readPicture(page);
  }

  plainText(): Promise<PdfText> {
    // pdf.js takes 50 MB: most documents do without it.
    this.#text ??= import('./pdf-text.ts').then(({ openPdfText }) => openPdfText(this.#path));
    return this.#text;
  }

  async close(): Promise<void> {
    await this.#text?.then((text) => text.close()).catch(() => {});
  }

  /** @param printed what stands on the picture as text: read with it, and all there is when it can't be read */
  async #readPicture(page: number, printed?: ParsedPage): Promise<void> {
    if (!this.#ocr) {
      this.pictures.push({ page, why: gaps.scan });
      return;
    }
    await this.#sink.slow();
    const { blocks, why, pages } = await this.#ocr.read(page);
    if (blocks.length > 0) this.#write(blocks);
    else {
      if (printed) this.#write(pageBlocks(printed, this.#running));
      this.pictures.push({ page, why: why ?? gaps.scan });
    }
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
    if (blocks.length > 0) this.foundText = true;
    for (const block of blocks) this.#sink.block(block);
  }
}

function letterCount(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
