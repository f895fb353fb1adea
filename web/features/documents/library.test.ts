import { expect, test } from 'vitest';
import type { CompanyFile } from '#web/api/company-files.ts';
import { countStates, pickFiles } from './library.ts';

const file = (name: string, fields: Partial<CompanyFile> = {}): CompanyFile => ({
  id: crypto.randomUUID(),
  name,
  path: `company/${name}`,
  bucket: 'footnote',
  state: 'ready',
  version: 1,
  size: 1000,
  uploadedAt: '2026-11-20T10:00:00.000Z',
  ...fields,
});

const files = [
  file('Plan.pdf', { size: 5000, uploadedAt: '2026-11-21T10:00:00.000Z', tags: ['Travel'] }),
  file('Rates.xlsx', { state: 'failed', size: 10, uploadedBy: 'ada', uploadedAt: '2026-11-19T10:00:00.000Z' }),
  file('Scan.pdf', { state: 'queued' }),
];
const everything = { text: '', state: 'all' } as const;
const byName = { by: 'name', down: false } as const;
const emailOf = (uid: string) => (uid === 'ada' ? 'ada@nordwind.example' : undefined);
const names = (...[wanted, order]: [Parameters<typeof pickFiles>[1], Parameters<typeof pickFiles>[2]]) =>
  pickFiles(files, wanted, order, emailOf).map(({ name }) => name);

test('a text is looked for in name, tags and the e-mail of the uploader', () => {
  expect(names({ text: ' pLaN ', state: 'all' }, byName)).toEqual(['Plan.pdf']);
  expect(names({ text: 'travel', state: 'all' }, byName)).toEqual(['Plan.pdf']);
  expect(names({ text: 'ADA@', state: 'all' }, byName)).toEqual(['Rates.xlsx']);
  expect(names({ text: 'nothing of this', state: 'all' }, byName)).toEqual([]);
});

test('a state is those of its group', () => {
  expect(names({ text: '', state: 'reading' }, byName)).toEqual(['Scan.pdf']);
  expect(names({ text: 'pdf', state: 'ready' }, byName)).toEqual(['Plan.pdf']);
  expect(countStates(files)).toEqual({ ready: 1, reading: 1, uploading: 0, partial: 0, failed: 1 });
});

test('by name as it comes, by size, by date, either way', () => {
  expect(names(everything, byName)).toEqual(['Plan.pdf', 'Rates.xlsx', 'Scan.pdf']);
  expect(names(everything, { by: 'name', down: true })).toEqual(['Scan.pdf', 'Rates.xlsx', 'Plan.pdf']);
  expect(names(everything, { by: 'size', down: false })).toEqual(['Rates.xlsx', 'Scan.pdf', 'Plan.pdf']);
  expect(names(everything, { by: 'uploadedAt', down: true })).toEqual(['Plan.pdf', 'Scan.pdf', 'Rates.xlsx']);
});
