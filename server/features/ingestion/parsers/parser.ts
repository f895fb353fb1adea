import type { ArchiveLimits } from '../archive.ts';
import type { Block } from '../document.ts';

export interface ParserLimits extends ArchiveLimits {
  pages: number;
  rows: number;
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
  /** Units (pages, sheets) that are done, of how many. */
  progress(done: number, total: number): void;
  pages(count: number): void;
}

/** @throws ParseFailure; anything else that is thrown means that the file is damaged */
export type Parser = (input: ParserInput, sink: Sink) => Promise<void>;
