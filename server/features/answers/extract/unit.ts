import type { TableHead } from '#server/features/ingestion/document.ts';

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
  /** Of a row: the labels that it stands below, outermost first. */
  parents?: string[] | null;
  /**
   * Of a row: index of the first row of its table; of that one, what is known of the table. Both lack in older
   * versions.
   */
  tableStart?: number | null;
  table?: TableHead | null;
  /** Left, top, right, bottom on its page, as shares of the page's width and height; absent where that is not known. */
  box?: number[] | null;
}

/** What a table row says, and what stands above it. */
export interface UnitRow {
  cells: string[];
  /** The names of the columns, several lines as one. */
  header: string[] | null;
  /** The labels that it stands below, outermost first. */
  parents?: string[];
  /** What its table is called, and what its figures count, where the reader of the file knows. */
  caption?: string;
  unit?: string;
  /** Of a spreadsheet: the name of its sheet. */
  sheet?: string;
  /** It is a field of a mail: who sent it to whom, when, or what about. */
  isMailHead?: boolean;
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
  /** The blanks between it and the unit before it in its block; absent: it is the first there. */
  gap?: string;
  /** Of its block. */
  box?: readonly [left: number, top: number, right: number, bottom: number];
  /** The heading right above it. */
  heading: string;
  row?: UnitRow;
}
