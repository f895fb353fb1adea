import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { planPaths } from './paths.ts';

const newest = (name: string, more: { parentName?: string; version?: number; isNewest?: boolean } = {}) => ({
  documentId: randomUUID(),
  version: 1,
  name,
  parentName: null,
  isNewest: true,
  ...more,
});

test('names and folders stay as they are where every system takes them', () => {
  const mail = { parentName: 'Offer.eml' };
  expect(
    planPaths([
      newest('Lease.pdf'),
      newest('Contracts › 2024 › Lease.pdf'),
      newest('Offer.eml'),
      newest('Offer.eml › prices.xlsx', mail),
      newest('東海 “draft” ñ.md'),
      { ...newest('Lease.pdf', { isNewest: false }), version: 3 },
    ]),
  ).toEqual([
    'documents/Lease.pdf',
    'documents/Contracts/2024/Lease.pdf',
    'documents/Offer.eml',
    'documents/Offer.eml attachments/prices.xlsx',
    'documents/東海 “draft” ñ.md',
    'earlier-versions/Lease (version 3).pdf',
  ]);
});

test('what some system refuses or mistakes is replaced, and no two are the same to any', () => {
  const paths = planPaths(
    [
      'a',
      'a › b.txt',
      'A.txt',
      'a.TXT',
      'con.txt',
      'x: "y"?.md',
      'end. ',
      '..',
      '.. › .. › passwd',
      '\u202egnp.exe',
    ].map((name) => newest(name)),
  );
  expect(paths).toEqual([
    'documents/a (2)',
    'documents/a/b.txt',
    'documents/A.txt',
    'documents/a (2).TXT',
    'documents/_con.txt',
    'documents/x_ _y__.md',
    'documents/end',
    'documents/. (2)',
    'documents/_/_/passwd',
    'documents/_gnp.exe',
  ]);
});

test('any names make paths that are safe and differ', () => {
  const character = fc.constantFrom(
    'a',
    'A',
    'ä',
    'a\u0308',
    '.',
    ' ',
    ' › ',
    '/',
    '\\',
    ':',
    '🦊',
    '\u0000',
    'con',
    '\ud800',
  );
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(character, { maxLength: 40 }).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(
      fc.array(fc.record({ name, isNewest: fc.boolean(), parentName: fc.option(name) }), { maxLength: 30 }),
      (all) => {
        const paths = planPaths(all.map((each) => ({ ...each, documentId: randomUUID(), version: 1 })));
        const keys = paths.map((path) => path.normalize('NFC').toLowerCase());
        expect(new Set(keys).size).toBe(all.length);
        for (const path of paths) {
          expect(path.length).toBeLessThanOrEqual(220);
          expect(path.isWellFormed()).toBe(true);
          const [root, ...parts] = path.split('/');
          expect(['documents', 'earlier-versions']).toContain(root);
          for (const part of parts) {
            expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255);
            // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
            expect(part).not.toMatch(/[\u0000-\u001f<>:"\\|?*]|[. ]$|^\.+$/);
            expect(part).not.toBe('');
          }
        }
        // No file stands where another has its folder.
        for (const key of keys) expect(keys.some((other) => other.startsWith(`${key}/`))).toBe(false);
      },
    ),
    { numRuns: 60 },
  );
});
