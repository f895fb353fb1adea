import type { Block } from '../document.ts';

/** Longer ones end somewhere, whatever they end with. */
const maxTailLength = 600;
const sentenceEnd = /[.!?…]["'”’»)\]]*(?=\s|$)/u;

/**
 * Puts the end of a sentence that runs on over the next page to its beginning, so that it can be quoted whole. Both
 * pages keep everything else; the first one's head and foot come after it.
 *
 * @param before blocks of a page, changed in place
 * @param after those of the next one, changed in place
 */
export function joinOverPages(before: Block[], after: Block[]): void {
  const last = before.findLast(({ running }) => !running);
  const next = after[0];
  if (last?.kind !== 'paragraph' || next?.kind !== 'paragraph' || next.running) return;
  if (!/[\p{L}\p{N},–-]$/u.test(last.text) || !/^\p{Ll}/u.test(next.text) || next.page !== (last.page ?? 0) + 1) return;
  const end = sentenceEnd.exec(next.text);
  const length = end ? end.index + end[0].length : next.text.length;
  if (length > maxTailLength) return;
  const tail = next.text.slice(0, length);
  const rest = next.text.slice(length).trim();
  // A word that the end of the page broke.
  const isBroken = /\p{L}-$/u.test(last.text);
  last.text = isBroken ? last.text.slice(0, -1) + tail : `${last.text} ${tail}`;
  last.lastPage = next.page;
  if (rest !== '') next.text = rest;
  else {
    const [gone, following] = after;
    if (gone?.context !== undefined && following) following.context = gone.context;
    after.shift();
  }
}
