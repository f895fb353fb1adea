import type { TextItem } from '@llamaindex/liteparse';
import type { Block } from '../document.ts';

/** Degrees clockwise. */
export type Angle = 0 | 90 | 180 | 270;

export const angles: readonly Angle[] = [0, 90, 270, 180];
/** Share of a page's letters that lie one way, for the page to lie so. */
const maxTurned = 0.6;

/** How far most of a page's text is turned from how it is read. */
export function lieOf({ textItems }: { textItems: readonly TextItem[] }): Angle {
  const letters = (angle: Angle) =>
    textItems
      .filter(({ rotation = 0 }) => Math.round(rotation / 90) * 90 === angle)
      .reduce((sum, { text }) => sum + text.trim().length, 0);
  const all = angles.map(letters).reduce((sum, count) => sum + count, 0);
  return angles.find((angle) => letters(angle) > all * maxTurned) ?? 0;
}

export function plus(a: Angle, b: number): Angle {
  return angles.find((angle) => (a + b - angle) % 360 === 0) ?? 0;
}

/** Where a place on an upright page lies when the page is turned clockwise. */
export function turned(box: NonNullable<Block['box']>, angle: Angle): NonNullable<Block['box']> {
  const [left, top, right, bottom] = box;
  const fraction = (value: number) => Math.round(value * 10_000) / 10_000;
  if (angle === 90) return [fraction(1 - bottom), left, fraction(1 - top), right];
  if (angle === 180) return [fraction(1 - right), fraction(1 - bottom), fraction(1 - left), fraction(1 - top)];
  if (angle === 270) return [top, fraction(1 - right), bottom, fraction(1 - left)];
  return box;
}

/** Blocks of a page that was turned upright to be read, with their places on the page as it lies. */
export function turnedBack(blocks: readonly Block[], angle: Angle): Block[] {
  return blocks.map(({ box, ...block }) => ({ ...block, ...(box && { box: turned(box, angle) }) }));
}
