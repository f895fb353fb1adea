import { LiteParse, type ParsedPage } from '@llamaindex/liteparse';
import type { Block } from '../document.ts';
import { gaps } from '../reasons.ts';
import type { Angle } from './exif.ts';
import { scannedBlocks } from './ocr-layout.ts';
import type { OcrSettings } from './parser.ts';
import { hasReadableText } from './pdf-page.ts';

/** What was read from the picture of a page; without blocks, `why` not. */
export interface OcrPage {
  blocks: Block[];
  why?: string;
  /** How many pages the file has. */
  pages: number;
}

/**
 * Dots of the longer side of a page when it is looked at: 170 an inch on A4. More takes longer and finds no more in common
 * print; a smaller picture is enlarged, at most to twice its size, which small letters need.
 */
const longSide = 2000;
const dpiRange = [50, 300] as const;
/** Of 1. Below it a page is likely to lie on its side. */
const surely = 0.7;
/** Of 1. What is below is noise: a texture, a drawing. */
const readable = 0.5;
/** What words that stand on end are worth: another look may be better. */
const onEnd = 0.6;

const config = {
  outputFormat: 'markdown',
  imageMode: 'off',
  extractLinks: false,
  quiet: true,
  numWorkers: 1,
  // Without a number it does not see what comes after the thousandth page.
  maxPages: 1_000_000,
} as const;

const angles: readonly Angle[] = [0, 90, 270, 180];

/** A page as it was looked at: turned back by so much from how it lies in the file. */
interface Look {
  page: ParsedPage;
  angle: Angle;
}

/** Words that are common in one of the languages, and hardly stand in the others. */
const commonWords: Record<string, RegExp> = {
  eng: /\b(the|and|of|is|that|with|for|this|are|from)\b/gi,
  deu: /\b(der|und|die|das|nicht|ist|mit|für|von|zu|den|ein)\b/gi,
  fra: /\b(les|et|des|est|une|dans|pour|que|du|vous|avec)\b/gi,
  spa: /\b(el|los|del|las|una|por|con|para|que|está|como)\b/gi,
};

/** How often it is looked whether a page takes too long. */
const checkMs = 200;

/**
 * Reads pictures of pages with the reader that the PDF library brings, page by page, within a budget of processor time:
 * how much of a document is read does not depend on what else the machine does.
 */
export class Ocr {
  readonly #path: string;
  readonly #settings: OcrSettings;
  readonly #deadline: number;
  readonly #turn: Angle;
  #languages: string;
  /** How its pages are likely to lie. */
  #angle: Angle;
  #pages = 1;

  /** @param turn how far it is turned before it is shown: boxes are places on what is shown */
  constructor(path: string, settings: OcrSettings, turn: Angle = 0) {
    this.#path = path;
    this.#turn = turn;
    this.#angle = plus(0, -turn);
    this.#settings = settings;
    this.#deadline = processorMs() + settings.totalMs;
    this.#languages = settings.languages.join('+');
  }

  /** @param number 1-based */
  async read(number: number): Promise<OcrPage> {
    const left = this.#deadline - processorMs();
    if (left <= 0) return this.#nothing(gaps['many-scans']);
    const look = await inTime(this.#readTwice(number), Math.min(left, this.#settings.pageMs));
    if (look === 'too late')
      return this.#nothing(left < this.#settings.pageMs ? gaps['many-scans'] : gaps['slow-page']);
    const blocks = look ? this.#blocksOf(look) : [];
    return blocks.length > 0 ? { blocks, pages: this.#pages } : this.#nothing(gaps['no-words']);
  }

  #blocksOf({ page, angle }: Look): Block[] {
    return scannedBlocks(page).map(({ box, ...block }) => ({
      ...block,
      ...(box && { box: turned(box, plus(angle, this.#turn)) }),
    }));
  }

  /** Again when its language turns out to be another than the first: several at once take ü for ii. */
  async #readTwice(number: number): Promise<Look | null> {
    const look = await this.#recognise(number);
    const before = this.#languages;
    if (look) this.#chooseLanguage(look.page.textItems.map(({ text }) => text).join(' '));
    const isFirst = this.#languages === this.#settings.languages[0];
    return !look || before === this.#languages || isFirst ? look : this.#look(number, look.angle);
  }

  #nothing(why: string): OcrPage {
    return { blocks: [], why, pages: this.#pages };
  }

  async #recognise(number: number): Promise<Look | null> {
    let best = await this.#look(number, this.#angle);
    for (const angle of angles) {
      if (!best || certainty(best.page) >= surely) break;
      if (angle === this.#angle) continue;
      const look = await this.#look(number, angle);
      if (look && certainty(look.page) > certainty(best.page)) best = look;
    }
    if (!best || certainty(best.page) < readable) return null;
    // The pages after it are likely to lie the same way.
    if (certainty(best.page) >= surely) this.#angle = best.angle;
    return best;
  }

  async #look(number: number, angle: Angle): Promise<Look | null> {
    const dpi = await this.#dpiOf(number);
    const result = await new LiteParse({
      ...config,
      ocrEnabled: true,
      ocrLanguage: this.#languages,
      tessdataPath: this.#settings.dataPath,
      ocrFailureFatal: false,
      dpi,
      targetPages: String(number),
      ...(angle !== 0 && { pageOrientationCorrections: [{ page: number, angle }] }),
    }).parse(this.#path);
    this.#pages = result.totalPages;
    const [page] = result.pages;
    return page ? { page, angle } : null;
  }

  async #dpiOf(number: number): Promise<number> {
    const result = await new LiteParse({ ...config, ocrEnabled: false, targetPages: String(number) }).parse(this.#path);
    const { width = 0, height = 0 } = result.pages[0] ?? {};
    const [least, most] = dpiRange;
    return Math.round(Math.min(Math.max((longSide / Math.max(width, height, 1)) * 72, least), most));
  }

  /** Reading with one language takes half the time of reading with four. */
  #chooseLanguage(text: string): void {
    if (!this.#languages.includes('+')) return;
    const counts = this.#settings.languages
      .map((language) => ({ language, count: text.match(commonWords[language] ?? /(?!)/g)?.length ?? 0 }))
      .sort((a, b) => b.count - a.count);
    const [first, second] = counts;
    if (first && first.count >= 12 && first.count > (second?.count ?? 0) * 3) this.#languages = first.language;
  }
}

function plus(a: Angle, b: number): Angle {
  return angles.find((angle) => (a + b - angle) % 360 === 0) ?? 0;
}

/** Where a place on an upright page lies when the page is turned clockwise. */
function turned(box: NonNullable<Block['box']>, angle: Angle): NonNullable<Block['box']> {
  const [left, top, right, bottom] = box;
  const fraction = (value: number) => Math.round(value * 10_000) / 10_000;
  if (angle === 90) return [fraction(1 - bottom), left, fraction(1 - top), right];
  if (angle === 180) return [fraction(1 - right), fraction(1 - bottom), fraction(1 - left), fraction(1 - top)];
  if (angle === 270) return [top, fraction(1 - right), bottom, fraction(1 - left)];
  return box;
}

/** Mean certainty of a page's words, weighed by their length; 0 without any. */
function certainty({ textItems }: ParsedPage): number {
  let letters = 0;
  let sum = 0;
  for (const { text, confidence = 1 } of textItems) {
    letters += text.length;
    sum += text.length * confidence;
  }
  if (letters < 3 || !hasReadableText(textItems.map(({ text }) => text).join(' '))) return 0;
  return standsOnEnd(textItems) ? Math.min(sum / letters, onEnd) : sum / letters;
}

/** Words of a page that lies on one side are recognised as they stand, and come in an order that makes no sense. */
function standsOnEnd(items: ParsedPage['textItems']): boolean {
  const long = items.filter(({ text }) => text.length >= 4);
  return long.filter(({ width, height }) => height > width).length > long.length / 2;
}

/** What takes too much processor time goes on behind, until the process ends. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T | 'too late'> {
  const until = processorMs() + ms;
  const { promise, resolve } = Promise.withResolvers<'too late'>();
  const timer = setInterval(() => {
    if (processorMs() > until) resolve('too late');
  }, checkMs);
  return Promise.race([work, promise]).finally(() => clearInterval(timer));
}

/** Of all threads of this process. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
