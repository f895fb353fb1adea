import { expect, test } from 'vitest';
import type { CompanyFile } from '#web/api/company-files.ts';
import { fileFacts, fileStateText } from './file-state.ts';

const file: CompanyFile = {
  id: '7f1f6a52-6f6c-4bb6-9d3b-3c7d5b3d9a10',
  name: 'Travel policy.pdf',
  path: 'company/Travel policy.pdf',
  bucket: 'footnote',
  state: 'ready',
  pages: 22,
  version: 3,
  currentVersion: 3,
  size: 1_200_000,
  uploadedAt: new Date(2026, 10, 21, 9, 14).toISOString(),
};

test('states in words', () => {
  const text = (fields: Partial<CompanyFile>) => fileStateText({ ...file, ...fields }).text;
  expect(text({})).toBe('Ready');
  expect(text({ state: 'processing' })).toBe('Reading');
  expect(text({ state: 'processing', progress: { done: 12, total: 40 } })).toBe('Reading page 12 of 40');
  const progress = { done: 300, total: 1000 };
  expect(fileStateText({ ...file, state: 'uploading', progress })).toEqual({ text: 'Uploading', bad: false, progress });
  expect(text({ state: 'partial', reason: 'page 3 is blank.' })).toBe('Partly readable: page 3 is blank.');
  expect(text({ state: 'failed' })).toBe('Failed');
  expect(fileStateText({ ...file, state: 'failed' }).bad).toBe(true);
});

test('facts in one line, with the version that answers when it is not the newest', () => {
  const now = new Date(2026, 10, 21, 12, 0);
  expect(fileFacts(file, now, 'en-GB')).toBe('22 pages · version 3 · 1.2 MB · today, 09:14');
  const { pages: _, ...unread } = file;
  expect(fileFacts({ ...unread, version: 4 }, now, 'en-GB')).toBe(
    'version 4 · version 3 answers · 1.2 MB · today, 09:14',
  );
});
