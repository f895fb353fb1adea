import { expect, test } from 'vitest';
import { nameOf, takenNames } from './names.ts';

test('a name is taken by a file that is there, or by one before it in the selection', () => {
  expect(takenNames(['Plan.pdf', 'a.md', 'a.md', 'A.md'], ['Plan.pdf'])).toEqual([true, false, true, false]);
});

test('accents written in either way are the same name', () => {
  expect(takenNames(['Zu\u0308rich.pdf'], ['Z\u00fcrich.pdf'])).toEqual([true]);
});

test('a dropped folder stands in the name, a plain file has its own', () => {
  const dropped = (path: string) => nameOf(Object.assign(new File([], 'readme.pdf'), { path }));
  expect(dropped('/guide/parts/readme.pdf')).toBe('guide › parts › readme.pdf');
  expect(dropped('./readme.pdf')).toBe('readme.pdf');
  expect(dropped('')).toBe('readme.pdf');
});
