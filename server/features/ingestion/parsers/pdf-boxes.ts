import type { ParsedPage, Rect } from '@llamaindex/liteparse';
import type { Block } from '../document.ts';

/** A place on a page as shares of its width and height. */
export function boxOf(rect: Rect | undefined, { width, height }: ParsedPage): Pick<Block, 'box'> {
  if (!rect || width <= 0 || height <= 0) return {};
  const fraction = (value: number) => Math.round(Math.min(Math.max(value, 0), 1) * 10_000) / 10_000;
  return {
    box: [
      fraction(rect.x / width),
      fraction(rect.y / height),
      fraction((rect.x + rect.width) / width),
      fraction((rect.y + rect.height) / height),
    ],
  };
}

/** What holds both. */
export function union(a: Rect, b: Rect): Rect {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}
