import { expect, test } from 'vitest';
import type { CompanyFile } from '#web/api/company-files.ts';
import { nothingSelected, stateOfAll, withAll, withRow } from './selection.ts';

const file = (id: string, state: CompanyFile['state'] = 'ready'): CompanyFile => ({
  id,
  name: `${id}.txt`,
  path: `company/${id}.txt`,
  bucket: 'footnote',
  state,
  version: 1,
  size: 1,
  uploadedAt: '2026-11-20T10:00:00.000Z',
});
const shown = [file('a'), file('b'), file('u', 'uploading'), file('c'), file('d')];
const press = (before: typeof nothingSelected, id: string, selected = true, isRange = false) =>
  withRow(before, { shown, id, selected, isRange });
const ids = ({ ids }: typeof nothingSelected) => [...ids].toSorted().join('');

test('a range is from the one pressed before to this one, either way, without uploads', () => {
  const one = press(nothingSelected, 'b');
  expect(ids(press(one, 'd', true, true))).toBe('bcd');
  expect(ids(press(one, 'a', true, true))).toBe('ab');
  expect(ids(press(press(one, 'd', true, true), 'b', false, true))).toBe('');
});

test('a range whose beginning is not shown any more is the one that was pressed', () => {
  const other = withRow(nothingSelected, { shown: [file('z')], id: 'z', selected: true, isRange: false });
  expect(ids(press(other, 'c', true, true))).toBe('cz');
});

test('all are those that are shown; the others stay as they are', () => {
  const other = withRow(nothingSelected, { shown: [file('z')], id: 'z', selected: true, isRange: false });
  const all = withAll(other, shown, true);
  expect(ids(all)).toBe('abcdz');
  expect(stateOfAll(all.ids, shown)).toBe('all');
  expect(ids(withAll(all, shown, false))).toBe('z');
  expect(stateOfAll(other.ids, shown)).toBe('none');
  expect(stateOfAll(press(other, 'a').ids, shown)).toBe('some');
});
