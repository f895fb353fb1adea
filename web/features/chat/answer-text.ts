import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { parseMarkers } from '#contract/citations.ts';

/** A run of an answer's text, or the numbers of one marker in it. */
export type Inline = { text: string } | { numbers: readonly number[]; raw: string };

export interface AnswerText {
  tree: Root;
  /** Cuts a piece of the tree's text at the markers in it. */
  inlines: (text: string) => Inline[];
  /** A piece of code, in which a marker is none. */
  plain: (text: string) => string;
}

/**
 * Reads an answer: simple markdown, with markers. The markers are found in the answer as it was sent, exactly as the
 * server found them when it checked them; nothing that markdown makes of the text can turn into one.
 *
 * @param growing the end is still on its way: half a marker there is held back
 */
export function readAnswer(answer: string, growing = false): AnswerText {
  const whole = (growing ? answer.replace(halfMarker, '') : answer).replaceAll(placeholders, '\uFFFD');
  const markers: { numbers: number[]; raw: string }[] = [];
  let markdown = '';
  for (const segment of parseMarkers(whole)) {
    if (segment.kind === 'text') {
      markdown += segment.text;
    } else {
      // A marker belongs to the word before it, and must not start a line alone.
      markdown = `${markdown.replace(/[ \t]+$/, '')}${opening}${markers.length}${closing}`;
      markers.push(segment);
    }
  }
  return {
    tree: fromMarkdown(markdown, { extensions: [{ disable: { null: unwanted } }] }),
    inlines: (text) =>
      text.split(placeholder).flatMap((piece, place): Inline[] => {
        const marker = place % 2 === 1 ? markers[Number(piece)] : undefined;
        if (marker) return [marker];
        return piece === '' ? [] : [{ text: piece }];
      }),
    plain: (text) => text.replaceAll(new RegExp(placeholder, 'g'), (_, place) => markers[Number(place)]?.raw ?? ''),
  };
}

const halfMarker = /[[【][\d\s,;–-]*$/;
// Private characters of Unicode, which mean nothing in any text.
const opening = '\uE000';
const closing = '\uE001';
const placeholders = /[\uE000\uE001]/g;
const placeholder = /\uE000(\d+)\uE001/;

/**
 * Links and images could lead a reader where a document's author wants; markup stays text, and indented lines are no
 * code, since quotes may start with spaces.
 */
const unwanted = [
  'htmlFlow',
  'htmlText',
  'autolink',
  'definition',
  'labelStartImage',
  'labelStartLink',
  'codeIndented',
  'setextUnderline',
  'thematicBreak',
];
