import type { Nodes, Root, Text } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import { parseMarkers } from '#contract/citations.ts';

/**
 * What is known of a run of text: nothing more, a claim that its sources do not say or say otherwise, or not checked
 * (yet).
 */
export type Standing = 'plain' | 'contradicted' | 'not-found' | 'unchecked' | 'checking';

/** A run of an answer's text, the numbers of one marker in it, or the end of a claim that has none. */
export type Inline =
  | { kind: 'text'; text: string; standing: Standing }
  | { kind: 'marker'; numbers: readonly number[]; raw: string; isChecking: boolean }
  | { kind: 'claim-end'; standing: Standing };

/** A claim, in UTF-16 code units of the answer, end exclusive. */
export interface Claim {
  start: number;
  end: number;
}

export interface AnswerText {
  tree: Root;
  /** A text of the tree, cut at the markers in it. */
  inlines: (node: Text) => readonly Inline[];
  /** A piece of code, in which a marker is none. */
  plain: (text: string) => string;
}

export interface ReadAnswerOptions {
  /** The end is still on its way: half a marker there is held back. */
  growing?: boolean;
  /** Claims that no passage supports, and why. */
  unsupported?: readonly (Claim & { reason?: 'contradicted' | 'not-found' | undefined })[];
  /** Claims on which words could not decide. */
  unchecked?: readonly Claim[];
  /** From here on it is not checked yet. */
  checkedTo?: number;
}

/**
 * Reads an answer: simple markdown, with markers. The markers are found in the answer as it was sent, exactly as the
 * server found them when it checked them; nothing that markdown makes of the text can turn into one.
 */
export function readAnswer(
  answer: string,
  { growing = false, unsupported = [], unchecked = [], checkedTo = answer.length }: ReadAnswerOptions = {},
): AnswerText {
  const whole = (growing ? withoutHead(answer.replace(halfMarker, '')) : answer).replaceAll(placeholders, '\uFFFD');
  const signs: Sign[] = [];
  const sign = (next: Sign) => `${opening}${signs.push(next) - 1}${closing}`;
  const cuts = cutsOf(whole, [
    ...unsupported.map((claim) => ({ ...claim, standing: claim.reason ?? ('not-found' as const) })),
    ...unchecked.map((claim) => ({ ...claim, standing: 'unchecked' as const })),
    ...(checkedTo < whole.length ? [{ start: checkedTo, end: whole.length, standing: 'checking' as const }] : []),
  ]);
  let markdown = '';
  let at = 0;
  for (const segment of parseMarkers(whole)) {
    const raw = segment.kind === 'text' ? segment.text : segment.raw;
    const end = at + raw.length;
    if (segment.kind === 'text') {
      for (; cuts[0] && cuts[0].at <= end; cuts.shift()) {
        markdown += whole.slice(at, cuts[0].at) + sign(cuts[0]);
        at = Math.max(at, cuts[0].at);
      }
      markdown += whole.slice(at, end);
    } else {
      // A marker belongs to the word before it, and must not start a line alone.
      markdown = `${markdown.replace(/[ \t]+$/, '')}${sign({ kind: 'marker', numbers: segment.numbers, raw, isChecking: at >= checkedTo })}`;
    }
    at = end;
  }
  markdown += cuts.map(sign).join('');
  const tree = fromMarkdown(markdown, {
    extensions: [gfmTable(), { disable: { null: unwanted } }],
    mdastExtensions: [gfmTableFromMarkdown()],
  });
  evenRows(tree);
  const read = inlinesOf(tree, signs);
  return {
    tree,
    inlines: (node) => read.get(node) ?? [],
    plain: (text) =>
      text.replaceAll(new RegExp(placeholder, 'g'), (_, place) => {
        const found = signs[Number(place)];
        return found?.kind === 'marker' ? found.raw : '';
      }),
  };
}

/**
 * How much of a growing text is settled: up to its last marker, the last claim that is marked, or the end of its last
 * sentence or line. What follows is being checked.
 *
 * @returns UTF-16 code units
 */
export function settledIn(text: string, marked: readonly Claim[]): number {
  const read = /^[\s\S]*(?:\]|[.!?。！？]["'»”’)*_]*(?=\s)|\n)/u.exec(text)?.[0].length ?? 0;
  return Math.max(read, ...marked.map(({ end }) => Math.min(end, text.length)));
}

/** What stands in the markdown as a placeholder. */
type Sign = Extract<Inline, { kind: 'marker' }> | Cut;
interface Cut {
  kind: 'claim-start' | 'claim-end';
  at: number;
  standing: Standing;
}

/**
 * Where unsupported claims start and end, in order. A start goes behind what makes a line an item, a quote or a
 * heading.
 */
function cutsOf(whole: string, claims: readonly (Claim & { standing: Standing })[]): Cut[] {
  const cuts: Cut[] = [];
  for (const { start, end, standing } of claims.toSorted((one, other) => one.start - other.start)) {
    const from = intoCell(whole, Math.max(start, cuts.at(-1)?.at ?? 0));
    if (!(end > from && end <= whole.length)) continue;
    const claim = whole.slice(from, outOfBars(whole, end));
    const begins = from === 0 || whole[from - 1] === '\n' ? (lineStart.exec(claim)?.[0].length ?? 0) : 0;
    if (begins >= claim.length) continue;
    cuts.push(
      { kind: 'claim-start', at: from + begins, standing },
      { kind: 'claim-end', at: from + claim.trimEnd().length, standing },
    );
  }
  return cuts;
}

/**
 * The place, or the next one in a cell where it is between cells: a sign beside a table's bars would be one cell more.
 */
function intoCell(whole: string, place: number): number {
  let at = place;
  while (at < whole.length) {
    const end = lineEnd(whole, at);
    const line = whole.slice(whole.lastIndexOf('\n', at - 1) + 1, end);
    if (!tableLine.test(line)) return at;
    if (!divider.test(line)) at += /^[\s|]*/.exec(whole.slice(at, end))?.[0].length ?? 0;
    if (at < end && !divider.test(line)) return at;
    at = end + 1;
  }
  return Math.min(at, whole.length);
}

/** The place, or the last one in a cell where it is between cells. */
function outOfBars(whole: string, place: number): number {
  let at = whole.slice(0, place).trimEnd().length;
  while (at > 0) {
    const from = whole.lastIndexOf('\n', at - 1) + 1;
    const line = whole.slice(from, lineEnd(whole, at));
    if (!tableLine.test(line)) return at;
    if (!divider.test(line)) at = from + whole.slice(from, at).replace(/[\s|]+$/, '').length;
    if (at > from && !divider.test(line)) return at;
    at = from - 1;
  }
  return Math.max(at, 0);
}

/**
 * No row has more cells than the head: one more would make all columns narrower. What it says stands in the last one.
 */
function evenRows(node: Nodes): void {
  if (node.type !== 'table') {
    if ('children' in node) for (const child of node.children) evenRows(child);
    return;
  }
  const [head, ...rows] = node.children;
  const columns = head?.children.length ?? 0;
  for (const { children } of rows) {
    for (const { children: more } of children.splice(columns))
      children.at(-1)?.children.push({ type: 'text', value: ' | ' }, ...more);
  }
}

function lineEnd(whole: string, at: number): number {
  const end = whole.indexOf('\n', at);
  return end === -1 ? whole.length : end;
}

/** A table's head is one once the dashes below it are whole: until then it is held back, and is never seen as bars. */
function withoutHead(growing: string): string {
  const lines = growing.replace(/\n$/, '').split('\n');
  const begins = lines.findLastIndex((line) => !tableLine.test(line)) + 1;
  const [head = '', dashes = ''] = lines.slice(begins);
  const isWhole = lines.length > begins + 2 || (dashes !== '' && columnsIn(dashes) >= columnsIn(head));
  return begins === lines.length || isWhole ? growing : lines.slice(0, begins).join('\n');
}

function columnsIn(line: string): number {
  return line.split('|').filter((cell, place) => place > 0 && cell.trim() !== '').length;
}

const tableLine = /^\s*\|/;
const divider = /^\s*\|[\s:|-]*-[\s:|-]*$/;
const lineStart = /^(?:\s*(?:[-*+]|\d+[.)]|>|#{1,6})\s+)*\s*/;

/** Reads the texts in their order, since a claim may begin in one (a bold word) and end in another. */
function inlinesOf(tree: Root, signs: readonly Sign[]): Map<Text, Inline[]> {
  const read = new Map<Text, Inline[]>();
  let standing: Standing = 'plain';
  const visit = (node: Nodes): void => {
    if ('children' in node) for (const child of node.children) visit(child);
    if (node.type !== 'text') return;
    const inlines: Inline[] = [];
    for (const [place, piece] of node.value.split(placeholder).entries()) {
      const sign = place % 2 === 1 ? signs[Number(piece)] : undefined;
      if (sign?.kind === 'marker') inlines.push(sign);
      else if (sign) standing = sign.kind === 'claim-start' ? sign.standing : 'plain';
      else if (piece !== '') inlines.push({ kind: 'text', text: piece, standing });
      if (sign?.kind === 'claim-end' && sign.standing !== 'checking')
        inlines.push({ kind: 'claim-end', standing: sign.standing });
    }
    read.set(node, inlines);
  };
  visit(tree);
  return read;
}

const halfMarker = /[[【][\s\d,;–-]*$/;
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
