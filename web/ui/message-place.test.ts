import { expect, test } from 'vitest';
import { freePlace } from './message-place.ts';

const message = { left: 100, right: 300, height: 40 };
const wide = { left: 0, right: 400 };

test('a message stands at the end of the window, or above what is in use there', () => {
  expect(freePlace(message, [], 800)).toBe(792);
  expect(freePlace(message, [{ ...wide, top: 700, bottom: 780 }], 800)).toBe(692);
  expect(freePlace(message, [{ left: 308, right: 400, top: 700, bottom: 780 }], 800)).toBe(792);
});

test('it stands between two where there is room, else above both', () => {
  const lower = { ...wide, top: 700, bottom: 800 };
  expect(freePlace(message, [{ ...wide, top: 600, bottom: 640 }, lower], 800)).toBe(692);
  expect(freePlace(message, [{ ...wide, top: 600, bottom: 650 }, lower], 800)).toBe(592);
});

test('where all is in use there is no place', () => {
  expect(freePlace(message, [{ ...wide, top: 50, bottom: 800 }], 800)).toBeNull();
});
