import { hashed } from './hashed.ts';
import type { Lexicon } from './lexicon.ts';

/** A chunk's terms as a lexicon numbers them, one after the other. */
export interface TermLines {
  terms: readonly number[];
  /** Of its page, as the line says; empty where the format has no pages. */
  page: string;
  title: TermLine;
  about: TermLine;
  heading: TermLine;
  /** Sentences, items and rows. */
  lines: readonly TermLine[];
}

/** Where a line's terms stand among all, end exclusive. */
export interface TermLine {
  start: number;
  end: number;
  /** The number of its terms that stand before the tab: a row's first cell, a name without its brackets. */
  label: number;
}

const tab = 9;
const newline = 10;
const blank = 32;
const nothing: TermLine = { start: 0, end: 0, label: 0 };

/**
 * Reads the `terms` that `toTermLines` wrote. A question is compared with some 60,000 characters: cutting them by
 * expressions into words takes several times as long.
 */
export function readTermLines(text: string, lexicon: Lexicon): TermLines {
  const terms: number[] = [];
  const lines: TermLine[] = [];
  let line = { ...nothing };
  let hash = 0;
  const first = text.indexOf('\n');
  for (let from = first + 1, at = first + 1; at <= text.length; at++) {
    const code = at === text.length ? newline : text.charCodeAt(at);
    if (code > blank) {
      hash = hashed(hash, code);
      continue;
    }
    if (at > from) terms.push(lexicon.numberAt(text, from, at, hash));
    from = at + 1;
    hash = 0;
    if (code === tab) line.label = terms.length - line.start;
    if (code !== newline) continue;
    line.end = terms.length;
    lines.push(line);
    line = { ...nothing, start: terms.length };
  }
  const [title = nothing, about = nothing, heading = nothing, ...others] = lines;
  return { page: text.slice(0, Math.max(0, first)), terms, title, about, heading, lines: others };
}
