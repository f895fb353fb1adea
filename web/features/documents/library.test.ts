import { expect, test } from 'vitest';
import { type CompanyFile, tagsOf } from '#web/api/company-files.ts';
import { documentFacts } from './file-state.ts';
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
const everything = { text: '', tag: '', state: 'all', collection: '' } as const;
const byName = { by: 'name', down: false } as const;
const names = (...[wanted, order]: [Parameters<typeof pickFiles>[1], Parameters<typeof pickFiles>[2]]) =>
  pickFiles(files, wanted, order).map(({ name }) => name);

test('a text is looked for in the name alone, as its box says; a tag is chosen', () => {
  expect(names({ ...everything, text: ' pLaN ' }, byName)).toEqual(['Plan.pdf']);
  expect(names({ ...everything, text: 'travel' }, byName)).toEqual([]);
  expect(names({ ...everything, text: 'nothing of this' }, byName)).toEqual([]);
  expect(names({ ...everything, tag: 'Travel' }, byName)).toEqual(['Plan.pdf']);
  expect(names({ ...everything, tag: 'Travel', text: 'scan' }, byName)).toEqual([]);
  expect(tagsOf([...files, file('x', { tags: ['Travel', 'Finance'] })])).toEqual(['Finance', 'Travel']);
});

test('a state is those of its group', () => {
  expect(names({ ...everything, state: 'reading' }, byName)).toEqual(['Scan.pdf']);
  expect(names({ ...everything, text: 'pdf', state: 'ready' }, byName)).toEqual(['Plan.pdf']);
  expect(countStates(files)).toEqual({ ready: 1, reading: 1, uploading: 0, partial: 0, failed: 1 });
});

test('by name as it comes, by size, by date, either way', () => {
  expect(names(everything, byName)).toEqual(['Plan.pdf', 'Rates.xlsx', 'Scan.pdf']);
  expect(names(everything, { by: 'name', down: true })).toEqual(['Scan.pdf', 'Rates.xlsx', 'Plan.pdf']);
  expect(names(everything, { by: 'size', down: false })).toEqual(['Rates.xlsx', 'Scan.pdf', 'Plan.pdf']);
  expect(names(everything, { by: 'uploadedAt', down: true })).toEqual(['Plan.pdf', 'Scan.pdf', 'Rates.xlsx']);
});

test('a row says who uploaded it: a person, an API key, or somebody who is not there any more', () => {
  const uid = '00000000-0000-4000-8000-000000000001';
  const emails = new Map([[uid, 'ada@example.com']]);
  expect(documentFacts(file('Plan.pdf', { uploadedBy: uid }), emails)).toContain('by ada@example.com');
  expect(documentFacts(file('Plan.pdf', { uploadedBy: uid }), new Map())).toContain('by someone who has left');
  expect(documentFacts(file('Plan.pdf', { uploadedBy: uid, uploadedByKey: 'Nightly' }), emails)).toContain(
    'by the API key “Nightly”',
  );
});
