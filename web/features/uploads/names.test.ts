import { expect, test } from 'vitest';
import { nameOf, planNames } from './names.ts';

const plan = (chosen: [string, 'replace' | 'keep-both' | null][], existing: string[]) =>
  planNames(
    chosen.map(([name, choice]) => ({ name, choice })),
    existing,
  ).map(({ name, undecided }) => (undecided ? `${name}?` : name));

test('asks about a name that is taken, and does as told', () => {
  expect(plan([['Plan.pdf', null]], ['Plan.pdf'])).toEqual(['Plan.pdf?']);
  expect(plan([['Plan.pdf', 'replace']], ['Plan.pdf'])).toEqual(['Plan.pdf']);
  expect(plan([['Plan.pdf', 'keep-both']], ['Plan.pdf'])).toEqual(['Plan (2).pdf']);
  expect(plan([['Plan.pdf', 'keep-both']], ['Plan.pdf', 'Plan (2).pdf'])).toEqual(['Plan (3).pdf']);
  expect(plan([['Plan.pdf', null]], ['plan.pdf'])).toEqual(['Plan.pdf']);
});

test('two of one name in a selection are asked about, too', () => {
  const chosen: [string, 'keep-both' | null][] = [
    ['a.md', null],
    ['a.md', 'keep-both'],
    ['a.md', 'keep-both'],
  ];
  expect(plan(chosen, [])).toEqual(['a.md', 'a (2).md', 'a (3).md']);
});

test('accents written in either way are the same name', () => {
  expect(plan([['Zu\u0308rich.pdf', null]], ['Z\u00fcrich.pdf'])).toEqual(['Zu\u0308rich.pdf?']);
});

test('a dropped folder stands in the name, a plain file has its own', () => {
  const dropped = (path: string) => nameOf(Object.assign(new File([], 'readme.pdf'), { path }));
  expect(dropped('/guide/parts/readme.pdf')).toBe('guide › parts › readme.pdf');
  expect(dropped('./readme.pdf')).toBe('readme.pdf');
  expect(dropped('')).toBe('readme.pdf');
});
