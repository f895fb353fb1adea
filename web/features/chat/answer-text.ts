import type { Nodes, Root, Text } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { parseMarkers } from '#contract/citations.ts';

/** What is known of a run of text: nothing more, a claim that its sources do not say or say otherwise, or not checked (yet). */
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
  const whole = (growing ? answer.replace(halfMarker, '') : answer).replaceAll(placeholders, '\uFFFD');
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
  const tree = fromMarkdown(markdown, { extensions: [{ disable: { null: unwanted } }] });
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

/** Where unsupported claims start and end, in order. A start goes behind what makes a line an item, a quote or a heading. */
function cutsOf(whole: string, claims: readonly (Claim & { standing: Standing })[]): Cut[] {
  const cuts: Cut[] = [];
  for (const { start, end, standing } of claims.toSorted((one, other) => one.start - other.start)) {
    const from = Math.max(start, cuts.at(-1)?.at ?? 0);
    if (!(end > from && end <= whole.length)) continue;
    const claim = whole.slice(from, end);
    const begins = from === 0 || whole[from - 1] === '\n' ? (lineStart.exec(claim)?.[0].length ?? 0) : 0;
    if (begins >= claim.length) continue;
    cuts.push(
      { kind: 'claim-start', at: from + begins, standing },
      { kind: 'claim-end', at: from + claim.trimEnd().length, standing },
    );
  }
  return cuts;
}

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
