import type { Span } from './fold.ts';

/**
 * Puts the spans' words into `<mark>` elements.
 *
 * @param items the elements that hold the pieces of text
 * @returns the marks, in order
 */
export function markText(items: readonly HTMLElement[], spans: readonly Span[]): HTMLElement[] {
  const marks: HTMLElement[] = [];
  for (const { item, start, end } of spans) {
    const element = items[item];
    const text = element?.textContent;
    if (!element || !text) continue;
    const mark = document.createElement('mark');
    mark.textContent = text.slice(start, end);
    // Text nodes: whatever stands in a document stays text.
    element.replaceChildren(text.slice(0, start), mark, text.slice(end));
    marks.push(mark);
  }
  return marks;
}
