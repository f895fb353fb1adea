import { LiteParse, type ParsedPage } from '@llamaindex/liteparse';
import { ParseFailure } from '../reasons.ts';
import type { Parser, Sink } from './parser.ts';
import { hasReadableText, isRightToLeft, pageBlocks, RunningLines } from './pdf-page.ts';
import type { PdfText } from './pdf-text.ts';

const unreadablePage = 'no readable text, it is probably a scan.';
/** Pages that are held in memory at once. */
const batchSize = 50;

const config = {
  outputFormat: 'markdown',
  ocrEnabled: false,
  imageMode: 'off',
  extractLinks: false,
  extractBlocks: true,
  extractContentBounds: true,
  continueOnPageError: true,
  quiet: true,
  numWorkers: 1,
} as const;

/**
 * PDF: layout (headings, lists, tables, columns) by pdfium; by pdf.js where that fails, finds nothing, or mixes the order
 * of words, as it does in scripts written from right to left.
 */
export const parsePdf: Parser = async ({ path, limits }, sink) => {
  const reader = new PdfReader(path, sink);
  try {
    let total = 0;
    for await (const batch of new LiteParse(config).parseBatches(path, { batchSize })) {
      total = batch.totalPages;
      if (total > limits.pages) throw ParseFailure.of('too-many-pages');
      for (const page of batch.result.pages) await reader.read(page);
      for (const { pageNum } of batch.result.pageErrors) await reader.readPlainly(pageNum);
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
    await reader.readPlainly(page);
    sink.progress(page, pages);
  }
  sink.pages(pages);
}

/** A page without text is blank, or a picture that could not be read: the owner should know which pages are. */
function reportTextless({ pictures, foundText }: PdfReader, sink: Sink): void {
  if (!foundText) throw ParseFailure.of(pictures.length > 0 ? 'no-text' : 'nothing-inside');
  for (const page of pictures) sink.unreadable({ page, why: unreadablePage });
}

class PdfReader {
  /** Pages that show something, but have no text. */
  readonly pictures: number[] = [];
  foundText = false;
  readonly #path: string;
  readonly #sink: Sink;
  readonly #running = new RunningLines();
  #text: Promise<PdfText> | undefined;

  constructor(path: string, sink: Sink) {
    this.#path = path;
    this.#sink = sink;
  }

  async read(page: ParsedPage): Promise<void> {
    const text = page.textItems.map((item) => item.text).join(' ');
    if (!hasReadableText(text) || isRightToLeft(text))
      return this.readPlainly(page.pageNum, page.contentBounds === undefined);
    this.foundText = true;
    for (const block of pageBlocks(page, this.#running)) this.#sink.block(block);
  }

  async readPlainly(page: number, isBlank = false): Promise<void> {
    const paragraphs = await this.plainText()
      .then((text) => text.paragraphs(page))
      .catch((error: unknown) => {
        if (error instanceof ParseFailure) throw error;
        return [];
      });
    if (!hasReadableText(paragraphs.join(' '))) {
      if (!isBlank) this.pictures.push(page);
      return;
    }
    this.foundText = true;
    for (const text of paragraphs) this.#sink.block({ kind: 'paragraph', text, page });
  }

  plainText(): Promise<PdfText> {
    // pdf.js takes 50 MB: most documents do without it.
    this.#text ??= import('./pdf-text.ts').then(({ openPdfText }) => openPdfText(this.#path));
    return this.#text;
  }

  async close(): Promise<void> {
    await this.#text?.then((text) => text.close()).catch(() => {});
  }
}
