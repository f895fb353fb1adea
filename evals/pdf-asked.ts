import type { Answer } from './asked.ts';
import { plain } from './plain.ts';

export interface PdfQuestion {
  id: string;
  question: string;
  /** As they stand on the pages. */
  answers: string[];
  doc: string | null;
  /** 1-based. */
  pages: number[];
  kind: string | null;
  row?: string | null;
  answerable: boolean;
  lang: string;
  /** Pages of other files that say the same. */
  also?: { doc: string; pages: number[] }[];
}

/** What became of a question. Pages as `pageId` names them, best first. */
export interface AskedPdf {
  question: PdfQuestion;
  gold: string[];
  found: string[];
  /** Of the passages that quotes are taken from, and that a model is given. */
  read: string[];
  answer: Answer;
  /** The pages of all quotes, also of those found beside the answer. */
  sources: string[];
  /** The quotes that a reader is shown at once, by their pages. */
  shown: { page: string; quote: string }[];
  ms: number;
}

export function isRead({ read, gold }: AskedPdf): boolean {
  return read.some((page) => gold.includes(page));
}

export function isInSources({ sources, gold }: AskedPdf): boolean {
  return sources.some((page) => gold.includes(page));
}

export function isShown({ shown, gold }: AskedPdf): boolean {
  return shown.some(({ page }) => gold.includes(page));
}

export function isFirst({ shown, gold }: AskedPdf): boolean {
  return shown.slice(0, 1).some(({ page }) => gold.includes(page));
}

export function isRefused({ answer }: AskedPdf): boolean {
  return !answer.answered;
}

export function isQuoted({ question, shown }: AskedPdf): boolean {
  return hasString(question, shown);
}

export function isInAnyQuote({ question, answer }: AskedPdf): boolean {
  return hasString(question, answer.sources);
}

function hasString({ answers }: PdfQuestion, quotes: readonly { quote: string }[]): boolean {
  return answers.some((gold) => quotes.some(({ quote }) => plain(quote).includes(plain(gold))));
}

/** What keeps the answer from a reader, from the first step on; 'shown': nothing does. */
export type Cause =
  | 'page not read'
  | 'refused'
  | 'another page quoted'
  | 'another line of the page'
  | 'found beside'
  | 'shown';

export const causes: Cause[] = [
  'page not read',
  'refused',
  'another page quoted',
  'another line of the page',
  'found beside',
  'shown',
];

/** Of a question that is answered somewhere. */
export function causeOf(asked: AskedPdf): Cause {
  if (isQuoted(asked)) return 'shown';
  if (!isRead(asked)) return 'page not read';
  if (isRefused(asked)) return 'refused';
  if (isInAnyQuote(asked)) return 'found beside';
  return isShown(asked) ? 'another line of the page' : 'another page quoted';
}
