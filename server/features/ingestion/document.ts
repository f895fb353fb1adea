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
  /** Name of the sheet or part that starts with this block. */
  part?: string;
}

/** A block with its place in the version's text: all blocks joined by one line feed, in UTF-16 code units. */
export interface PlacedBlock extends Block {
  index: number;
  start: number;
  end: number;
}

/** What is searched: a run of blocks. */
export interface Chunk {
  index: number;
  /** The headings above it, outermost first. */
  headingPath: string[];
  page?: number;
  start: number;
  end: number;
  firstBlock: number;
  lastBlock: number;
  text: string;
}

/** Formats that are read. What the content is decides, not the extension. */
export const formats = {
  pdf: { mediaType: 'application/pdf', label: 'PDF' },
  docx: { mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', label: 'Word (DOCX)' },
  xlsx: { mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', label: 'Excel (XLSX)' },
  html: { mediaType: 'text/html', label: 'HTML' },
  markdown: { mediaType: 'text/markdown', label: 'Markdown' },
  text: { mediaType: 'text/plain', label: 'plain text' },
} as const;
export type Format = keyof typeof formats;
