import { expect, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { checkFileName, nameInPath, nameKey, pathInUri } from './names.ts';

test.each([
  'plain.pdf',
  'Überstunden "2026" & Co. (final) #1?.docx',
  'Müller’s 📎 report.pdf',
  'invoice‮fdp.exe.txt',
  'back\\slash.txt',
  '...',
  'a..b',
  '.hidden',
  'mail.eml › invoice.pdf',
  'ไทย 日本語.md',
])('keeps %j as it is', (name) => {
  expect(checkFileName(name)).toBe(name);
});

test.each([
  '',
  '   ',
  '\u200b\u202e\u2066',
  '.',
  '..',
  'a/b.pdf',
  '/etc/passwd',
  'nul\u0000.pdf',
  'line\nfeed.pdf',
  'bell\u0007',
  'c1\u0085',
  'lone\ud800',
  'x'.repeat(256),
])('refuses %j', (name) => {
  expect(() => checkFileName(name)).toThrow(AppError);
});

test('composed and decomposed letters are the same name', () => {
  expect(nameKey('Ärger.pdf'.normalize('NFD'))).toBe(nameKey('Ärger.pdf'.normalize('NFC')));
});

test('a path or address outside of the company answers like one that does not exist', () => {
  expect(nameInPath('c1', 'c1/a.pdf')).toBe('a.pdf');
  expect(pathInUri('bucket', 'gs://bucket/c1/a#b?c%20d.pdf')).toBe('c1/a#b?c%20d.pdf');
  for (const path of ['c2/a.pdf', 'a.pdf', '', 'c1']) expect(() => nameInPath('c1', path)).toThrow('does not exist');
  for (const uri of ['gs://other/c1/a.pdf', 'https://bucket/c1/a.pdf', 'gs://bucket']) {
    expect(() => pathInUri('bucket', uri)).toThrow('does not exist');
  }
});
