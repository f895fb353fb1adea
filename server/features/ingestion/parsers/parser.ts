import type { ArchiveLimits } from '../archive.ts';
import type { Block } from '../document.ts';
import type { Angle } from './angle.ts';

export interface ParserLimits extends ArchiveLimits {
  pages: number;
  rows: number;
  /** Of a file that is text. */
  textBytes: number;
  mailBytes: number;
  /** Absent: pictures are not read. */
  ocr?: OcrSettings | undefined;
}

/** How text in pictures is recognised. */
export interface OcrSettings {
  /** As Tesseract names them: `eng`, `deu`. */
  languages: string[];
  /** Folder with a `<language>.traineddata` for each. */
  dataPath: string;
  /** Processor time for one page, and for all of a document. */
  pageMs: number;
  totalMs: number;
  /** Pages that an earlier turn has recognised: not looked at again. */
  known?: readonly RecognisedPage[] | undefined;
  /** Told of each page that is recognised. */
  onPage?: (page: RecognisedPage) => void;
}

/** A page whose picture was recognised, and what the recogniser knew after it: enough to go on from there later. */
export interface RecognisedPage {
  number: number;
  asDrawn: boolean;
  found: { blocks: Block[]; why?: string | undefined; pages: number };
  languages: string;
  angle: Angle;
  /** Processor time for it and all before it. */
  spentMs: number;
}

export interface ParserInput {
  path: string;
  limits: ParserLimits;
}

/** A place that could not be read, and why, in a sentence. */
export interface Unreadable {
  page?: number;
  why: string;
}

/** Takes what a parser finds, in reading order. */
export interface Sink {
  /** Text as found: it is cleaned, split and left out when empty here, not by the parser. */
  block(block: Block): void;
  unreadable(place: Unreadable): void;
  /** A file inside this one. */
  attachment(name: string, bytes: Uint8Array): void;
  /** Asked before work that takes seconds a page; settles when the document may take as long. */
  slow(): Promise<void>;
  /** Units (pages, sheets) that are done, of how many. */
  progress(done: number, total: number): void;
  pages(count: number): void;
}

/** @throws ParseFailure; anything else that is thrown means that the file is damaged */
export type Parser = (input: ParserInput, sink: Sink) => Promise<void>;
