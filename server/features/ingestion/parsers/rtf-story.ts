import type { Block } from '../document.ts';
import { tableBlocks } from './table.ts';

/** Blocks of an RTF text as its control words come: the body, a note, a text box. */
export class RtfStory {
  level: number | undefined;
  isItem = false;
  inTable = false;
  readonly #blocks: Block[] = [];
  #text: string;
  /** Notes and text boxes that follow the paragraph or the table. */
  #after: Block[] = [];
  #cells: string[] = [];
  #rows: string[][] = [];
  #hasRow = false;

  constructor(opening = '') {
    this.#text = opening;
  }

  text(text: string): void {
    this.#text += text;
  }

  after(blocks: readonly Block[]): void {
    // What belongs to the paragraph after a table is none of its notes.
    if (!this.inTable) this.#endTable();
    this.#after.push(...blocks);
  }

  resetParagraph(): void {
    this.level = undefined;
    this.isItem = false;
    this.inTable = false;
  }

  paragraph(): void {
    if (this.inTable) {
      this.#text += ' ';
      return;
    }
    this.#endTable();
    const text = this.#text;
    this.#text = '';
    const { level } = this;
    if (text.trim() !== '') {
      const isHeading = level !== undefined && level >= 1 && level <= 9;
      // A bullet of a symbol font is a sign that means nothing outside it, or none at all.
      const shown = this.isItem ? text.replace(/^\s*[·•\ufffd\uf000-\uf0ff]\s*/u, '') : text;
      if (isHeading) this.#blocks.push({ kind: 'heading', level: Math.min(level, 6), text: shown });
      else this.#blocks.push({ kind: this.isItem ? 'item' : 'paragraph', text: shown });
    }
    this.#blocks.push(...this.#after.splice(0));
  }

  cell(): void {
    this.#cells.push(this.#text.trim());
    this.#text = '';
  }

  row(): void {
    if (this.#cells.length > 0) this.#rows.push(this.#cells);
    this.#cells = [];
    this.#hasRow = true;
  }

  end(): Block[] {
    this.inTable = false;
    if (this.#cells.length > 0) this.row();
    this.paragraph();
    this.#endTable();
    return this.#blocks;
  }

  #endTable(): void {
    if (!this.#hasRow) return;
    this.#hasRow = false;
    const rows = this.#rows.splice(0);
    const isLayout = rows.every((row) => row.length <= 1);
    if (isLayout) for (const text of rows.flat()) this.#blocks.push({ kind: 'paragraph', text });
    else this.#blocks.push(...tableBlocks(rows));
    this.#blocks.push(...this.#after.splice(0));
  }
}
