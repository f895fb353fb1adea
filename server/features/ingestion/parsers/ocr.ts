import { LiteParse, type ParsedPage } from '@llamaindex/liteparse';
import type { Block } from '../document.ts';
import type { OcrSettings } from './parser.ts';
import { hasReadableText, pageBlocks, RunningLines } from './pdf-page.ts';

/** What was read from the picture of a page; without blocks, `why` not. */
export interface OcrPage {
  blocks: Block[];
  why?: string;
  /** How many pages the file has. */
  pages: number;
}

const whyNothing = 'no text could be recognised in its picture.';
const whySlow = 'recognising the text in its picture took too long.';
const whyBudget = 'the file has more scanned pages than can be read in one go. Please split it into smaller files.';

/** Dots per inch at which a page is looked at: more takes longer and finds nothing more in common print. */
const dpi = 150;
/** Of 1. Below it a page is likely to lie on its side. */
const surely = 0.7;
/** Of 1. What is below is noise: a texture, a drawing. */
const readable = 0.5;

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
    if (left <= 0) return this.#nothing(whyBudget);
    const page = await inTime(this.#recognise(number), Math.min(left, this.#settings.pageMs));
    if (page === 'too late') return this.#nothing(left < this.#settings.pageMs ? whyBudget : whySlow);
    if (!page) return this.#nothing(whyNothing);
    this.#chooseLanguage(page.textItems.map(({ text }) => text).join(' '));
    const blocks = scannedBlocks(pageBlocks(page, new RunningLines()));
    return blocks.length > 0 ? { blocks, pages: this.#pages } : this.#nothing(whyNothing);
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
    const result = await new LiteParse({
      outputFormat: 'markdown',
      ocrEnabled: true,
      ocrLanguage: this.#languages,
      tessdataPath: this.#settings.dataPath,
      ocrFailureFatal: false,
      imageMode: 'off',
      extractLinks: false,
      extractBlocks: true,
      dpi,
      quiet: true,
      numWorkers: 1,
      targetPages: String(number),
      ...(angle !== 0 && { pageOrientationCorrections: [{ page: number, angle }] }),
    }).parse(this.#path);
    this.#pages = result.totalPages;
    return result.pages[0] ?? null;
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

/**
 * The size of letters in a picture is a guess, so that lines of a paragraph come as headings: only a line that stands
 * alone and reads like one is, and a sentence goes on where the next line begins with a small letter.
 */
function scannedBlocks(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    const isHeading =
      block.kind === 'heading' &&
      (block.level ?? 6) <= 2 &&
      block.text.length <= 80 &&
      /^[\p{Lu}\p{N}]/u.test(block.text) &&
      !/[.,;:!?-]$/.test(block.text);
    const kind = block.kind === 'heading' && !isHeading ? 'paragraph' : block.kind;
    if (kind === 'paragraph' && last?.kind === 'paragraph' && goesOn(last.text, block.text)) {
      const broken = /\p{L}-$/u.test(last.text);
      last.text = broken ? last.text.slice(0, -1) + block.text : `${last.text} ${block.text}`;
      if (last.box && block.box) last.box = around(last.box, block.box);
    } else {
      const { level, ...rest } = block;
      joined.push({ ...rest, kind, ...(kind === 'heading' && level !== undefined && { level }) });
    }
  }
  return joined;
}

function goesOn(before: string, text: string): boolean {
  return /^\p{Ll}/u.test(text) && !/[.!?:]["”’)]?$/.test(before);
}

function around(a: NonNullable<Block['box']>, b: NonNullable<Block['box']>): NonNullable<Block['box']> {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

/** What takes too long goes on behind, until the process ends. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T | 'too late'> {
  const { promise, resolve } = Promise.withResolvers<'too late'>();
  const timer = setTimeout(() => resolve('too late'), ms);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
