import type { ParsedPage } from '@llamaindex/liteparse';

/** Of the width of its letters: a font whose letters are said to be taller is wrong about itself. */
const tallest = 7;

/**
 * Fonts that say their letters are taller than lines are apart. The layout reader takes letters that lie within each
 * other for the same ones, and so leaves words out of pages that are set in them; pdf.js goes by the size they are set
 * in.
 */
export class TallFonts {
  readonly #names = new Set<string>();

  /** Whether a page of the document has words in such a font. To be asked in the order of the pages. */
  areOn({ textItems }: ParsedPage): boolean {
    for (const { text, width, height, rotation, fontName = '' } of textItems) {
      if (!rotation && text.length > 2 && height > (width / text.length) * tallest) this.#names.add(fontName);
    }
    return this.#names.size > 0 && textItems.some(({ fontName = '' }) => this.#names.has(fontName));
  }
}
