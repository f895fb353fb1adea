/** What a parser makes of a file, and what everything after it works on. */

/** One piece of a document in reading order: what a citation can point at. */
export interface Block {
  kind: 'heading' | 'paragraph' | 'item' | 'row' | 'code';
  /** Of a heading: 1 to 6. */
  level?: number;
  /** A table row's text is its cells joined by ` | `. Never contains a line feed, except in `code`. */
  text: string;
  /** 1-based page or slide, where the format has them. */
  page?: number;
  /** Of a row: its cells; `header` marks the table's header row. */
  cells?: string[];
  header?: boolean;
  /** Of a row: the labels that it stands below, outermost first: `Programs` of `Fees` in a table with both. */
  parents?: string[];
  /** Of the first row of a table, where the reader knows more of it than its rows say. */
  table?: TableHead;
  /** It is the head or foot of its page, which other pages have, too: read, but not searched. */
  running?: boolean;
  /** Of the first block of a page: what the page's head says, where it has one that other pages have, too. */
  context?: string;
  /** The page on which it ends, where that is another one than it begins on. */
  lastPage?: number;
  /** Name of the sheet, slide or chapter that starts with this block. */
  part?: string;
  /**
   * Where it stands on its page, as fractions of the page's width and height from the top left corner: left, top,
   * right, bottom. Of PDF and pictures, where the reader knows.
   */
  box?: [number, number, number, number];
}

/**
 * What stands above a table, for all of its rows. Word for word the document's, but for lines that are put together.
 */
export interface TableHead {
  /**
   * The full name of each column, that of the labels first; a name over several columns is in each. None: no header.
   */
  columns: string[];
  /** The lines above the table that name it. */
  caption?: string;
  /** What its figures count: `in thousands`, `€`. */
  unit?: string;
  /** Of a spreadsheet: the name of its sheet. */
  sheet?: string;
  /** Its rows are the fields of a mail: who sent it to whom, when, and what about. */
  isMailHead?: boolean;
}

/** A block with its place in the version's text: all blocks joined by one line feed, in UTF-16 code units. */
export interface PlacedBlock extends Block {
  index: number;
  start: number;
  end: number;
  /** Of a row: index of the first row of its table. */
  tableStart?: number;
}

/** What is searched: a run of blocks. */
export interface Chunk {
  index: number;
  /** The headings above it, outermost first. */
  headingPath: string[];
  page?: number;
  /** The page on which it ends, where that is another one than it begins on. */
  lastPage?: number;
  start: number;
  end: number;
  firstBlock: number;
  lastBlock: number;
  text: string;
  /** What it is written in (ISO 639-1), once all of the document is known; null where that can't be told. */
  language?: string | null;
}

/** Formats that are read. What the content is decides, not the extension. */
export const formats = {
  pdf: { mediaType: 'application/pdf', label: 'PDF' },
  docx: { mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', label: 'Word (DOCX)' },
  pptx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    label: 'PowerPoint (PPTX)',
  },
  xlsx: { mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', label: 'Excel (XLSX)' },
  csv: { mediaType: 'text/csv', label: 'CSV and TSV' },
  odt: { mediaType: 'application/vnd.oasis.opendocument.text', label: 'OpenDocument text (ODT)' },
  odp: { mediaType: 'application/vnd.oasis.opendocument.presentation', label: 'OpenDocument slides (ODP)' },
  ods: { mediaType: 'application/vnd.oasis.opendocument.spreadsheet', label: 'OpenDocument sheets (ODS)' },
  rtf: { mediaType: 'application/rtf', label: 'RTF' },
  html: { mediaType: 'text/html', label: 'HTML' },
  markdown: { mediaType: 'text/markdown', label: 'Markdown' },
  text: { mediaType: 'text/plain', label: 'plain text' },
  eml: { mediaType: 'message/rfc822', label: 'e-mail (EML)' },
  epub: { mediaType: 'application/epub+zip', label: 'EPUB' },
  png: { mediaType: 'image/png', label: 'PNG' },
  jpeg: { mediaType: 'image/jpeg', label: 'JPEG' },
  tiff: { mediaType: 'image/tiff', label: 'TIFF' },
  webp: { mediaType: 'image/webp', label: 'WebP pictures' },
} as const;
export type Format = keyof typeof formats;
