import { LiteParse, type ParsedPage } from '@llamaindex/liteparse';
import type { Block } from '../document.ts';
import { gaps } from '../reasons.ts';
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

const config = { outputFormat: 'markdown', imageMode: 'off', extractLinks: false, quiet: true, numWorkers: 1 } as const;

const angles = [90, 270, 180] as const;
type Angle = 0 | (typeof angles)[number];

/** Words that are common in one of the languages, and hardly stand in the others. */
const commonWords: Record<string, RegExp> = {
  eng: /\b(the|and|of|is|that|with|for|this|are|from)\b/gi,
  deu: /\b(der|und|die|das|nicht|ist|mit|für|von|zu|den|ein)\b/gi,
  fra: /\b(les|et|des|est|une|dans|pour|que|du|vous|avec)\b/gi,
  spa: /\b(el|los|del|las|una|por|con|para|que|está|como)\b/gi,
};

/** Reads pictures of pages with the reader that the PDF library brings, page by page, within a budget of time. */
export class Ocr {
  readonly #path: string;
  readonly #settings: OcrSettings;
  readonly #deadline: number;
  #languages: string;
  #angle: Angle = 0;
  #pages = 1;

  constructor(path: string, settings: OcrSettings) {
    this.#path = path;
    this.#settings = settings;
    this.#deadline = performance.now() + settings.totalMs;
    this.#languages = settings.languages.join('+');
  }

  /** @param number 1-based */
  async read(number: number): Promise<OcrPage> {
    const left = this.#deadline - performance.now();
    if (left <= 0) return this.#nothing(gaps['many-scans']);
    const page = await inTime(this.#readTwice(number), Math.min(left, this.#settings.pageMs));
    if (page === 'too late')
      return this.#nothing(left < this.#settings.pageMs ? gaps['many-scans'] : gaps['slow-page']);
    const blocks = page ? scannedBlocks(page) : [];
    return blocks.length > 0 ? { blocks, pages: this.#pages } : this.#nothing(gaps['no-words']);
  }

  /** Again when its language turns out to be another than the first: several at once take ü for ii. */
  async #readTwice(number: number): Promise<ParsedPage | null> {
    const page = await this.#recognise(number);
    const before = this.#languages;
    if (page) this.#chooseLanguage(page.textItems.map(({ text }) => text).join(' '));
    const isFirst = this.#languages === this.#settings.languages[0];
    return before === this.#languages || isFirst ? page : this.#look(number, this.#angle);
  }

  #nothing(why: string): OcrPage {
    return { blocks: [], why, pages: this.#pages };
  }

  async #recognise(number: number): Promise<ParsedPage | null> {
    const upright = await this.#look(number, this.#angle);
    let best = upright;
    if (upright && certainty(upright) < surely) {
      for (const angle of angles) {
        const turned = await this.#look(number, angle);
        if (!turned || certainty(turned) <= certainty(best ?? upright)) continue;
        best = turned;
        if (certainty(turned) < surely) continue;
        // The pages after it are likely to lie the same way.
        this.#angle = angle;
        break;
      }
    }
    return best && certainty(best) >= readable ? best : null;
  }

  async #look(number: number, angle: Angle): Promise<ParsedPage | null> {
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
    return result.pages[0] ?? null;
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

/** Mean certainty of a page's words, weighed by their length; 0 without any. */
function certainty({ textItems }: ParsedPage): number {
  let letters = 0;
  let sum = 0;
  for (const { text, confidence = 1 } of textItems) {
    letters += text.length;
    sum += text.length * confidence;
  }
  return letters < 3 || !hasReadableText(textItems.map(({ text }) => text).join(' ')) ? 0 : sum / letters;
}

/** What takes too long goes on behind, until the process ends. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T | 'too late'> {
  const { promise, resolve } = Promise.withResolvers<'too late'>();
  const timer = setTimeout(() => resolve('too late'), ms);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
