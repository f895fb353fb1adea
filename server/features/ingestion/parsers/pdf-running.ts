import { letters } from './pdf-letters.ts';
import type { Line } from './pdf-lines.ts';

/** "Page 3 of 10", "- 12 -", "iv". */
const pageNumber = /^\W*(page|seite|p\.|s\.|página|pagina)?\s*([\divxlc]{1,7})\s*((of|von|de|sur|di|\/)\s*\d+)?\W*$/i;
/** Of a page's height, at its head and at its foot: where lines repeat themselves. */
const band = 0.12;
/** Lines from its head or foot on. */
const nearEdge = 4;
/** Shorter ones say nothing of what a page is about. */
const minTitle = 4;
const maxTitleLength = 120;

/** What of a page is its head and foot. */
export interface PageRunning {
  /** Their letters, as `letters` has them. */
  texts: Set<string>;
  /** The longest of them without its page number, where there is one. */
  title?: string;
}

/**
 * Heads and feet that repeat themselves over the pages of a document. The first time they are content (a title, a
 * notice); after that they would only repeat themselves in every search.
 */
export class RunningLines {
  readonly #seen = new Set<string>();
  /** Lines with a number that counts along with the pages: the page it was last on, and on how many in a row. */
  readonly #counting = new Map<string, { page: number; times: number }>();
  /** What page numbers are more than the number of the page, where a line was seen to count. */
  readonly #offsets = new Set<number>();

  /** To be asked once for each page, in their order. */
  of(lines: readonly Line[], { pageNum, height }: { pageNum: number; height: number }): PageRunning {
    const texts = new Set<string>();
    let title = '';
    for (const [i, { segments, top, bottom }] of lines.entries()) {
      const text = segments.map((each) => each.text).join(' ');
      const isOutermost = i === 0 || i === lines.length - 1;
      if (!isOutermost && bottom > height * band && top < height * (1 - band)) {
        // The page's number may stand above a foot of several lines.
        if (Math.min(i, lines.length - 1 - i) < nearEdge && this.#isNumberOf(text, pageNum)) texts.add(letters(text));
        continue;
      }
      if (!this.#isRunning(text, pageNum)) continue;
      texts.add(letters(text));
      for (const segment of segments) texts.add(letters(segment.text));
      const named = this.#withoutNumber(text, pageNum);
      if (named.length > title.length) title = named;
    }
    return {
      texts,
      ...(letters(title).length >= minTitle && { title: title.slice(0, maxTitleLength).toWellFormed() }),
    };
  }

  #isRunning(line: string, page: number): boolean {
    if (pageNumber.test(line.trim())) return true;
    const key = line.trim();
    const repeats = this.#seen.has(key);
    this.#seen.add(key);
    const counts = [/\d+/, /\d+(?=\D*$)/].map((number) => this.#countsAlong(key, number, page));
    return repeats || counts.includes(true) || this.#withoutNumber(key, page) !== key;
  }

  /** "Manual 2" on page 3, "Manual 3" on page 4: the third such line is a page's number, not a chapter's. */
  #countsAlong(line: string, number: RegExp, page: number): boolean {
    const digits = number.exec(line)?.[0];
    if (digits === undefined) return false;
    const offset = Number(digits) - page;
    const key = `${number.source} ${line.replace(number, `#${offset}`)}`;
    const before = this.#counting.get(key);
    const times = before && page > before.page && page - before.page <= 2 ? before.times + 1 : 1;
    this.#counting.set(key, { page, times });
    if (times > 2) this.#offsets.add(offset);
    return times > 2;
  }

  #isNumberOf(line: string, page: number): boolean {
    return [0, ...this.#offsets].some((offset) => line.trim() === String(page + offset));
  }

  /** A line without the page's number at its beginning or end. */
  #withoutNumber(line: string, page: number): string {
    for (const offset of this.#offsets) {
      const number = String(page + offset);
      if (!line.includes(number)) continue;
      const at = new RegExp(
        `^(?:page\\s*)?${number}(?!\\d)[\\s|·•–—-]*|[\\s|·•–—-]*(?:\\bpage\\s*)?(?<!\\d)${number}$`,
        'i',
      );
      const rest = line.replace(at, '');
      if (rest !== line) return rest.trim();
    }
    return line;
  }
}
