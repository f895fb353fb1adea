import { expect, test } from 'vitest';
import { filters as schema } from '#contract/calls/answers.ts';
import { countOf, noFilters, readFilters, wireFilters } from './filters.ts';

const id = '3f0b6f0a-3c1e-4d0e-9c39-7a1f5d2b8e11';

test('nothing set sends nothing, since any filter needs a plan that has them', () => {
  expect(wireFilters(noFilters)).toEqual({});
  expect(countOf(noFilters)).toBe(0);
});

test('the server takes what is set, and the last day counts as a whole', () => {
  const { filters } = wireFilters({ documentIds: [id], tags: ['HR'], from: '2026-02-27', to: '2026-02-28' });
  expect(schema.parse(filters)).toEqual(filters);
  expect(filters).toMatchObject({ documentIds: [id], tags: ['HR'] });
  const [from, to] = [new Date(filters?.uploadedAfter ?? ''), new Date(filters?.uploadedBefore ?? '')];
  expect([from.getDate(), from.getHours()]).toEqual([27, 0]);
  expect([to.getMonth(), to.getDate(), to.getHours()]).toEqual([2, 1, 0]);
});

test('dates count as one, and what is no date as none', () => {
  expect(countOf({ ...noFilters, documentIds: [id], from: '2026-01-01', to: '2026-02-01' })).toBe(2);
  expect(wireFilters({ ...noFilters, from: 'yesterday', to: '' })).toEqual({});
});

test('what was kept is read as it was, and what is no filter is left out', () => {
  const set = { documentIds: [id], tags: ['HR'], from: '2026-02-27', to: '' };
  expect(readFilters(JSON.parse(JSON.stringify(set)))).toEqual(set);
  expect(readFilters({ documentIds: [1, id], tags: 'HR', from: 'yesterday', to: null })).toEqual({
    ...noFilters,
    documentIds: [id],
  });
  expect(readFilters(null)).toEqual(noFilters);
});
