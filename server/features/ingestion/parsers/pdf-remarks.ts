import type { ParsedPage } from '@llamaindex/liteparse';
import type { Block } from '../document.ts';
import { boxOf } from './pdf-boxes.ts';
import { letters } from './pdf-letters.ts';

const remarks = new Set(
  'text freetext highlight underline strikeout squiggly stamp caret ink square circle line'.split(' '),
);

/**
 * What readers wrote on a page: notes, and remarks on marked words. Of links and fields the page shows all there is.
 * @param said what was read of the page itself: a remark that is drawn on it may be in it
 */
export function remarkBlocks(page: ParsedPage, said: readonly { text: string }[]): Block[] {
  const there = letters(said.map(({ text }) => text).join(''));
  return (page.annotations ?? []).flatMap(({ subtype, contents = '', title, rect }) => {
    const wanted = letters(contents);
    if (!remarks.has(subtype) || wanted === '' || there.includes(wanted)) return [];
    const text = subtype === 'freetext' ? contents : `Comment${title ? ` (${title})` : ''}: ${contents}`;
    return [{ kind: 'paragraph' as const, text, page: page.pageNum, ...boxOf(rect, page) }];
  });
}
