import { expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { accentColours, contrast, isReadable } from './accent.ts';

const colour = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);

test('black on white has all the contrast there is, and a colour with itself none', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#1f3f7a', '#1f3f7a')).toBe(1);
});

test('whatever accent is taken can be read by day and by night, and what stands on it', () => {
  fc.assert(
    fc.property(colour, (accent) => {
      const both = accentColours(accent);
      expect(both === null).toBe(!isReadable(accent));
      if (!both) return;
      const { light, dark } = both;
      for (const [text, behind] of [
        [light.accent, '#fcfbf8'],
        [light.ink, light.accent],
        [light.ink, light.strong],
        [dark.accent, '#161513'],
        [dark.ink, dark.accent],
        [dark.ink, dark.strong],
      ] as const)
        expect(contrast(text, behind)).toBeGreaterThanOrEqual(4.5);
      // On a hint of itself, as the page one is on stands in the sidebar.
      expect(contrast(dark.accent, dark.wash)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test.each(['#ffff00', '#ffffff', 'red', '#12345', ''])('%s is no accent', (accent) => {
  expect(accentColours(accent)).toBeNull();
});
