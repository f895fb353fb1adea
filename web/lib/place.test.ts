import { expect, test } from 'vitest';
import { isPicture, isShownByBrowsers, placeLabel } from './place.ts';

test('presentations have slides, everything else has pages', () => {
  expect(placeLabel('Kick-off.PPTX', 3)).toBe('slide 3');
  expect(placeLabel('Kick-off.odp', 1)).toBe('slide 1');
  expect(['a.pptm', 'a.ppsx', 'a.potx', 'a.otp'].map((name) => placeLabel(name, 2))).toEqual(Array(4).fill('slide 2'));
  expect(placeLabel('pptx.pdf', 3)).toBe('page 3');
  expect(placeLabel('no extension', 12)).toBe('page 12');
});

test('pictures are those that a browser draws', () => {
  expect(['a.png', 'a.JPG', 'a.jpeg', 'a.jfif', 'a.webp'].map(isPicture)).toEqual(Array(5).fill(true));
  expect(['a.tiff', 'a.tif', 'a.svg', 'png', 'a.png.pdf'].map(isPicture)).toEqual(Array(5).fill(false));
});

test('pages, pictures and plain text are shown, the rest is a download', () => {
  expect(['a.pdf', 'a.HTM', 'a.md', 'a.webp'].map(isShownByBrowsers)).toEqual([true, true, true, true]);
  expect(['a.docx', 'a.csv', 'a.eml', 'a'].map(isShownByBrowsers)).toEqual(Array(4).fill(false));
});
