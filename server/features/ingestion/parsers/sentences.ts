import type { Block } from '../document.ts';

/** Words of a line that may go on below: a label or an entry of a list has fewer. */
const minWords = 5;
/** In a text without capitals and full stops every line would go on. */
const maxLength = 1000;

/**
 * Puts together what is one sentence in two paragraphs, as in text that was pasted with its line ends: the first ends
 * within a sentence and the second begins with a small letter. One half alone may say the opposite.
 */
export function joinSentences(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (last && goesOn(last, block))
      joined[joined.length - 1] = { ...last, text: `${last.text.trimEnd()} ${block.text.trimStart()}` };
    else joined.push(block);
  }
  return joined;
}

function goesOn(before: Block, block: Block): boolean {
  return (
    before.kind === 'paragraph' &&
    block.kind === 'paragraph' &&
    block.part === undefined &&
    /^\s*\p{Ll}[\p{L}’']*[,\s]/u.test(block.text) &&
    /[\p{L}\p{N},–—)\]"”]\s*$/u.test(before.text) &&
    before.text.length + block.text.length < maxLength &&
    before.text.trim().split(/\s+/).length >= minWords
  );
}
