/** The longest quote, in UTF-16 code units. */
export const maxQuoteLength = 300;

/** A block as quotes are taken from it. */
export interface QuotableBlock {
  /** Its place among the blocks of its version. */
  index: number;
  kind: 'heading' | 'paragraph' | 'item' | 'row' | 'code';
  text: string;
  start: number;
  page: number | null;
  cells: string[] | null;
  header: boolean;
  /** Left, top, right, bottom on its page, as shares of the page's width and height; absent where that is not known. */
  box?: number[] | null;
}

/** A sentence, list item, table row or line: what one quote may be. */
export interface Unit {
  text: string;
  /** Index of the block that it is a part of. */
  block: number;
  /** Offsets into the version's text, end exclusive. */
  start: number;
  end: number;
  page: number | null;
  /** Of its block. */
  box?: readonly [left: number, top: number, right: number, bottom: number];
  /** The heading right above it. */
  heading: string;
  /** Of a table row: its cells, and those of the header above. */
  row?: { header: string[] | null; cells: string[] };
}
