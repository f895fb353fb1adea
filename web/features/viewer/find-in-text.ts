import { readingQuery } from '#web/api/documents.ts';
import { queryClient } from '#web/api/query-client.ts';
import { findWords } from './find-words.ts';
import { light, rangeOf } from './highlights.ts';
import { type Block, cellsOf } from './reading-view.ts';
import type { Batch, Found } from './use-find.ts';

/** Blocks asked for at once. */
export const windowSize = 1000;

/** All blocks of a text, from the first on. */
export async function* textsOf(
  { documentId, version, blocks }: { documentId: string; version: number; blocks: number },
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  for (let from = 0; from < blocks && !signal.aborted; from += windowSize) {
    const window = await queryClient.fetchQuery(readingQuery({ documentId, version, from, limit: windowSize }));
    yield window.blocks.map((block) => ({ at: block.index, pieces: piecesOf(block) }));
  }
}

function piecesOf(block: Block): readonly string[] {
  return block.kind === 'row' ? cellsOf(block) : [block.text];
}

/**
 * Lights what was found in the blocks that are drawn in an element.
 *
 * @returns the one that is looked at, where it is among them, and the way to put them out
 */
export function lightIn(
  holder: Element,
  { words, hits, now }: Found,
  { first, end }: { first: number; end: number },
): { lit: HTMLElement | null; putOut: () => void } {
  const chosen = hits[now];
  const here = new Set(hits.filter(({ at }) => at >= first && at < end).map(({ at }) => at));
  const ranges: Range[] = [];
  let lit: Range | null = null;
  for (const at of here) {
    const items = itemsOf(holder, at);
    const places = findWords(
      items.map(({ textContent }) => textContent),
      words,
    );
    for (const [place, spans] of places.entries()) {
      const range = rangeOf(items, spans);
      if (!range) continue;
      ranges.push(range);
      if (chosen?.at === at && chosen.place === place) lit = range;
    }
  }
  return {
    lit: lit?.startContainer.parentElement ?? null,
    putOut: light(ranges, lit ?? undefined),
  };
}

/** The elements of a block's texts: of a row its cells. */
function itemsOf(holder: Element, at: number): HTMLElement[] {
  const block = holder.querySelector<HTMLElement>(`[data-at="${at}"]`);
  if (!block) return [];
  return block.tagName === 'TR' ? Array.from(block.querySelectorAll<HTMLElement>('td, th')) : [block];
}
