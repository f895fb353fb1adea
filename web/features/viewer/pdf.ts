import {
  getDocument,
  InvalidPDFException,
  type PageViewport,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
  TextLayer,
} from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { AppError } from '#contract/errors.ts';
import { noteFailure } from '#web/lib/connection.ts';

export type { PDFDocumentProxy };

/**
 * What a PDF may leave out (common fonts, tables of Asian encodings) or need (decoders of scans), from our own origin.
 */
const extras = Object.entries({
  ...import.meta.glob<string>('../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
  ...import.meta.glob<string>('../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
  ...import.meta.glob<string>('../../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg}.wasm', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
});

/**
 * Opens a PDF, of which only the parts that are looked at are loaded.
 *
 * @param link gives an address of the file that is valid now: addresses end after minutes, reading does not
 * @param signal closes it, whatever is still under way
 * @param onLost told of a part that did not come, also once the PDF is open: what needs it waits until `again`
 * @throws AppError `unavailable`, `file-not-found`; an error of the PDF engine when the file can't be shown
 */
export async function openPdf(
  link: () => Promise<string>,
  { signal, onLost }: { signal: AbortSignal; onLost: (lost: Lost) => void },
): Promise<PDFDocumentProxy> {
  const first = await fetchPart(link, 0, firstPart);
  signal.throwIfAborted();
  // The engine, left to start it, would never ask again for a worker that once has not come.
  const port = new Worker(workerUrl, { type: 'module' });
  const opened = getDocument({
    worker: PDFWorker.create({ port }),
    ...(first.bytes.length < first.total ? { range: new Parts(first, link, onLost) } : { data: first.bytes }),
    // Parts are asked for as pages are looked at: a file of 500 MB is never loaded whole.
    disableAutoFetch: true,
    disableStream: true,
    useWorkerFetch: false,
    BinaryDataFactory: Extras,
    wasmUrl: 'wasm/',
    cMapUrl: 'cmaps/',
    standardFontDataUrl: 'standard_fonts/',
    enableXfa: false,
  });
  const close = () => opened.destroy().finally(() => port.terminate());
  signal.addEventListener('abort', () => void close(), { once: true });
  const missing = Promise.withResolvers<never>();
  port.addEventListener('error', () => missing.reject(new AppError('unavailable')));
  return Promise.race([opened.promise, missing.promise]);
}

/** A part that did not come, and the way to ask for it again. */
export interface Lost {
  error: unknown;
  again: () => void;
}

/** Why a PDF can't be shown: it did not come; it is damaged; or the engine refuses it otherwise. */
export function faultOf(error: unknown): 'not-loaded' | 'damaged' | 'refused' {
  if (error instanceof AppError) return 'not-loaded';
  return error instanceof InvalidPDFException ? 'damaged' : 'refused';
}

const firstPart = 1 << 18;

async function fetchPart(
  link: () => Promise<string>,
  begin: number,
  end: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; total: number }> {
  const address = await link();
  try {
    const response = await fetch(address, { headers: { Range: `bytes=${begin}-${end - 1}` } });
    if (!response.ok) throw new AppError(response.status === 404 ? 'file-not-found' : 'unavailable');
    const bytes = new Uint8Array(await response.arrayBuffer());
    const total = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? bytes.length);
    return { bytes, total };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // What fetch says of everything that is the network's fault.
    noteFailure();
    throw new AppError('unavailable', { cause: error });
  }
}

class Parts extends PDFDataRangeTransport {
  readonly #link: () => Promise<string>;
  readonly #onLost: (lost: Lost) => void;
  #lost: [begin: number, end: number][] = [];
  #ended = false;

  constructor(
    { bytes, total }: { bytes: Uint8Array<ArrayBuffer>; total: number },
    link: () => Promise<string>,
    onLost: (lost: Lost) => void,
  ) {
    super(total, bytes);
    this.#link = link;
    this.#onLost = onLost;
  }

  override requestDataRange(begin: number, end: number): void {
    const ask = (triesLeft: number): Promise<void> =>
      fetchPart(this.#link, begin, end).then(
        ({ bytes }) => {
          if (!this.#ended) this.onDataRange(begin, bytes);
        },
        (error: unknown) => {
          if (this.#ended) return;
          if (triesLeft > 0) return ask(triesLeft - 1);
          this.#lost.push([begin, end]);
          this.#onLost({ error, again: () => this.#again() });
        },
      );
    void ask(2);
  }

  override abort(): void {
    this.#ended = true;
  }

  #again(): void {
    const lost = this.#lost;
    this.#lost = [];
    for (const [begin, end] of lost) this.requestDataRange(begin, end);
  }
}

class Extras {
  async fetch({ filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const url = extras.find(([path]) => path.endsWith(`/${filename}`))?.[1];
    if (url === undefined) throw new Error(`There is no ${filename}.`);
    const response = await fetch(url);
    if (!response.ok) throw new AppError('unavailable');
    return new Uint8Array(await response.arrayBuffer());
  }
}

/** The pieces of a page's text in reading order, as the text layer has them. */
export async function textOf(pdf: PDFDocumentProxy, page: number): Promise<string[]> {
  const { items } = await (await pdf.getPage(page)).getTextContent();
  return items.flatMap((item) => ('str' in item ? [item.str] : []));
}

/** A page's size at scale 1, in CSS pixels. */
export async function sizeOf(pdf: PDFDocumentProxy, page: number): Promise<{ width: number; height: number }> {
  const { width, height } = (await pdf.getPage(page)).getViewport({ scale: 1 });
  return { width, height };
}

/**
 * Draws a page, or a part of it, as a picture alone.
 *
 * @param width of what is drawn, in CSS pixels
 * @param part shares of the page's width and height: left, top, right, bottom; absent: all of it
 * @throws an AbortError when the signal fires
 */
export async function drawPicture(
  pdf: PDFDocumentProxy,
  number: number,
  { width, part = [0, 0, 1, 1], signal }: { width: number; part?: PartOfPage; signal: AbortSignal },
): Promise<HTMLCanvasElement> {
  const page = await pdf.getPage(number);
  signal.throwIfAborted();
  const [left, top, right, bottom] = part;
  const scale = width / (right - left) / page.getViewport({ scale: 1 }).width;
  const viewport = page.getViewport({ scale });
  const height = viewport.height * (bottom - top);
  return render(page, viewport, { left: left * viewport.width, top: top * viewport.height, width, height }, signal);
}

type PartOfPage = readonly [left: number, top: number, right: number, bottom: number];

async function render(
  page: PDFPageProxy,
  viewport: PageViewport,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
  signal: AbortSignal,
): Promise<HTMLCanvasElement> {
  const density = Math.min(devicePixelRatio, sharpest, Math.sqrt(maxPixels / (width * height)));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  const transform = [density, 0, 0, density, -left * density, -top * density];
  const drawing = page.render({ canvas, viewport, transform });
  const stop = () => drawing.cancel();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await drawing.promise;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return canvas;
}

export interface DrawnPage {
  canvas: HTMLCanvasElement;
  /** The page's text, transparent, over the words on the canvas. */
  layer: HTMLElement;
  /** The elements of the layer, one for each piece that `textOf` gives. */
  items: HTMLElement[];
}

/**
 * Draws a page, with its text to lay over it.
 *
 * @param width in CSS pixels
 * @throws an AbortError when the signal fires
 */
export async function drawPage(
  pdf: PDFDocumentProxy,
  number: number,
  { width, signal }: { width: number; signal: AbortSignal },
): Promise<DrawnPage> {
  const page = await pdf.getPage(number);
  const content = await page.getTextContent();
  signal.throwIfAborted();
  const viewport = page.getViewport({ scale: width / page.getViewport({ scale: 1 }).width });
  const layer = document.createElement('div');
  layer.style.setProperty('--total-scale-factor', String(viewport.scale));
  const text = new TextLayer({ textContentSource: content, container: layer, viewport });
  // The picture alone is stopped: the engine's text layer, stopped while it reads, throws where nobody can catch it.
  const all = { left: 0, top: 0, width: viewport.width, height: viewport.height };
  const [canvas] = await Promise.all([render(page, viewport, all, signal), text.render()]);
  return { canvas, layer, items: text.textDivs };
}

/** More pixels than this are not seen, or are refused by the browser. */
const sharpest = 3;
const maxPixels = 16_000_000;
