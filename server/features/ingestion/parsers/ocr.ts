import { LiteParse, type LiteParseInput, type ParsedPage } from '@llamaindex/liteparse';
import type { Block } from '../document.ts';
import { gaps } from '../reasons.ts';
import { type Angle, angles, plus, turnedBack } from './angle.ts';
import { isBlankPage } from './blank.ts';
import { scannedBlocks } from './ocr-layout.ts';
import type { OcrSettings } from './parser.ts';
import { hasReadableText } from './pdf-letters.ts';

/**
 * What was read from the picture of a page, and why it is not all that is written on it; neither, where it is blank.
 */
export interface OcrPage {
  blocks: Block[];
  why?: string;
  /** How many pages the file has. */
  pages: number;
}

/**
 * Dots of the longer side of a page when it is looked at: 170 an inch on A4. More takes longer and finds no more in
 * common print; a smaller picture is enlarged, at most to twice its size, which small letters need.
 */
const longSide = 2000;
const dpiRange = [50, 300] as const;
/** The same of a quick look in one language: print of common size is no words yet, but something like letters. */
const quickSide = 1400;
/** Letters that are none: a texture, an edge. */
const fewLetters = 3;
/** Processor time for the quick looks of a document. Where more are wanted, it is one of many pictures. */
const quickMs = 4000;
/** Of 1. Below it a page is likely to lie on its side. */
const surely = 0.7;
/** Of 1. What is below is noise: a texture, a drawing. */
const readable = 0.5;
/** Of 1. Below it a word is a guess: print in a language that is known has hardly one (0 to 6 in 100 letters). */
const guess = 0.6;
/** Of a page's letters: more of them in guesses are handwriting, or another language. */
const maxGuesses = 0.16;
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

/** A page that is to be read. */
interface Wanted {
  number: number;
  asDrawn: boolean;
}

/** Where a page is found, and how large it is to be drawn. */
interface Sheet {
  input: LiteParseInput;
  number: number;
  dpi: number;
}

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
  #spentMs = 0;
  #quickMs = 0;
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
    this.#languages = settings.languages.join('+');
  }

  /**
   * What there is to be said of a page in whose picture no word stands; null where one may. By quick looks at it as it
   * lies and on its side: for a photograph they take a tenth of the time of `read`. Print is taken for some letters or
   * other in whatever language it is, and upside down.
   * @param number 1-based
   */
  async wordless(number: number): Promise<OcrPage | null> {
    const { known = [], languages } = this.#settings;
    if (known.some((each) => each.number === number)) return null;
    const before = processorMs();
    try {
      const sheet = { input: this.#path, number, dpi: dpiOf(await this.#measure(this.#path, number), quickSide) };
      for (const angle of [this.#angle, plus(this.#angle, 90)]) {
        const left = quickMs - this.#quickMs - (processorMs() - before);
        const look = left > 0 ? await inTime(this.#look(sheet, angle, languages[0]), left) : null;
        if (look === 'too late' || !look || recognisedLetters(look.page) >= fewLetters) return null;
      }
      return await this.#withoutWords(number);
    } finally {
      this.#quickMs += processorMs() - before;
    }
  }

  /**
   * @param number 1-based
   * @param asDrawn only what is seen of the page is read: not the words that lie invisible on it
   */
  async read(number: number, { asDrawn = false } = {}): Promise<OcrPage> {
    const known = this.#settings.known?.find((each) => each.number === number && each.asDrawn === asDrawn);
    if (known) {
      ({ languages: this.#languages, angle: this.#angle, spentMs: this.#spentMs } = known);
      this.#pages = known.found.pages;
      return known.found;
    }
    const left = this.#settings.totalMs - this.#spentMs;
    if (left <= 0) return this.#nothing(gaps['many-scans']);
    const before = processorMs();
    const found = await this.#readIn(left, number, asDrawn);
    this.#spentMs += processorMs() - before;
    const [languages, angle, spentMs] = [this.#languages, this.#angle, this.#spentMs];
    this.#settings.onPage?.({ number, asDrawn, found, languages, angle, spentMs });
    return found;
  }

  async #readIn(left: number, number: number, asDrawn: boolean): Promise<OcrPage> {
    const look = await inTime(this.#readTwice({ number, asDrawn }), Math.min(left, this.#settings.pageMs));
    if (look === 'too late')
      return this.#nothing(left < this.#settings.pageMs ? gaps['many-scans'] : gaps['slow-page']);
    if (look && shareOfGuesses(look.page) <= maxGuesses) return { blocks: this.#blocksOf(look), pages: this.#pages };
    const sure = look ? this.#blocksOf({ ...look, page: withoutGuesses(look.page) }) : [];
    if (sure.length > 0) return { blocks: sure, why: gaps['few-words'], pages: this.#pages };
    return this.#withoutWords(number);
  }

  async #withoutWords(number: number): Promise<OcrPage> {
    return (await this.#isBlank(number)) ? { blocks: [], pages: this.#pages } : this.#nothing(gaps['no-words']);
  }

  #blocksOf({ page, angle }: Look): Block[] {
    return turnedBack(scannedBlocks(page), plus(angle, this.#turn));
  }

  async #isBlank(number: number): Promise<boolean> {
    const { width = 0, height = 0 } = (await this.#measure(this.#path, number)) ?? {};
    return isBlankPage(this.#path, { pageNum: number, width, height }, { wordless: true });
  }

  /** Again when its language turns out to be another than the first: several at once take ü for ii. */
  async #readTwice(wanted: Wanted): Promise<Look | null> {
    const sheet = await this.#sheetOf(wanted);
    const look = await this.#recognise(sheet);
    const before = this.#languages;
    if (look) this.#chooseLanguage(look.page.textItems.map(({ text }) => text).join(' '));
    const isFirst = this.#languages === this.#settings.languages[0];
    return !look || before === this.#languages || isFirst ? look : this.#look(sheet, look.angle);
  }

  #nothing(why: string): OcrPage {
    return { blocks: [], why, pages: this.#pages };
  }

  async #recognise(sheet: Sheet): Promise<Look | null> {
    let best = await this.#look(sheet, this.#angle);
    for (const angle of angles) {
      if (!best || certainty(best.page) >= surely) break;
      if (angle === this.#angle) continue;
      const look = await this.#look(sheet, angle);
      if (look && certainty(look.page) > certainty(best.page)) best = look;
    }
    if (!best || certainty(best.page) < readable) return null;
    // The pages after it are likely to lie the same way.
    if (certainty(best.page) >= surely) this.#angle = best.angle;
    return best;
  }

  async #look({ input, number, dpi }: Sheet, angle: Angle, languages = this.#languages): Promise<Look | null> {
    const result = await new LiteParse({
      ...config,
      ocrEnabled: true,
      ocrLanguage: languages,
      tessdataPath: this.#settings.dataPath,
      ocrFailureFatal: false,
      dpi,
      targetPages: String(number),
      ...(angle !== 0 && { pageOrientationCorrections: [{ page: number, angle }] }),
    }).parse(input);
    this.#pages = Math.max(this.#pages, result.totalPages);
    const [page] = result.pages;
    return page ? { page, angle } : null;
  }

  async #sheetOf({ number, asDrawn }: Wanted): Promise<Sheet> {
    const dpi = dpiOf(await this.#measure(this.#path, number));
    if (!asDrawn) return { input: this.#path, number, dpi };
    const [picture] = await new LiteParse({ ...config, ocrEnabled: false, dpi }).screenshot(this.#path, [number]);
    const input = picture?.imageBuffer ?? this.#path;
    return picture ? { input, number: 1, dpi: dpiOf(await this.#measure(input, 1)) } : { input, number, dpi };
  }

  async #measure(input: LiteParseInput, number: number): Promise<ParsedPage | undefined> {
    const result = await new LiteParse({ ...config, ocrEnabled: false, targetPages: String(number) }).parse(input);
    return result.pages[0];
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

function dpiOf({ width = 0, height = 0 }: Partial<ParsedPage> = {}, side = longSide): number {
  const [least, most] = dpiRange;
  return Math.round(Math.min(Math.max((side / Math.max(width, height, 1)) * 72, least), most));
}

/** Mean certainty of the words that were recognised, weighed by their length; 0 without any. */
function certainty({ textItems }: ParsedPage): number {
  let letters = 0;
  let sum = 0;
  for (const { text, confidence } of textItems) {
    // A stamp that is text says nothing of the picture.
    if (confidence === undefined) continue;
    letters += text.length;
    sum += text.length * confidence;
  }
  if (letters < 3 || !hasReadableText(textItems.map(({ text }) => text).join(' '))) return 0;
  return standsOnEnd(textItems) ? Math.min(sum / letters, onEnd) : sum / letters;
}

/** Of words that stand in the picture: what is text beside it has no certainty. */
function recognisedLetters({ textItems }: ParsedPage): number {
  return textItems.reduce((sum, { text, confidence }) => (confidence === undefined ? sum : sum + text.length), 0);
}

/** Of a page's letters, those in words of which the reader is not sure. */
function shareOfGuesses({ textItems }: ParsedPage): number {
  const lettersOf = (items: ParsedPage['textItems']) => items.reduce((sum, { text }) => sum + text.length, 0);
  return lettersOf(textItems.filter(isGuess)) / Math.max(lettersOf(textItems), 1);
}

function withoutGuesses(page: ParsedPage): ParsedPage {
  return { ...page, textItems: page.textItems.filter((item) => !isGuess(item)) };
}

function isGuess({ confidence = 1 }: ParsedPage['textItems'][number]): boolean {
  return confidence < guess;
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
