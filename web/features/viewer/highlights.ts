import type { Span } from './fold.ts';

/**
 * What a reader has found is lit by the browser's own highlights, which leave the elements as they are: yellow marks
 * are for cited words alone. A browser without them still counts and goes to what was found.
 */
const registry = typeof CSS === 'undefined' ? undefined : CSS.highlights;
const all = registry && new Highlight();
const chosen = registry && new Highlight();
if (all) registry.set('found', all);
if (chosen) registry.set('found-now', chosen);

/** Lights ranges, one of them as the one that is looked at. Returns the way to put them out. */
export function light(ranges: readonly Range[], now: Range | undefined): () => void {
  for (const range of ranges) (range === now ? chosen : all)?.add(range);
  return () => {
    for (const range of ranges) {
      all?.delete(range);
      chosen?.delete(range);
    }
  };
}

/** From the first to the last of the spans; null where the elements hold another text. */
export function rangeOf(items: readonly HTMLElement[], spans: readonly Span[]): Range | null {
  const [first, last] = [spans[0], spans.at(-1)];
  const start = first && pointIn(items[first.item], first.start);
  const end = last && pointIn(items[last.item], last.end);
  if (!start || !end) return null;
  const range = document.createRange();
  range.setStart(...start);
  range.setEnd(...end);
  return range;
}

function pointIn(element: HTMLElement | undefined, offset: number): [node: Node, offset: number] | null {
  if (!element) return null;
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let left = offset;
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const length = text.textContent?.length ?? 0;
    if (left <= length) return [text, left];
    left -= length;
  }
  return null;
}
