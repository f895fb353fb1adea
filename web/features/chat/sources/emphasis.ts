import type { Source } from '#web/features/chat/conversation/message.ts';

/** A text before, of and behind the short answer in it. */
export type Emphasised = readonly [before: string, answer: string, after: string];

/** A quote at its short answer; null where it has none. */
export function emphasisOf({ quote, emphasis }: Pick<Source, 'quote' | 'emphasis'>): Emphasised | null {
  // What comes over the wire, or was kept from before, may be anything.
  if (!emphasis || !(emphasis.start >= 0 && emphasis.start < emphasis.end && emphasis.end <= quote.length)) return null;
  const { start, end } = emphasis;
  return [quote.slice(0, start), quote.slice(start, end), quote.slice(end)];
}

/**
 * The same of a text in which a quote is shown, a table's row perhaps with the names of its columns. Null where the
 * short answer stands in it more than once, or not at all.
 */
export function emphasisIn(text: string, source: Pick<Source, 'quote' | 'emphasis'>): Emphasised | null {
  const own = emphasisOf(source);
  if (!own) return null;
  const at = text.indexOf(source.quote);
  if (at !== -1) return [text.slice(0, at) + own[0], own[1], own[2] + text.slice(at + source.quote.length)];
  const [before, after, ...more] = text.split(own[1]);
  return before === undefined || after === undefined || more.length > 0 ? null : [before, own[1], after];
}
